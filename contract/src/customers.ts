/** Customer records: what one institute knows of its clients. Nothing of it is ever seen by another. */
import * as z from 'zod/mini'
import { attendance, status } from './appointments.ts'
import { importFile, importReport } from './customer-imports.ts'
import { defineCalls } from './define.ts'
import { phone } from './session.ts'
import { email, id, locales, message, money, pageOf, pageQuery, personName, searchText, text } from './wire.ts'

/** Orders of the list. `recent`: whoever came or was added last. */
export const customerSorts = ['name', 'recent', 'next', 'visits', 'spend'] as const
/** Whom the list is narrowed to. `new`: at most one visit; `regular`: four and more; `away`: none for 90 days and none to come; `noShows`: missed one; `blocked`. */
export const customerFilters = ['new', 'regular', 'away', 'noShows', 'blocked'] as const

/** Whoever has come so often is a regular. */
export const regularVisits = 4
/** Days without a visit after which somebody counts as away. */
export const awayDays = 90
/** Most tags of one record, and how long each may be. */
export const mostTags = 20
/** A word an institute sorts its clients by. */
export const customerTag = text(40)

/** A record in the list, and in the search of a booking form. Nothing restricted is in it. */
export const customerRow = z.object({
  _id: z.string(),
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** Of the account, where there is one with a picture. */
  imageUrl: z.nullable(z.string()),
  /** Instants of the last visit they came to, and of the next. */
  lastVisitAt: z.nullable(z.string()),
  nextVisitAt: z.nullable(z.string()),
  /** Visits they came to, what these cost, and how often they did not come. */
  visits: z.int(),
  spend: money,
  noShows: z.int(),
  tags: z.array(z.string()),
  isBlocked: z.boolean(),
})
export type CustomerRow = z.output<typeof customerRow>

/** How somebody is related: the guardian of a minor reads their letters. */
export const relationKinds = ['guardian', 'partner', 'family', 'friend'] as const

/** Files of a record: pictures, and documents as PDF. */
export const customerFile = { most: 1, bytes: 10_000_000 } as const
/** Most files of one record. */
export const mostCustomerFiles = 50

/** Characters of the one thing to know. */
export const mostAlert = 160

/** What a record says of itself; of an unset field nothing. */
export const customerFields = z.object({
  firstName: personName,
  lastName: z._default(z.union([personName, z.literal('')]), ''),
  phone: z._default(phone, ''),
  email: z._default(z.union([email, z.literal('')]), ''),
  /** The language they are written to. */
  locale: z.optional(z.nullable(z.enum(locales))),
  birthday: z.optional(z.nullable(z.iso.date().check(z.regex(/^(19|20)\d\d-/)))),
  /** The one thing to know before they come; never of their health. */
  alert: z.optional(text(mostAlert, 0)),
  notes: z.optional(text(4000, 0)),
  tags: z.optional(z.array(customerTag).check(z.maxLength(mostTags))),
})
/** What a client pays before every visit, whatever the institute and its services ask for; null: that. */
export const paysFirst = ['nothing', 'all'] as const
const changedFields = z.partial(
  z.extend(customerFields, {
    paysFirst: z.nullable(z.enum(paysFirst)),
    lastName: z.union([personName, z.literal('')]),
    phone,
    email: z.union([email, z.literal('')]),
    /** The notes as they were read: what somebody else has written since stays beside what is written now. */
    notesBefore: text(4000, 0),
  }),
)

const byWhom = z.object({ by: z.nullable(z.string()), at: z.string() })

const healthFields = z.object({ allergies: text(2000, 0), formulas: text(4000, 0) })

/** What is kept of somebody's health, with who has opened it, the last first. */
export const customerHealth = z.object({ allergies: z.string(), formulas: z.string(), openings: z.array(byWhom) })
export type CustomerHealth = z.output<typeof customerHealth>

