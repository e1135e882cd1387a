/** Whether the books of every institute are what they were written as: sums, numbers, and the seal of each document on the one before. */
import { type SystemScope, systemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { noDocument, numberText, sealOf } from './sealing.ts'
import { documentsAfter, institutesWithSales, type StoredDocument, sumsOf } from './verifying-store.ts'

export interface LedgerReport {
  institutes: number
  documents: number
  /** What is wrong, in words for whoever runs the site. */
  faults: { institute: string; what: string }[]
}

/** Whether a document says what it was sealed with. */
export const isSealed = (document: StoredDocument): boolean => sealOf(document, document.previousHash).equals(document.hash)

async function chainFaults(db: Db, scope: SystemScope, { id: instituteId, position }: { id: string; position: number }): Promise<string[]> {
  const faults: string[] = []
  let last: Buffer = noDocument
  let place = 0
  for (;;) {
    const batch = await documentsAfter(db, scope, { instituteId, saleId: null, after: place })
    if (batch.length === 0) break
    for (const document of batch) {
      const number = numberText(document)
      if (document.position !== place + 1) faults.push(`a document before ${number} is missing`)
      if (!document.previousHash.equals(last)) faults.push(`${number} does not follow the document before it`)
      if (!isSealed(document)) faults.push(`${number} is not as it was issued`)
      last = document.hash
      place = document.position
    }
  }
  if (place !== position) faults.push('the last document is missing')
  return faults
}

/** Reads everything; the faults of one institute do not hide those of another. */
export async function verifyLedgers(db: Db): Promise<LedgerReport> {
  const scope = systemScope('verify the books')
  const report: LedgerReport = { institutes: 0, documents: 0, faults: [] }
  for (const { id, slug } of await institutesWithSales(db, scope)) {
    const sums = await sumsOf(db, scope, id)
    report.institutes++
    report.documents += sums.documents
    const told: [number, string][] = [
      [sums.entries, 'entries of the ledger do not add up to nothing'],
      [sums.sales, 'sales have prepayments that are not what was paid, invoiced, tipped and kept'],
      [sums.accounts, 'accounts are not what payments, documents, tips, kept deposits and fees come to'],
      [sums.fees, 'fees are not what was charged and given back'],
      [sums.series, 'series of numbers have a gap or a double'],
      [sums.lines, 'documents are not the sum of their lines'],
    ]
    const faults = told.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
    for (const what of [...faults, ...(await chainFaults(db, scope, { id, position: sums.chainPosition }))])
      report.faults.push({ institute: slug, what })
  }
  return report
}
