/** Client lists as files: read in over HTTP, and given out. */
import { instituteHeader } from '@soigne/contract/access'
import type { ImportReport } from '@soigne/contract/customer-imports'
import type { CustomerRow } from '@soigne/contract/customers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { csvForm } from '#/testing/customer-recipes.ts'
import { eventsOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { readCsv, readDate, suggestFields, writeCell } from './csv.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})

const base = '/api/v1/secure/mysalon/customers'
const send = async (file: string | Buffer, fields: Record<string, string> = {}): Promise<TestAnswer> => {
  const { payload, headers } = csvForm(file, fields)
  return t.inject('POST', `${base}/import`, { token: owner.token, payload, headers: { ...headers, [instituteHeader]: institute.id } })
}
const bring = async (file: string | Buffer, fields?: Record<string, string>): Promise<ImportReport> => {
  const answer = await send(file, fields)
  expect([answer.status, answer.body['message'] ?? '']).toEqual([200, ''])
  return answer.body as unknown as ImportReport
}
const ask = (method: 'GET' | 'POST', path: string, body?: object, user = owner): Promise<TestAnswer> =>
  t.inject(method, `${base}${path}`, { token: user.token, headers: { [instituteHeader]: institute.id }, ...(body && { body }) })
const list = async (query: string): Promise<CustomerRow[]> => (await ask('GET', query)).body['items'] as unknown as CustomerRow[]

/** What programs of salons write on Windows. */
function windows1252(text: string): Buffer {
  return Buffer.from(text.replaceAll('€', '\u0080').replaceAll('œ', '\u009c'), 'latin1')
}

/** Of 2,000 rows: 40 known, 35 doubles, 25 faulty, 1,900 new. */
function largeFile(): { file: Buffer; faultyLines: number[] } {
  const number = (n: number): string => `06 ${String(10_000_000 + n).replaceAll(/(\d\d)(?=\d)/g, '$1 ')}`
  const rows = Array.from(
    { length: 1940 },
    (_, n) => `Prénom${n};Éœnom${n};${number(n)};p${n}@mail.test;0${1 + (n % 9)}/1${n % 3}/19${60 + (n % 40)}`,
  )
  for (let n = 0; n < 35; n++) rows.push(`prenom${100 + n};É.;+33 6 ${number(100 + n).slice(3)};;`)
  const faults = ['', 'not an email', '31/02/1990', 'call her']
  const from = rows.length + 2
  for (let n = 0; n < 25; n++) {
    const [name, mail, born, phone] = faults.map((value, index) => (index === n % 4 ? value : null))
    rows.push(`${name ?? 'Zoé'};;${phone ?? ''};${mail ?? ''};${born ?? ''}`)
  }
  return {
    file: windows1252(`Prénom;Nom;Portable;E-mail;Date de naissance\r\n${rows.join('\r\n')}\r\n`),
    faultyLines: Array.from({ length: 25 }, (_, n) => from + n),
  }
}

describe('a list of clients that is brought along', () => {
  it('[P-09] of 2,000 rows in Windows-1252 is counted first, then brought in, and the second time nobody is new', async () => {
    for (let n = 0; n < 40; n++) await ask('POST', '', { firstName: `Prénom${n}`, phone: `+33 6 ${String(10_000_000 + n)}` })
    const { file, faultyLines } = largeFile()
    const dry = await bring(file, { dryRun: 'true' })
    expect(dry).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
      rows: 2000,
      added: 1900,
      known: 40,
      filled: 40,
      doubles: 35,
      faultyRows: 25,
      isDone: false,
    })
    expect(dry.columns.map(({ field }) => field)).toEqual(['firstName', 'lastName', 'phone', 'email', 'birthday'])
    expect(dry.columns[1]?.example).toBe('Éœnom0')
    expect(dry.faulty.map(({ line }) => line)).toEqual(faultyLines)
    expect(dry.faulty.slice(0, 4).map(({ reason }) => reason)).toEqual(['no_name', 'email', 'birthday', 'phone'])
    expect((await ask('GET', '')).body['total']).toBe(40)
    expect(await bring(file)).toMatchObject({ added: 1900, known: 40, filled: 40, isDone: true })
    expect((await ask('GET', '')).body['total']).toBe(1940)
    // Empty fields were filled, and nothing overwritten.
    expect(await list('?search=p7@mail.test')).toMatchObject([{ firstName: 'Prénom7', lastName: 'Éœnom7', phone: '+33 6 10000007' }])
    expect(await bring(file)).toMatchObject({ added: 0, known: 1940, filled: 0, doubles: 35 })
    expect((await t.mails('p100@mail.test')).length).toBe(0)
    expect((await eventsOf(t.db, institute)).filter(({ kind }) => kind === 'customers.imported').map(({ payload }) => payload)).toEqual([
      { added: 1900, filled: 40 },
    ])
  })

  it('knows people without contact by how many of a name there are', async () => {
    const file = 'Name,Phone\nMarie,\nMarie,\nPaul,0611223344\n'
    expect(await bring(file)).toMatchObject({ added: 3, doubles: 0 })
    expect(await bring(`${file}Marie,\n`)).toMatchObject({ added: 1, known: 3 })
  })

  it('keeps a family that shares a phone apart; the same person by phone and name, or by email, comes once', async () => {
    await ask('POST', '', { firstName: 'Ines', lastName: 'Petit', phone: '06 44 18 20 93' })
    const head = 'First name,Last name,Phone,Email\n'
    const family = `${head}Jean,Petit,0644182093,\nJeanne,Petit,+33 6 44 18 20 93,\nLéa,Morel,0644182093,lea@mail.test\n`
    expect(await bring(family)).toMatchObject({ added: 3, known: 0, doubles: 0 })
    expect(await bring(family)).toMatchObject({ added: 0, known: 3, doubles: 0 })
    const again = `${head}petit,INÈS,0644182093,\nLea,M.,0644182093,\nLéa,,0644182093,\nJeanne,P,0644182093,\nMax,,,LEA@mail.test\nMaxime,,,lea@mail.test\n`
    expect(await bring(again, { dryRun: 'true' })).toMatchObject({ added: 0, known: 4, filled: 0, doubles: 2 })
    const names = (await list('?sort=name')).map(({ name }) => name)
    expect(names).toEqual(['Ines Petit', 'Jean Petit', 'Jeanne Petit', 'Léa Morel'])
  })

  it('has its columns named by whoever brings it, and is refused where it is no list', async () => {
    const file = 'a,b\nCamille Renaud,camille@mail.test\n'
    expect(await bring(file, { dryRun: 'true' })).toMatchObject({ added: 0, faultyRows: 1 })
    expect(await bring(file, { mapping: '["name","email"]' })).toMatchObject({ added: 1 })
    expect(await list('?search=camille')).toMatchObject([{ firstName: 'Camille', lastName: 'Renaud', email: 'camille@mail.test' }])
    for (const mapping of ['["name"]', '["name","name"]', '["name","age"]', '{', 'null'])
      expect([mapping, (await send(file, { mapping })).body['details']]).toEqual([mapping, { fields: { mapping: expect.any(String) } }])
    for (const bad of ['', 'Name,Phone\n', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'Name\n"never closed'])
      expect([bad, (await send(bad)).status]).toEqual([bad, 400])
    expect((await send(Buffer.alloc(4_000_001, 'a'))).status).toBe(413)
    expect((await send(`Name\n${'Camille\n'.repeat(10_001)}`)).status).toBe(400)
  })

  it('is for those who may change clients, into their own institute', async () => {
    const { payload, headers } = csvForm('Name\nCamille\n')
    const as = (user: MadeUser | null, at = institute.id): Promise<TestAnswer> =>
      t.inject('POST', `${base}/import`, { ...(user && { token: user.token }), payload, headers: { ...headers, [instituteHeader]: at } })
    expect((await as(null)).status).toBe(401)
    expect((await as(await makePerson(t.db, institute.id, 'staff'))).status).toBe(403)
    expect((await as(owner, (await makeInstitute(t.db)).id)).status).toBe(404)
  })
})

