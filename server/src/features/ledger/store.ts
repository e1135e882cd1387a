/** Sales, documents, payments and the ledger, as they are written. Nothing here is ever changed but when a sale was last touched. */
import type { SaleMethod } from '@soigne/contract/sales'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Actor } from '#/platform/access.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { Posting } from './postings.ts'
import type { SealedDocument, SealedLine } from './sealing.ts'

export interface NewSale {
  id: string
  appointmentId: string | null
  customerId: string | null
  currency: string
}
interface OfUnit {
  instituteId: string
  now: Date
}
const someUnit: OfUnit = { instituteId: someId, now: new Date(0) }
const ofUnit = (unit: Unit): OfUnit => ({ instituteId: unit.instituteId, now: new Date(unit.now) })

const touch = statement(
  {
    name: 'ledger.touchSale',
    row: {},
    tries: [{ ...someUnit, id: someId, appointmentId: null, customerId: null, currency: 'EUR' }],
  },
  ({ instituteId, now, id, appointmentId, customerId, currency }: OfUnit & NewSale) => sql`
    insert into sales as s (id, institute_id, appointment_id, customer_id, currency, sold_at) values (${id}, ${instituteId}, ${appointmentId}, ${customerId}, ${currency}, ${now})
    on conflict (id) do update set sold_at = excluded.sold_at where s.institute_id = excluded.institute_id`,
)
/** Made where it is not there yet. */
export const touchSale = async (unit: Unit, sale: NewSale): Promise<void> => {
  if ((await touch.run(unit.db, { ...ofUnit(unit), ...sale })) !== 1) throw new Error(`sale ${sale.id} is of another institute`)
}

const next = statement(
  { name: 'ledger.nextNumber', row: { last: c.int }, tries: [{ instituteId: someId, kind: 'invoice', year: 2026 }] },
  ({ instituteId, kind, year }: { instituteId: string; kind: string; year: number }) => sql`
    insert into document_series as s (institute_id, kind, year, last) values (${instituteId}, ${kind}, ${year}, 1)
    on conflict (institute_id, kind, year) do update set last = s.last + 1 returning last`,
)
/** The number of the next document of its kind and year; whoever else wants one waits until this transaction has ended. */
export const nextNumber = async (unit: Unit, kind: string, year: number): Promise<number> => {
  const row = await next.one(unit.db, { instituteId: unit.instituteId, kind, year })
  if (!row) throw new Error('a document has no number')
  return row.last
}

const chain = statement(
  { name: 'ledger.endOfChain', row: { position: c.int, hash: c.bytes }, tries: [someId] },
  (instituteId: string) => sql`select position, hash from document_chains where institute_id = ${instituteId} for update`,
)
export const endOfChain = (unit: Unit): Promise<{ position: number; hash: Buffer } | null> => chain.one(unit.db, unit.instituteId)

export interface Issued extends SealedDocument {
  id: string
  actor: Actor
  previousHash: Buffer
  hash: Buffer
}
type NewLine = SealedLine & { id: string }

const someDocument: Issued & { instituteId: string } = {
  instituteId: someId,
  id: someId,
  saleId: someId,
  kind: 'invoice',
  year: 2026,
  number: 1,
  corrects: null,
  issuedAt: '',
  day: '2026-01-01',
  currency: 'EUR',
  total: 1,
  vat: 1,
  parties: {},
  reason: null,
  actor: { kind: 'system', job: 'some' },
  position: 1,
  lines: [],
  previousHash: Buffer.alloc(32),
  hash: Buffer.alloc(32),
}
const insert = statement(
  { name: 'ledger.insertDocument', row: {}, tries: [someDocument] },
  (d: Issued & { instituteId: string }) => sql`with end_of as (
      insert into document_chains (institute_id, position, hash) values (${d.instituteId}, ${d.position}, ${d.hash})
      on conflict (institute_id) do update set position = excluded.position, hash = excluded.hash)
    insert into documents (id, institute_id, sale_id, kind, year, number, corrects, issued_at, day, currency, total, vat, parties, reason, actor, position, previous_hash, hash)
    values (${d.id}, ${d.instituteId}, ${d.saleId}, ${d.kind}, ${d.year}, ${d.number}, ${d.corrects}, ${d.issuedAt}, ${d.day}, ${d.currency}, ${d.total}, ${d.vat},
      ${JSON.stringify(d.parties)}::jsonb, ${d.reason}, ${JSON.stringify(d.actor)}::jsonb, ${d.position}, ${d.previousHash}, ${d.hash})`,
)
const insertLines = statement(
  { name: 'ledger.insertLines', row: {}, tries: [{ instituteId: someId, documentId: someId, lines: [] }] },
  ({ instituteId, documentId, lines }: { instituteId: string; documentId: string; lines: readonly NewLine[] }) => sql`
    insert into document_lines (id, document_id, institute_id, position, kind, name, service_id, product_id, member_id, member_name, quantity, amount, vat_basis_points, vat, corrects)
    select l.id, ${documentId}, ${instituteId}, l.position, l.kind, l.name, l."serviceId", l."productId", l."memberId", l."memberName", l.quantity, l.amount,
      l."vatBasisPoints", l.vat, l.corrects
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l(id uuid, position smallint, kind text, name jsonb, "serviceId" uuid, "productId" uuid, "memberId" uuid,
      "memberName" text, quantity smallint, amount integer, "vatBasisPoints" integer, vat integer, corrects uuid)`,
)
export async function insertDocument(unit: Unit, document: Issued, lines: readonly NewLine[]): Promise<void> {
  const { instituteId } = unit
  await insert.run(unit.db, { ...document, instituteId })
  await insertLines.run(unit.db, { instituteId, documentId: document.id, lines })
}

