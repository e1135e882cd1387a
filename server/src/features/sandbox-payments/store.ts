/** What the sandbox has stored: pages, refunds, and words it still has to tell. */
import { type Locale, locales, type PaymentMethod, paymentMethods } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const pageStates = ['open', 'paid', 'failed', 'cancelled', 'expired', 'asks'] as const
/** How a card that was kept answers when it is charged. */
export const cardKinds = ['good', 'asking', 'empty'] as const
export const disputeStates = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof disputeStates)[number]
export type CardKind = (typeof cardKinds)[number]
const pageRow = {
  id: c.uuid,
  checkoutId: c.text,
  amount: c.int,
  currency: c.text,
  method: c.oneOf(paymentMethods),
  description: c.text,
  locale: c.oneOf(locales),
  returnUrl: c.text,
  until: c.instant,
  state: c.oneOf(pageStates),
  reference: orNull(c.text),
  keepsCard: c.bool,
  /** Nobody saw it: a card that was kept is charged. */
  isCharge: c.bool,
  card: orNull(c.oneOf(cardKinds)),
  /** What the bank of who paid says of it. */
  dispute: orNull(c.oneOf(disputeStates)),
}
export type StoredPage = RowOf<typeof pageRow>
const columns = sql`id, checkout_id as "checkoutId", amount, currency, method, description, locale, return_url as "returnUrl", until, state, reference, keeps_card as "keepsCard", is_charge as "isCharge", card, dispute`

interface NewPage {
  key: string
  checkoutId: string
  /** How the site calls the institute it takes money for. */
  institute: string
  amount: number
  currency: string
  method: PaymentMethod
  description: string
  locale: Locale
  returnUrl: string
  until: Date
  keepsCard: boolean
  now: Date
}
const somePage: NewPage = {
  key: 'k',
  checkoutId: 'c',
  institute: 'i',
  amount: 1,
  currency: 'EUR',
  method: 'card',
  description: 'd',
  locale: 'en',
  returnUrl: 'u',
  until: new Date(1),
  keepsCard: false,
  now: new Date(0),
}
const insertPage = statement(
  { name: 'sandboxPayments.insertPage', row: {}, tries: [somePage] },
  ({ key, checkoutId, institute, amount, currency, method, description, locale, returnUrl, until, keepsCard, now }: NewPage) =>
    sql`insert into sandbox_pages (key, checkout_id, institute, amount, currency, method, description, locale, return_url, until, keeps_card, created_at)
      values (${key}, ${checkoutId}, ${institute}, ${amount}, ${currency}, ${method}, ${description}, ${locale}, ${returnUrl}, ${until}, ${keepsCard}, ${now})
      on conflict (key) do nothing`,
)
const byKey = statement(
  { name: 'sandboxPayments.pageByKey', row: { id: c.uuid }, tries: ['k'] },
  (key: string) => sql`select id from sandbox_pages where key = ${key}`,
)
/** The page of a key, made when there is none. */
export async function putPage(db: Db, page: NewPage): Promise<string> {
  await insertPage.run(db, page)
  const found = await byKey.one(db, page.key)
  if (!found) throw new Error('the page is gone')
  return found.id
}

const page = statement(
  { name: 'sandboxPayments.page', row: pageRow, tries: [someId] },
  (id: string) => sql`select ${columns} from sandbox_pages where id = ${id}`,
)
export const findPage = (db: Db, id: string): Promise<StoredPage | null> => page.one(db, id)

interface Settling {
  id: string
  state: 'paid' | 'failed' | 'cancelled' | 'expired'
  reference: string | null
  card: CardKind | null
  now: Date
}
const settle = statement(
  { name: 'sandboxPayments.settle', row: pageRow, tries: [{ id: someId, state: 'paid', reference: 'r', card: null, now: new Date(0) }] },
  ({ id, state, reference, card, now }: Settling) =>
    sql`update sandbox_pages set state = ${state}, reference = ${reference}, card = ${card} where id = ${id} and state = 'open' and until > ${now} returning ${columns}`,
)
/** What an open page becomes; null when it is open no more, so that of two who press at once one is heard. */
export const settlePage = (db: Db, settling: Settling): Promise<StoredPage | null> => settle.one(db, settling)

const dispute = statement(
  { name: 'sandboxPayments.dispute', row: pageRow, tries: [{ id: someId, state: 'open' as DisputeState, now: new Date(0) }] },
  ({ id, state, now }: { id: string; state: DisputeState; now: Date }) => sql`update sandbox_pages set dispute = ${state},
      disputed_at = case when ${state} = 'open' then ${now} else disputed_at end, dispute_ended_at = case when ${state} = 'open' then null else ${now}::timestamptz end
    where id = ${id} and state = 'paid' and amount > 0 and case when ${state} = 'open' then dispute is null else dispute = 'open' end returning ${columns}`,
)
/** What the bank says next of a payment; null where that cannot be. */
export const disputePage = (db: Db, asked: { id: string; state: DisputeState; now: Date }): Promise<StoredPage | null> =>
  dispute.one(db, asked)

