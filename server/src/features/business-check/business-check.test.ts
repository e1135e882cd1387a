/** The check of a business over HTTP and at the operator's shell: sent with real files, taken back, accepted, refused, sent anew. */
import { instituteHeader } from '@soigne/contract/access'
import type { BusinessCheck } from '@soigne/contract/business-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { noise, pdf, plain } from '#/testing/pictures.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { decideOnCheck, waitingChecks } from './service.ts'

const path = '/api/v1/secure/mysalon/business-check'
const good = { legalName: 'Nacre SARL', registrationNumber: '732 829 320 00074', vatNumber: 'FR44732829320' }
let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro', firstName: 'Odile' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Nacre' })
})

type Sent = [name: string, bytes: Buffer]
const extract: Sent = ['kbis.pdf', pdf()]
const as = (user: MadeUser, at = institute) => ({ token: user.token, headers: { [instituteHeader]: at.id } })

async function send(
  fields: Partial<typeof good> = {},
  files: readonly Sent[] = [extract],
  user = owner,
  locale = 'en',
): Promise<TestAnswer> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...good, ...fields })) form.set(name, value)
  for (const [name, bytes] of files) form.append('documents', new Blob([new Uint8Array(bytes)]), name)
  const made = new Response(form)
  const { token, headers } = as(user)
  return t.inject('POST', path, {
    token,
    locale,
    headers: { ...headers, 'content-type': made.headers.get('content-type') ?? '' },
    payload: Buffer.from(await made.arrayBuffer()),
  })
}
const bodyOf = ({ body }: TestAnswer): BusinessCheck => body as unknown as BusinessCheck
const read = async (): Promise<BusinessCheck> => bodyOf(await t.inject('GET', path, as(owner)))
const decide = async (reason: string | null): Promise<boolean> =>
  decideOnCheck(t.db, { id: (await read()).open?._id ?? '', reason, now: t.clock.now() })
const filesOf = async (): Promise<{ purpose: string; state: string }[]> =>
  (
    await sql<{
      purpose: string
      state: string
    }>`select purpose, state from files where institute_id = ${institute.id} order by id`.execute(t.db)
  ).rows