export interface NewPayment {
  saleId: string
  kind: 'deposit' | 'payment' | 'refund'
  method: SaleMethod
  amount: number
  currency: string
  day: string
  actor: Actor
  documentId?: string
  checkoutId?: string
  reference?: string
}
const pay = statement(
  {
    name: 'ledger.insertPayment',
    row: {},
    tries: [
      {
        ...someUnit,
        saleId: someId,
        kind: 'payment',
        method: 'cash',
        amount: 1,
        currency: 'EUR',
        day: '2026-01-01',
        actor: someDocument.actor,
      },
    ],
  },
  (
    p: OfUnit & NewPayment,
  ) => sql`insert into payments (institute_id, sale_id, kind, method, amount, currency, at, day, actor, document_id, checkout_id, reference)
    values (${p.instituteId}, ${p.saleId}, ${p.kind}, ${p.method}, ${p.amount}, ${p.currency}, ${p.now}, ${p.day}, ${JSON.stringify(p.actor)}::jsonb,
      ${p.documentId ?? null}, ${p.checkoutId ?? null}, ${p.reference ?? null})`,
)
export const insertPayment = async (unit: Unit, payment: NewPayment): Promise<void> =>
  void (await pay.run(unit.db, { ...ofUnit(unit), ...payment }))

interface NewKept {
  saleId: string
  amount: number
  currency: string
  day: string
}
const keeps = statement(
  { name: 'ledger.insertKept', row: {}, tries: [{ ...someUnit, saleId: someId, amount: 1, currency: 'EUR', day: '2026-01-01' }] },
  ({ instituteId, now, saleId, amount, currency, day }: OfUnit & NewKept) => sql`
    insert into kept_deposits (institute_id, sale_id, nth, amount, currency, at, day)
    select ${instituteId}, ${saleId}, coalesce(max(k.nth), 0) + 1, ${amount}, ${currency}, ${now}, ${day} from kept_deposits k where k.sale_id = ${saleId}`,
)
/** What was kept last is taken back before anything is kept again; the database refuses another turn. */
export const insertKept = async (unit: Unit, one: NewKept): Promise<void> => void (await keeps.run(unit.db, { ...ofUnit(unit), ...one }))

const keptNow = statement(
  { name: 'ledger.kept', row: { amount: known(c.count) }, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: { instituteId: string; saleId: string }) => sql`
    select coalesce(sum(k.amount), 0)::int8 as amount from kept_deposits k where k.sale_id = ${saleId} and k.institute_id = ${instituteId}`,
)
/** What of a sale is kept and was not taken back. */
export const keptOf = async (unit: Unit, saleId: string): Promise<number> =>
  (await keptNow.one(unit.db, { instituteId: unit.instituteId, saleId }))?.amount ?? 0