interface NewCharge {
  key: string
  checkoutId: string
  institute: string
  amount: number
  currency: string
  description: string
  state: 'paid' | 'failed' | 'asks'
  card: CardKind
  now: Date
}
const insertCharge = statement(
  {
    name: 'sandboxPayments.insertCharge',
    row: {},
    tries: [
      {
        key: 'k',
        checkoutId: 'c',
        institute: 'i',
        amount: 1,
        currency: 'EUR',
        description: 'd',
        state: 'failed' as 'paid' | 'failed' | 'asks',
        card: 'good' as CardKind,
        now: new Date(0),
      },
    ],
  },
  ({ key, checkoutId, institute, amount, currency, description, state, card, now }: NewCharge) => sql`
    insert into sandbox_pages (key, checkout_id, institute, amount, currency, method, description, locale, return_url, until, state, reference, is_charge, card, created_at)
    values (${key}, ${checkoutId}, ${institute}, ${amount}, ${currency}, 'card', ${description}, 'en', '', ${now}, ${state},
      case when ${state} = 'paid' then 'sandbox_charge_' || md5(${key}) end, true, ${card}, ${now}) on conflict (key) do nothing`,
)
const chargeByKey = statement(
  { name: 'sandboxPayments.chargeByKey', row: pageRow, tries: ['k'] },
  (key: string) => sql`select ${columns} from sandbox_pages where key = ${key} and is_charge`,
)
/** The charge of a key, and whether it was made now. */
export async function putCharge(db: Db, charge: NewCharge): Promise<{ charge: StoredPage; isNew: boolean }> {
  const isNew = (await insertCharge.run(db, charge)) > 0
  const found = await chargeByKey.one(db, charge.key)
  if (!found) throw new Error('the charge is gone')
  return { charge: found, isNew }
}

const expire = statement(
  { name: 'sandboxPayments.expire', row: pageRow, tries: [new Date(0)] },
  (now: Date) => sql`update sandbox_pages set state = 'expired' where id in (
    select id from sandbox_pages where state = 'open' and until <= ${now} order by until limit 200 for update skip locked) returning ${columns}`,
)
/** Those on which nobody pressed anything in time. */
export const expirePages = (db: Db, now: Date): Promise<StoredPage[]> => expire.all(db, now)

const paid = statement(
  { name: 'sandboxPayments.lockPaid', row: pageRow, tries: ['r'] },
  (reference: string) => sql`select ${columns} from sandbox_pages where reference = ${reference} for update`,
)
/** A payment, which nobody else gives back from meanwhile. */
export const lockPaid = (db: Db, reference: string): Promise<StoredPage | null> => paid.one(db, reference)

const refundRow = { id: c.uuid, amount: c.int, state: c.oneOf(['done', 'waiting']) }
const refundByKey = statement(
  { name: 'sandboxPayments.refundByKey', row: refundRow, tries: ['k'] },
  (key: string) => sql`select id, amount, state from sandbox_refunds where key = ${key}`,
)
export const findRefund = (db: Db, key: string): Promise<RowOf<typeof refundRow> | null> => refundByKey.one(db, key)

const refunded = statement(
  { name: 'sandboxPayments.refunded', row: { total: known(c.count) }, tries: [someId] },
  (pageId: string) => sql`select coalesce(sum(amount), 0)::int as total from sandbox_refunds where page_id = ${pageId}`,
)
export const refundedOf = async (db: Db, pageId: string): Promise<number> => (await refunded.one(db, pageId))?.total ?? 0

interface NewRefund {
  key: string
  pageId: string
  refundId: string
  amount: number
  state: 'done' | 'waiting'
  now: Date
}
const insertRefund = statement(
  {
    name: 'sandboxPayments.insertRefund',
    row: refundRow,
    tries: [{ key: 'k', pageId: someId, refundId: 'r', amount: 1, state: 'done', now: new Date(0) }],
  },
  ({ key, pageId, refundId, amount, state, now }: NewRefund) =>
    sql`insert into sandbox_refunds (key, page_id, refund_id, amount, state, created_at)
      values (${key}, ${pageId}, ${refundId}, ${amount}, ${state}, ${now}) returning id, amount, state`,
)
export async function addRefund(db: Db, refund: NewRefund): Promise<RowOf<typeof refundRow>> {
  const added = await insertRefund.one(db, refund)
  if (!added) throw new Error('no refund was written')
  return added
}