/** A record with everything an institute's people may see of it at once. */
export const customer = z.extend(customerRow, {
  locale: z.nullable(z.enum(locales)),
  birthday: z.nullable(z.string()),
  /** In whole years, today at the institute. */
  age: z.nullable(z.int()),
  isMinor: z.boolean(),
  /** They book online with an account. */
  hasAccount: z.boolean(),
  /** Their conversation with the institute. */
  chatId: z.nullable(z.string()),
  paysFirst: z.nullable(z.enum(paysFirst)),
  alert: z.string(),
  notes: z.string(),
  /** Who wrote the notes last. */
  noted: z.nullable(byWhom),
  /** Since when they are known: the first visit, or the record. */
  since: z.string(),
  /** Days between visits on average; null before the third. */
  everyDays: z.nullable(z.int()),
  /** The team member of most of their visits. */
  mostlyWith: z.nullable(z.string()),
  nextTotal: z.nullable(money),
  /** What visits cost, by month on the institute's calendar, twelve of them, the present one last. */
  months: z.array(z.object({ month: z.string(), amount: z.int() })),
  /** `of`: the other is the guardian of this one; `to`: this one is the other's. */
  relations: z.array(
    z.object({ _id: z.string(), name: z.string(), kind: z.enum(relationKinds), side: z.enum(['of', 'to']), age: z.nullable(z.int()) }),
  ),
  files: z.array(
    z.object({ _id: z.string(), kind: z.enum(['image', 'document']), name: z.string(), url: z.string(), addedAt: z.string() }),
  ),
  consents: z.array(
    z.object({
      _id: z.string(),
      title: z.string(),
      text: z.string(),
      signedBy: z.string(),
      signedAt: z.string(),
      takenBy: z.nullable(z.string()),
      withdrawnAt: z.nullable(z.string()),
    }),
  ),
  /** Whether anything restricted is kept, whether the caller may open it, and who did last. */
  health: z.object({ isKept: z.boolean(), mayOpen: z.boolean(), lastOpened: z.nullable(byWhom) }),
  /** Records that were joined into this one and can still be taken apart. */
  merges: z.array(z.object({ _id: z.string(), name: z.string(), at: z.string(), until: z.string() })),
  timeZone: z.string(),
  now: z.string(),
})
export type Customer = z.output<typeof customer>

const customerVisit = z.object({
  _id: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  status,
  attendance,
  services: z.array(z.string()),
  staff: z.array(z.string()),
  total: money,
  cancelledBy: z.nullable(z.enum(['client', 'institute', 'system'])),
})
export type CustomerVisit = z.output<typeof customerVisit>

/** Fields of which one of two records decides when they are joined. */
export const mergeFields = ['name', 'phone', 'email', 'birthday', 'locale'] as const
const side = z.enum(['keep', 'merge'])
const pairOfRecords = z.extend(customerRow, {
  birthday: z.nullable(z.string()),
  locale: z.nullable(z.enum(locales)),
  hasAccount: z.boolean(),
  since: z.string(),
})

export type Duplicate = z.output<typeof duplicate>
const duplicate = z.object({ reasons: z.array(z.enum(['phone', 'email', 'name'])), records: z.array(pairOfRecords) })

/** Days in which two joined records can be taken apart again. */
export const undoDays = 30

