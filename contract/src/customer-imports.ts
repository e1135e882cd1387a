/** Lists of clients that are brought along as a file. */
import * as z from 'zod/mini'

/** What a column of a file can be. */
export const importFields = ['firstName', 'lastName', 'name', 'phone', 'email', 'birthday', 'locale', 'notes', 'tags'] as const
/** One of `importFields`. */
export type ImportField = (typeof importFields)[number]
/** Most rows of one file. */
export const mostImportRows = 10_000
/** Its size. */
export const importFile = { most: 1, bytes: 4_000_000 } as const
/** What was read of a file, and what bringing it in does or did. */
export const importReport = z.object({
  /** As they were read. */
  encoding: z.enum(['utf-8', 'windows-1252']),
  delimiter: z.string(),
  /** Headings with what each was taken for; null: left out. */
  columns: z.array(z.object({ heading: z.string(), field: z.nullable(z.enum(importFields)), example: z.string() })),
  rows: z.int(),
  added: z.int(),
  /** Known already; of these so many had empty fields that were filled. */
  known: z.int(),
  filled: z.int(),
  /** The same person again within the file. */
  doubles: z.int(),
  /** How many rows say something that cannot be; the first 500 of them. */
  faultyRows: z.int(),
  faulty: z.array(z.object({ line: z.int(), reason: z.enum(['no_name', 'email', 'phone', 'birthday', 'too_long']), value: z.string() })),
  isDone: z.boolean(),
})
export type ImportReport = z.output<typeof importReport>