const moveRow = {
  kind: known(c.oneOf(['payment', 'refund'] as const)),
  reference: known(c.text),
  paymentReference: known(c.text),
  ownId: known(c.text),
  amount: known(c.int),
  currency: known(c.text),
  at: known(c.instant),
}
const moves = statement(
  { name: 'sandboxPayments.moves', row: moveRow, tries: [{ from: new Date(0), until: new Date(1) }] },
  ({ from, until }: { from: Date; until: Date }) => sql`
    select 'payment' as kind, p.reference, p.reference as "paymentReference", p.checkout_id as "ownId", p.amount, p.currency, p.created_at as at from sandbox_pages p
      where p.state = 'paid' and p.amount > 0 and p.created_at >= ${from} and p.created_at < ${until}
    union all select 'refund', r.id::text, p.reference, r.refund_id, r.amount, p.currency, r.created_at from sandbox_refunds r join sandbox_pages p on p.id = r.page_id
      where r.created_at >= ${from} and r.created_at < ${until} order by 7, 2`,
)
/** What came and went back, of what was begun between two instants. */
export const movesBetween = (db: Db, from: Date, until: Date): Promise<RowOf<typeof moveRow>[]> => moves.all(db, { from, until })

const houseMoveRow = {
  kind: known(c.oneOf(['payment', 'refund', 'dispute'] as const)),
  reference: known(c.text),
  paymentReference: known(c.text),
  method: known(c.oneOf(paymentMethods)),
  /** Below 0 where it went away. */
  amount: known(c.int),
  currency: known(c.text),
  at: known(c.instant),
}
/** Money of one institute, as it came and went. */
export type HouseMove = RowOf<typeof houseMoveRow>
const ofInstitute = statement(
  { name: 'sandboxPayments.movesOfInstitute', row: houseMoveRow, tries: ['i'] },
  (
    institute: string,
  ) => sql`with mine as (select * from sandbox_pages p where p.institute = ${institute} and p.state = 'paid' and p.amount > 0)
    select 'payment' as kind, p.reference, p.reference as "paymentReference", p.method, p.amount, p.currency, p.created_at as at from mine p
    union all select 'refund', r.id::text, p.reference, p.method, -r.amount, p.currency, r.created_at from sandbox_refunds r join mine p on p.id = r.page_id
    union all select 'dispute', 'dispute_' || p.reference, p.reference, p.method, -p.amount, p.currency, p.disputed_at from mine p where p.disputed_at is not null
    union all select 'dispute', 'dispute_won_' || p.reference, p.reference, p.method, p.amount, p.currency, p.dispute_ended_at from mine p
      where p.dispute = 'won' and p.disputed_at is not null
    order by 7, 2`,
)
export const movesOfInstitute = (db: Db, institute: string): Promise<HouseMove[]> => ofInstitute.all(db, institute)

interface NewWord {
  body: object
  now: Date
  dueAt: Date
}
const insertWord = statement(
  { name: 'sandboxPayments.insertWord', row: {}, tries: [{ body: {}, now: new Date(0), dueAt: new Date(0) }] },
  ({ body, now, dueAt }: NewWord) =>
    sql`insert into sandbox_words (happened_at, body, due_at) values (${now}, ${JSON.stringify(body)}::json, ${dueAt})`,
)
export const addWord = async (db: Db, word: NewWord): Promise<void> => void (await insertWord.run(db, word))

const wordRow = { id: c.uuid, happenedAt: c.instant, body: c.json<Record<string, unknown>>(), told: c.int, failed: c.int }
export type StoredWord = RowOf<typeof wordRow>
const take = statement(
  { name: 'sandboxPayments.takeWords', row: wordRow, tries: [{ now: new Date(0), again: new Date(1) }] },
  ({ now, again }: { now: Date; again: Date }) => sql`with taken as (update sandbox_words set due_at = ${again} where id in (
      select id from sandbox_words where due_at <= ${now} order by due_at, id limit 100 for update skip locked)
    returning id, happened_at as "happenedAt", body, told, failed) select * from taken order by id`,
)
/** Words to tell now; they are due again at `again`, should whoever tells them die. */
export const takeWords = (db: Db, now: Date, again: Date): Promise<StoredWord[]> => take.all(db, { now, again })

const note = statement(
  { name: 'sandboxPayments.noteWord', row: {}, tries: [{ id: someId, heard: true, dueAt: null }] },
  ({ id, heard, dueAt }: { id: string; heard: boolean; dueAt: Date | null }) =>
    sql`update sandbox_words set told = told + (${heard}::boolean)::int, failed = failed + (not ${heard}::boolean)::int, due_at = ${dueAt} where id = ${id}`,
)
/** How telling a word went, and when it is told again. */
export const noteWord = async (db: Db, noted: { id: string; heard: boolean; dueAt: Date | null }): Promise<void> =>
  void (await note.run(db, noted))

const next = statement(
  { name: 'sandboxPayments.nextDue', row: { at: orNull(c.instant) } },
  () => sql`select min(due_at) as at from sandbox_words where due_at is not null`,
)
export const nextDue = async (db: Db): Promise<string | null> => (await next.one(db))?.at ?? null
