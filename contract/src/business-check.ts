/** The check of a business: what the owner of an institute sends of it, and what an operator made of it. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { checkDocuments } from './registration-numbers.ts'
import { text } from './wire.ts'

/** An operator has it; says it is right; says why it is not. */
export const businessCheckStates = ['waiting', 'accepted', 'refused'] as const

const sentCheck = z.object({
  _id: z.string(),
  state: z.enum(businessCheckStates),
  countryCode: z.string(),
  legalName: z.string(),
  /** Capitals and digits alone where its country is known. */
  registrationNumber: z.string(),
  vatNumber: z.nullable(z.string()),
  /** Instants, ISO. */
  sentAt: z.string(),
  decidedAt: z.nullable(z.string()),
  /** Why it was refused, in the operator's words. */
  reason: z.nullable(z.string()),
  /** Private: each address works for an hour. */
  documents: z.array(z.object({ name: z.string(), kind: z.enum(['image', 'document']), url: z.string() })),
})
export type SentCheck = z.output<typeof sentCheck>

const businessCheck = z.object({
  /** Where the institute is: it says what its number is called. */
  countryCode: z.string(),
  /** What stands on its invoices: set in its settings, and never changed by a check. */
  onInvoices: z.object({ legalName: z.nullable(z.string()), vatNumber: z.nullable(z.string()) }),
  /** What was found to be right last; it stands while another waits, and when that is refused. */
  accepted: z.nullable(sentCheck),
  /** What was sent since: it waits, or was refused. */
  open: z.nullable(sentCheck),
})
export type BusinessCheck = z.output<typeof businessCheck>

const path = '/api/v1/secure/mysalon/business-check'
const access = { of: 'institute', may: 'payments.connect' } as const

/** Reading, sending and taking back the check of one's business. */
export const businessCheckCalls = defineCalls({
  businessCheck: {
    method: 'GET',
    path,
    access,
    tag: 'verification',
    summary: 'What was sent of my business, and what became of it',
    answer: businessCheck,
  },
  sendBusinessCheck: {
    method: 'POST',
    path,
    access,
    tag: 'verification',
    summary: 'Have my business checked: its legal name, its number and documents that show both; in the place of one that was refused',
    body: z.object({ legalName: text(120), registrationNumber: text(60), vatNumber: z._default(text(40, 0), '') }),
    files: { documents: checkDocuments },
    status: 201,
    answer: businessCheck,
    refusals: ['check_waiting', 'too_large', 'wrong_type'],
  },
  withdrawBusinessCheck: {
    method: 'DELETE',
    path,
    access,
    tag: 'verification',
    summary: 'Take back what waits, or put away what was refused; its documents go with it, and what was accepted stands',
    answer: businessCheck,
  },
})
