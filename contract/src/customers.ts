/** Customer records: what one institute knows of its clients. Nothing of it is ever seen by another. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { money, pageOf, pageQuery, searchText, text } from './wire.ts'

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

const base = '/api/v1/secure/mysalon/customers'

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
    answer: z.extend(pageOf(customerRow), { timeZone: z.string(), now: z.string() }),
  },
})