interface NewFeePayment {
  saleId: string
  feeId: string
  checkoutId: string
  amount: number
  currency: string
  day: string
  actor: Actor
}
const payFee = statement(
  {
    name: 'ledger.insertFeePayment',
    row: {},
    tries: [
      {
        ...someUnit,
        saleId: someId,
        feeId: someId,
        checkoutId: someId,
        amount: 1,
        currency: 'EUR',
        day: '2026-01-01',
        actor: someDocument.actor,
      },
    ],
  },
  ({ instituteId, now, saleId, feeId, checkoutId, amount, currency, day, actor }: OfUnit & NewFeePayment) => sql`
    insert into fee_payments (institute_id, sale_id, fee_id, checkout_id, amount, currency, at, day, actor)
    values (${instituteId}, ${saleId}, ${feeId}, ${checkoutId}, ${amount}, ${currency}, ${now}, ${day}, ${JSON.stringify(actor)}::jsonb)`,
)
export const insertFeePayment = async (unit: Unit, one: NewFeePayment): Promise<void> =>
  void (await payFee.run(unit.db, { ...ofUnit(unit), ...one }))

interface NewTip {
  saleId: string
  memberId: string
  amount: number
  day: string
}
const tip = statement(
  { name: 'ledger.insertTip', row: {}, tries: [{ instituteId: someId, saleId: someId, memberId: someId, amount: 1, day: '2026-01-01' }] },
  (t: NewTip & { instituteId: string }) =>
    sql`insert into tips (institute_id, sale_id, member_id, amount, day) values (${t.instituteId}, ${t.saleId}, ${t.memberId}, ${t.amount}, ${t.day})`,
)
export const insertTip = async (unit: Unit, one: NewTip): Promise<void> =>
  void (await tip.run(unit.db, { instituteId: unit.instituteId, ...one }))

interface Entry {
  saleId: string
  currency: string
  postings: readonly Posting[]
}
const post = statement(
  { name: 'ledger.post', row: {}, tries: [{ ...someUnit, saleId: someId, currency: 'EUR', postings: [] }] },
  ({ instituteId, now, saleId, currency, postings }: OfUnit & Entry) => sql`
    insert into ledger_lines (institute_id, entry, sale_id, at, account, amount, currency)
    select ${instituteId}, e.id, ${saleId}, ${now}, l.account, l.amount, ${currency}
    from (select gen_random_uuid() as id) e, jsonb_to_recordset(${JSON.stringify(postings)}::jsonb) as l(account text, amount bigint)`,
)
/** One entry; the database refuses one that does not add up. */
export async function postEntry(unit: Unit, entry: Entry): Promise<void> {
  if (entry.postings.length > 0) await post.run(unit.db, { ...ofUnit(unit), ...entry })
}

const sums = { paid: known(c.count), tips: known(c.count), closedDays: known(c.count) }
const standing = statement(
  { name: 'ledger.standing', row: sums, tries: [{ instituteId: someId, saleId: someId, day: '2026-01-01' }] },
  ({ instituteId, saleId, day }: { instituteId: string; saleId: string; day: string }) => sql`select
    (select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0)::int8 from payments p where p.sale_id = ${saleId} and p.institute_id = ${instituteId}) as paid,
    (select coalesce(sum(t.amount), 0)::int8 from tips t where t.sale_id = ${saleId} and t.institute_id = ${instituteId}) as tips,
    (select count(*) from till_closings c where c.institute_id = ${instituteId} and c.day = ${day}) as "closedDays"`,
)
/** What came for a sale less what went back, the tips in it, and whether the till of a day is closed. */
export async function standingOf(unit: Unit, saleId: string, day: string): Promise<{ paid: number; tips: number; isTillClosed: boolean }> {
  const row = await standing.one(unit.db, { instituteId: unit.instituteId, saleId, day })
  return { paid: row?.paid ?? 0, tips: row?.tips ?? 0, isTillClosed: (row?.closedDays ?? 0) > 0 }
}

const aboutRow = {
  timeZone: c.text,
  currency: c.text,
  countryCode: c.text,
  vatBasisPoints: orNull(c.int),
  name: c.text,
  legalName: orNull(c.text),
  vatNumber: orNull(c.text),
  address: known(c.text),
}
export type Seller = RowOf<typeof aboutRow>
const about = statement(
  { name: 'ledger.seller', row: aboutRow, tries: [someId] },
  (
    id: string,
  ) => sql`select i.time_zone as "timeZone", i.currency, i.country_code as "countryCode", i.vat_basis_points as "vatBasisPoints", i.name,
      i.legal_name as "legalName", i.vat_number as "vatNumber",
      concat_ws(', ', nullif(i.address_line, ''), nullif(concat_ws(' ', i.postal_code, i.city), '')) as address
    from institutes i where i.id = ${id}`,
)
export async function sellerOf(unit: Unit): Promise<Seller> {
  const row = await about.one(unit.db, unit.instituteId)
  if (!row) throw new Error('an institute of a unit is gone')
  return row
}