describe('[R-16] the check of a business', () => {
  it('begins with what stands on invoices, and says what the number of the country is', async () => {
    await sql`update institutes set legal_name = 'Nacre SAS', vat_number = 'FR1' where id = ${institute.id}`.execute(t.db)
    expect(await read()).toEqual({
      countryCode: 'FR',
      onInvoices: { legalName: 'Nacre SAS', vatNumber: 'FR1' },
      accepted: null,
      open: null,
    })
  })

  it('waits with its documents, which are private, and is read by an operator', async () => {
    const answer = await send({}, [extract, ['front.jpg', await plain('jpeg')]])
    expect(answer.status).toBe(201)
    const { open } = bodyOf(answer)
    expect(open).toMatchObject({
      state: 'waiting',
      legalName: 'Nacre SARL',
      registrationNumber: '73282932000074',
      vatNumber: 'FR44732829320',
      countryCode: 'FR',
      decidedAt: null,
      reason: null,
    })
    expect(open?.documents.map(({ name, kind }) => [name, kind])).toEqual([
      ['kbis.pdf', 'document'],
      ['front.jpg', 'image'],
    ])
    const url = open?.documents[0]?.url ?? ''
    expect(url).toMatch(/^\/files\/private\//)
    expect((await t.inject('GET', url)).status).toBe(200)
    expect((await t.inject('GET', url.replace(/\?.*/, ''))).status).toBe(404)
    expect(await waitingChecks(t.db)).toContainEqual(
      expect.objectContaining({ id: open?._id, institute: 'Nacre', email: owner.email, legalName: 'Nacre SARL' }),
    )
  })

  it('is sent once, in two tabs and by a double press; what waits is not written over', async () => {
    const answers = await Promise.all([send(), send({ legalName: 'Other' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const again = await send({ legalName: 'Third' })
    expect([again.status, again.body['code']]).toEqual([409, 'check_waiting'])
    expect((await waitingChecks(t.db)).filter(({ email }) => email === owner.email).length).toBe(1)
    expect((await read()).open?.legalName).not.toBe('Third')
  })

  it('is taken back with its documents, and sent again', async () => {
    const { open } = bodyOf(await send())
    expect(bodyOf(await t.inject('DELETE', path, as(owner))).open).toBeNull()
    expect(await filesOf()).toEqual([])
    expect((await t.inject('GET', open?.documents[0]?.url ?? '')).status).toBe(404)
    expect(await decideOnCheck(t.db, { id: open?._id ?? '', reason: null, now: t.clock.now() })).toBe(false)
    expect((await t.inject('DELETE', path, as(owner))).status).toBe(200)
    expect((await send()).status).toBe(201)
  })

  it('is accepted once; the owner is told, and neither the invoices nor the page of the institute change', async () => {
    await send()
    expect(await decide(null)).toBe(true)
    const state = await read()
    expect(state.open).toBeNull()
    expect(state.accepted).toMatchObject({ state: 'accepted', legalName: 'Nacre SARL', decidedAt: '2026-11-20T11:00:00.000Z' })
    expect(state.onInvoices).toEqual({ legalName: null, vatNumber: null })
    expect(await decideOnCheck(t.db, { id: state.accepted?._id ?? '', reason: 'No', now: t.clock.now() })).toBe(false)
    const page = await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)
    expect(page.text).not.toContain('Nacre SARL')
    const letters = (await t.mails(owner.email)).filter(({ subject }) => subject === 'Your business is verified')
    expect(letters.length).toBe(1)
    const bell = await t.inject('GET', '/api/v1/secure/notifications', { token: owner.token })
    expect(bell.body['items']).toMatchObject([{ title: 'Your business is verified', message: 'Nacre', path: '/verification#business' }])
    const kept = await sql<{ kind: string; actor: unknown }>`select kind, actor from events
      where institute_id = ${institute.id} and kind like 'business_check%' order by at, kind desc`.execute(t.db)
    expect(kept.rows.map(({ kind }) => kind)).toEqual(['business_check.sent', 'business_check.decided'])
    expect(JSON.stringify(kept.rows[1]?.actor)).toContain('npm run admin')
  })

  it('is refused with the reason of the operator, in the words of the owner’s language beside it, and sent again in its place', async () => {
    await sql`update users set locale = 'fr' where id = ${owner.id}`.execute(t.db)
    await send()
    expect(await decide('The extract is older than three months.')).toBe(true)
    expect((await read()).open).toMatchObject({ state: 'refused', reason: 'The extract is older than three months.' })
    const [letter] = await t.mails(owner.email)
    expect(letter?.subject).toBe('Nous n’avons pas pu vérifier votre activité')
    expect(letter?.text).toContain('The extract is older than three months.')
    const bell = await t.inject('GET', '/api/v1/secure/notifications', { token: owner.token, locale: 'ar' })
    expect(bell.body['items']).toMatchObject([{ title: 'تعذّر التحقق من نشاطك', message: 'The extract is older than three months.' }])

    expect(bodyOf(await send({ legalName: 'Nacre Lyon SARL' })).open).toMatchObject({ state: 'waiting', legalName: 'Nacre Lyon SARL' })
    expect((await filesOf()).length).toBe(1)
  })

  it('what was accepted stands while another waits and when that is refused, and goes with the next that is accepted', async () => {
    await send()
    await decide(null)
    await send({ legalName: 'Nacre Group SAS' })
    expect(await read()).toMatchObject({ accepted: { legalName: 'Nacre SARL' }, open: { legalName: 'Nacre Group SAS' } })
    await decide('Not the same number.')
    expect(await read()).toMatchObject({ accepted: { legalName: 'Nacre SARL' }, open: { state: 'refused' } })
    await send({ legalName: 'Nacre Group SAS' })
    await decide(null)
    expect(await read()).toMatchObject({ accepted: { legalName: 'Nacre Group SAS' }, open: null })
    expect((await filesOf()).filter(({ state }) => state === 'used').length).toBe(1)
  })
})

describe('what is refused of it', () => {
  it('a number of another length, one with a wrong digit, and none; each in a sentence', async () => {
    const said = async (registrationNumber: string, locale = 'en') =>
      (await send({ registrationNumber }, [extract], owner, locale)).body['details']?.['fields']?.['registrationNumber']
    expect(await said('732 829 320')).toBe('A SIRET has 14 digits.')
    expect(await said('732 829 320 00075')).toBe('One of these digits is wrong. Compare the number with your document.')
    expect(await said('732 829 320 00075', 'fr')).toBe('Un de ces chiffres est faux. Comparez le numéro avec votre document.')
    expect(await said(' ')).toBe('Please fill this in.')
    expect((await read()).open).toBeNull()
  })

  it('no document, six of them, one that is neither picture nor PDF, one that is too large', async () => {
    expect((await send({}, [])).body).toMatchObject({ code: 'bad_input', details: { fields: { documents: 'Please fill this in.' } } })
    expect(
      (
        await send(
          {},
          [1, 2, 3, 4, 5, 6].map(() => extract),
        )
      ).status,
    ).toBe(400)
    const wrong = await send({}, [extract, ['extract.doc', noise(4000)]])
    expect([wrong.status, Object.keys(wrong.body['details']?.['fields'] ?? {})]).toEqual([415, ['documents.1']])
    expect((await send({}, [['big.pdf', Buffer.concat([pdf(), Buffer.alloc(10_000_001)])]])).status).toBe(413)
    expect((await read()).open).toBeNull()
  })

  it('whoever is not its owner: managers, reception and staff 403, people of another institute and clients 404', async () => {
    await send()
    for (const level of ['manager', 'reception', 'staff'] as const) {
      const person = await makePerson(t.db, institute.id, level)
      expect((await t.inject('GET', path, as(person))).status).toBe(403)
      expect((await send({}, [extract], person)).status).toBe(403)
      expect((await t.inject('DELETE', path, as(person))).status).toBe(403)
    }
    const other = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: other.id })
    for (const stranger of [other, await makeUser(t.db)]) {
      expect((await t.inject('GET', path, as(stranger))).status).toBe(404)
      expect((await send({}, [extract], stranger)).status).toBe(404)
    }
    expect((await t.inject('GET', path)).status).toBe(401)
    expect((await read()).open?.state).toBe('waiting')
  })
})
