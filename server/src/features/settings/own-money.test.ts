/** What somebody takes along of their money and their pictures, and that nothing of anybody else is with it. */
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { asksFor, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { halves, pdf } from '#/testing/pictures.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { ownDataOf } from '#/testing/zip-files.ts'

const secure = '/api/v1/secure'
const salon = `${secure}/mysalon`

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [{ name: 'Cut', active: 40, price: 4200 }]
  institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Dar Zellige', services, cancelWindow: 1440 })
})

async function told<T>(path: string, body: object, token = owner.token): Promise<T> {
  const answer = await t.inject('POST', path, { token, body })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body as T
}
interface Sold {
  _id: string
  lines: { _id: string }[]
}
const recordOf = async ({ id }: MadeUser): Promise<string> =>
  (await sql<{ id: string }>`select id from customers where institute_id = ${institute.id} and user_id = ${id}`.execute(t.db)).rows[0]
    ?.id ?? ''
const cash = (amount: number) => [{ method: 'cash', amount }]
/** The sums of what is told, so that nothing is there twice or of another. */
const amounts = (rows: Record<string, unknown>[] | undefined, of = 'amount') => rows?.map((row) => row[of])

/** Pays a deposit online and the rest at the counter with a tip, gets something back; cancels another in time; buys a gift card and a package. */
async function spends(
  client: MadeUser,
  [first, second]: [string, string],
  { deposit, card }: { deposit: number; card: number },
): Promise<void> {
  await asksFor(t, institute, 'fixed', deposit)
  const visit = await paidVisit(t, client, institute, { startsAt: first })
  const tips = [{ staffId: institute.members[0], amount: 300 }]
  const payments = cash(4200 - deposit + 300)
  const sale = await told<Sold>(`${salon}/appointments/${visit}/till`, { lines: [{ segment: 0 }], tips, payments })
  const back = { lines: [{ _id: sale.lines[0]?._id, amount: 1000 }], method: 'cash', reason: 'Too short' }
  await told(`${salon}/sales/${sale._id}/credit-notes`, back)
  await cancelled(t, client, await paidVisit(t, client, institute, { startsAt: second }))
  await isBalanced(t)
  const five = { name: 'Five cuts', sessions: 5, months: 6, price: 17_333, serviceIds: institute.services.slice(0, 1) }
  const { _id: packageId } = await told<{ _id: string }>(`${salon}/packages`, five)
  const customerId = await recordOf(client)
  await told(`${salon}/sales`, { lines: [{ giftCard: true, amount: card }], payments: cash(card), customerId })
  await told(`${salon}/sales`, { lines: [{ packageId }], payments: cash(17_333), customerId })
}

describe('the money of one’s own data', () => {
  it('[R-14] has invoices with their lines, what was paid online and at the counter, what went back, gift cards and packages; each their own', async () => {
    const [salma, ines] = [await makeUser(t.db, { firstName: 'Salma' }), await makeUser(t.db, { firstName: 'Ines' })]
    await spends(salma, [wall('2026-11-24T10:00'), wall('2026-11-25T10:00')], { deposit: 1500, card: 10_000 })
    await spends(ines, [wall('2026-11-24T14:00'), wall('2026-11-25T14:00')], { deposit: 1600, card: 20_000 })
    const { data, text } = await ownDataOf(t, salma)
    expect(data['invoices']).toEqual([
      expect.objectContaining({
        institute: 'Dar Zellige',
        number: 'F-2026-0001',
        kind: 'invoice',
        total: 4200,
        vat: 700,
        client: 'Salma Benali',
      }),
      expect.objectContaining({ number: 'A-2026-0001', kind: 'credit_note', corrects: 'F-2026-0001', total: -1000, reason: 'Too short' }),
      expect.objectContaining({ number: 'F-2026-0002', total: 10_000, vat: 0 }),
      expect.objectContaining({ number: 'F-2026-0003', total: 17_333 }),
    ])
    expect(data['invoices']?.[0]?.['lines']).toEqual([expect.objectContaining({ kind: 'service', quantity: 1, amount: 4200, vat: 700 })])
    expect(data['paid']?.map(({ kind, method, amount }) => [kind, method, amount])).toEqual([
      ['deposit', 'card', 1500],
      ['payment', 'cash', 3000],
      ['refund', 'cash', 1000],
      ['deposit', 'card', 1500],
      ['refund', 'card', 1500],
      ['payment', 'cash', 10_000],
      ['payment', 'cash', 17_333],
    ])
    expect(data['refunds']).toEqual([expect.objectContaining({ amount: 1500, reason: 'cancelled_by_client', state: 'done' })])
    expect(amounts(data['tips'])).toEqual([300])
    expect(data['giftCards']).toEqual([expect.objectContaining({ amount: 10_000, left: 10_000, ending: expect.stringMatching(/^.{4}$/) })])
    expect(data['packages']).toEqual([expect.objectContaining({ name: 'Five cuts', sessionsLeft: 5 })])
    expect(text).not.toContain('Ines')
    const theirs = await ownDataOf(t, ines)
    expect(amounts(theirs.data['invoices'], 'number')).toEqual(['F-2026-0004', 'A-2026-0002', 'F-2026-0005', 'F-2026-0006'])
    expect(amounts(theirs.data['refunds'])).toEqual([1600])
    const { rows } = await sql<{ code: string }>`select code from gift_cards where institute_id = ${institute.id}`.execute(t.db)
    for (const { code } of rows) expect(text.includes(code)).toBe(false)
  })

  it('has nothing of a visit of another account, whoever’s record its money names', async () => {
    const [salma, ines] = [await makeUser(t.db, { firstName: 'Salma' }), await makeUser(t.db, { firstName: 'Ines' })]
    await bookVisit(t, salma, institute, { startsAt: wall('2026-11-24T10:00') })
    const visit = await bookVisit(t, ines, institute, { startsAt: wall('2026-11-24T14:00') })
    await told(`${salon}/appointments/${visit._id}/till`, { lines: [{ segment: 0 }], payments: cash(4200) })
    await sql`update sales set customer_id = ${await recordOf(salma)} where id = ${visit._id}`.execute(t.db)
    expect((await ownDataOf(t, salma)).data).toMatchObject({ invoices: [], paid: [] })
    expect((await ownDataOf(t, ines)).data).toMatchObject({ invoices: [{ total: 4200 }], paid: [{ amount: 4200 }] })
  })
})