describe('a file', () => {
  it('is read however it is written', () => {
    const rows = (text: string | Buffer) => readCsv(Buffer.from(text)).rows.map(({ cells }) => cells)
    expect(rows('\ufeffName;Note\r\n"Re;naud";"two\r\nlines ""here"""\r\nA;b')).toEqual([
      ['Re;naud', 'two\r\nlines "here"'],
      ['A', 'b'],
    ])
    expect(rows('Name\tPhone\nA, B\t1')).toEqual([['A, B', '1']])
    expect(rows("Name,Note\nA,'=1+1")).toEqual([['A', '=1+1']])
    expect(readCsv(Buffer.from('Name;Note\nA;"x\ny"\nB;z')).rows.map(({ line }) => line)).toEqual([2, 4])
  })

  it('has columns that are known in three languages', () => {
    const fields = (heads: string) => suggestFields(readCsv(Buffer.from(`${heads}\na,b,c`)))
    expect(fields('First Name,SURNAME,Date of birth')).toEqual(['firstName', 'lastName', 'birthday'])
    expect(fields('Prénom,Nom,Téléphone')).toEqual(['firstName', 'lastName', 'phone'])
    expect(fields('الاسم,الهاتف,ملاحظات')).toEqual(['name', 'phone', 'notes'])
    expect(fields('Name,Client,Colour')).toEqual(['name', null, null])
  })

  it('has days as they are written in its country', () => {
    expect(['1990-06-02', '2/6/1990', '02.06.1990', '31/02/1990', '6/1990', '02/06/90'].map((text) => readDate(text, 'FR'))).toEqual([
      '1990-06-02',
      '1990-06-02',
      '1990-06-02',
      null,
      null,
      null,
    ])
    expect(readDate('6/2/1990', 'US')).toBe('1990-06-02')
  })

  it('that is given out has texts only: no formula, and numbers keep their zero', async () => {
    expect(['=1+1', '+33 6', '-1', '@x', '0612345678', '061234567', 'a "b"', '12'].map(writeCell)).toEqual([
      '"\'=1+1"',
      '"\'+33 6"',
      '"\'-1"',
      '"\'@x"',
      '"06 12 34 56 78"',
      '"0 61 23 45 67"',
      '"a ""b"""',
      '"12"',
    ])
    await ask('POST', '', { firstName: '=HYPERLINK("x")', lastName: 'Ødegård', phone: '0612345678', notes: 'One\nTwo', tags: ['VIP'] })
    const answer = await ask('GET', '/export.csv')
    expect(answer.headers['content-type']).toMatch(/^text\/csv/)
    expect(answer.text.startsWith('\ufeff"First name","Last name","Phone"')).toBe(true)
    expect(answer.text).toContain('"\'=HYPERLINK(""x"")","Ødegård","06 12 34 56 78"')
    // It can be brought back, and nobody is new.
    expect(await bring(answer.text)).toMatchObject({ added: 0, known: 1, filled: 0 })
    expect((await ask('GET', '/export.csv', undefined, await makePerson(t.db, institute.id, 'manager'))).status).toBe(403)
  })
})