const base = '/api/v1/secure/mysalon/customers'
const one = `${base}/:id`
/** Finding, keeping, joining, importing and exporting customer records. */
export const customerCalls = defineCalls({
  customers: {
    method: 'GET',
    path: base,
    access: { of: 'institute', may: 'customers.read' },
    tag: 'customers',
    summary:
      'The clients of the institute: by part of the name without regard to accents, by digits of the phone however it is written, or by part of the email',
    query: z.object({
      search: z._default(searchText(120), ''),
      sort: z._default(z.enum(customerSorts), 'recent'),
      filter: z.optional(z.enum(customerFilters)),
      tag: z.optional(customerTag),
      ...pageQuery,
    }),
    answer: z.extend(pageOf(customerRow), { tags: z.array(z.string()), timeZone: z.string(), now: z.string() }),
  },
  addCustomer: {
    method: 'POST',
    path: base,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Add a client; one with the same phone or email is known already, unless it is said to be another person',
    body: z.extend(customerFields, { isAnother: z.optional(z.boolean()) }),
    status: 201,
    answer: customer,
    refusals: ['customer_known'],
  },
  customer: {
    method: 'GET',
    path: one,
    access: { of: 'institute', may: 'customers.read' },
    tag: 'customers',
    summary: 'One client: contact, figures, notes, files, forms and related people; what is kept of their health is opened apart',
    params: z.object({ id }),
    answer: customer,
  },
  changeCustomer: {
    method: 'PUT',
    path: one,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Change a client; what is left out stays',
    params: z.object({ id }),
    body: changedFields,
    answer: customer,
  },
  customerVisits: {
    method: 'GET',
    path: `${one}/visits`,
    access: { of: 'institute', may: 'customers.read' },
    tag: 'customers',
    summary: 'Their visits, the latest first, cancelled ones too',
    params: z.object({ id }),
    query: z.object({ ...pageQuery }),
    answer: pageOf(customerVisit),
  },
  blockCustomer: {
    method: 'PUT',
    path: `${one}/block`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Let a client book no more, or again; they are not told why',
    params: z.object({ id }),
    body: z.object({ isBlocked: z.boolean() }),
    answer: customer,
  },
  openCustomerHealth: {
    method: 'POST',
    path: `${one}/health/openings`,
    access: { of: 'institute', may: 'customers.health' },
    tag: 'customers',
    summary: 'Open what is kept of their health; that it was opened is noted',
    params: z.object({ id }),
    answer: customerHealth,
  },
  changeCustomerHealth: {
    method: 'PUT',
    path: `${one}/health`,
    access: { of: 'institute', may: 'customers.health' },
    tag: 'customers',
    summary: 'Change what is kept of their health; both empty: nothing is',
    params: z.object({ id }),
    body: z.extend(healthFields, {
      /** As it was read: what somebody else has written since stays beside what is written now. */
      before: z.optional(healthFields),
    }),
    answer: customerHealth,
  },
  addCustomerFile: {
    method: 'POST',
    path: `${one}/files`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Keep a picture or a document with a client; for the institute’s people alone',
    params: z.object({ id }),
    body: z.object({ name: z.optional(text(120, 0)) }),
    files: { file: customerFile },
    status: 201,
    answer: customer,
    refusals: ['too_large', 'wrong_type', 'too_many_files'],
  },
  removeCustomerFile: {
    method: 'DELETE',
    path: `${one}/files/:fileId`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Remove a file of a client for good',
    params: z.object({ id, fileId: id }),
    answer: customer,
  },
  addCustomerConsent: {
    method: 'POST',
    path: `${one}/consents`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Note that a client, or who answers for them, agreed to a text they were shown',
    params: z.object({ id }),
    body: z.object({ title: text(120), text: text(4000), signedBy: personName }),
    status: 201,
    answer: customer,
  },
  withdrawCustomerConsent: {
    method: 'DELETE',
    path: `${one}/consents/:consentId`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Note that a client agrees no more; what they had signed stays to be read',
    params: z.object({ id, consentId: id }),
    answer: customer,
  },
  relateCustomer: {
    method: 'PUT',
    path: `${one}/relations/:relatedId`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Say how another client is related; one guardian reads the letters of a minor',
    params: z.object({ id, relatedId: id }),
    body: z.object({ kind: z.enum(relationKinds) }),
    answer: customer,
  },
  unrelateCustomer: {
    method: 'DELETE',
    path: `${one}/relations/:relatedId`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Say that two clients are not related',
    params: z.object({ id, relatedId: id }),
    answer: customer,
  },
  customerDuplicates: {
    method: 'GET',
    path: `${base}/duplicates`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary:
      'Pairs of records that look like one person: the same phone, the same email, or the same name while one has neither; with an id those of one record',
    query: z.object({ of: z.optional(id) }),
    answer: z.object({ items: z.array(duplicate) }),
  },
  separateCustomers: {
    method: 'POST',
    path: `${base}/duplicates`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Say that two records that look alike are two people',
    body: z.object({ oneId: id, otherId: id }),
    answer: message,
  },
  mergeCustomers: {
    method: 'POST',
    path: `${base}/merge`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Join two records of one person; everything of both is kept, and they can be taken apart for 30 days',
    body: z.object({ keepId: id, mergeId: id, take: z.optional(z.partialRecord(z.enum(mergeFields), side)) }),
    answer: z.object({ mergeId: z.string(), until: z.string(), customer }),
    refusals: ['two_accounts'],
  },
  undoMerge: {
    method: 'POST',
    path: `${base}/merges/:id/undo`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary: 'Take two joined records apart again',
    params: z.object({ id }),
    answer: customer,
    refusals: ['too_late', 'wrong_state'],
  },
  importCustomers: {
    method: 'POST',
    path: `${base}/import`,
    access: { of: 'institute', may: 'customers.change' },
    tag: 'customers',
    summary:
      'Read a CSV file: `dryRun` only counts. New people are added, of known ones empty fields are filled and nothing is overwritten; nobody is written to',
    body: z.object({
      dryRun: z._default(z.enum(['true', 'false']), 'false'),
      /** JSON: the field of each column, in order, or null; without it they are guessed. */
      mapping: z.optional(text(4000, 0)),
    }),
    files: { file: importFile },
    answer: importReport,
    refusals: ['too_large', 'wrong_type'],
  },
  exportCustomers: {
    method: 'GET',
    path: `${base}/export.csv`,
    access: { of: 'institute', may: 'customers.export' },
    tag: 'customers',
    summary: 'All clients as a CSV file in UTF-8; cells are texts, none is a formula',
    answer: 'text/csv',
  },
})