describe('the pictures of one’s own data', () => {
  const form = async (fields: Record<string, string | Buffer>) => {
    const made = new FormData()
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') made.append(name, value)
      else made.append(name, new Blob([new Uint8Array(value)]), 'file')
    const request = new Response(made)
    return { payload: Buffer.from(await request.arrayBuffer()), headers: { 'content-type': request.headers.get('content-type') ?? '' } }
  }
  async function sends(who: MadeUser, method: 'POST' | 'PUT', path: string, fields: Record<string, string | Buffer>): Promise<void> {
    const answer = await t.inject(method, `${secure}${path}`, { token: who.token, ...(await form(fields)) })
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  }
  const picture = (width: number): Promise<Buffer> => halves(width, width).png().toBuffer()
  const widthOf = async (bytes: Buffer | undefined): Promise<number | undefined> => (await sharp(bytes).metadata()).width

  it('[R-14] lie beside the texts, which say where: of a profile, a conversation and a review; what others sent does not', async () => {
    const client = await makeUser(t.db)
    await sends(client, 'PUT', '/client/profile/image', { image: await picture(600) })
    const { body: chat } = await t.inject('POST', `${secure}/chats`, { token: client.token, body: { instituteId: institute.id } })
    const chatId = String(chat['_id'])
    await sends(client, 'POST', '/messages', { chatId, clientId: 'a-picture-of-mine', file: await picture(300) })
    await sends(client, 'POST', '/messages', { chatId, clientId: 'a-document-of-mine', file: pdf() })
    await sends(owner, 'POST', '/messages', { chatId, clientId: 'a-picture-of-theirs', file: await picture(200) })
    const visit = await makeVisit(t.db, {
      userId: client.id,
      instituteId: institute.id,
      startsAt: '2026-11-10T09:00:00Z',
      attendance: 'done',
    })
    const grades = { welcoming: '5', hygiene: '5', atmosphere: '4', serviceQuality: '4', text: 'Kind' }
    await sends(client, 'POST', `/appointments/${visit}/review`, { ...grades, pictures: await picture(400) })
    const { data, files } = await ownDataOf(t, client)
    const place = (of: unknown): Buffer | undefined => files.get(String(of))
    expect(await widthOf(place(data['profile']?.[0]?.['picture']))).toBe(512)
    const messages = data['conversations']?.[0]?.['messages'] as { from: string; kept: string | null }[]
    expect(messages.map(({ from, kept }) => [from, kept !== null])).toEqual([
      ['client', true],
      ['client', true],
      ['institute', false],
    ])
    expect(await widthOf(place(messages[0]?.kept))).toBe(300)
    expect(place(messages[1]?.kept)?.equals(pdf())).toBe(true)
    expect(await widthOf(place((data['reviews']?.[0]?.['pictures'] as string[] | undefined)?.[0]))).toBe(400)
    expect(data['files']?.map(({ kept }) => kept).toSorted()).toEqual([...files.keys()].toSorted())
    expect(files.size).toBe(4)
    expect((await ownDataOf(t, owner)).files.size).toBe(1)
  })
})
