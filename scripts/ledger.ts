/** npm run ledger -- --verify: whether every sum, number and seal of the books holds. -- --differences: what providers moved otherwise than it stands here. -- --owed: refunds that nobody has given back. */
import { parseArgs } from 'node:util'
import { verifyLedgers } from '../server/src/features/ledger/service.ts'
import { owedRefunds } from '../server/src/features/payments/service.ts'
import { differencesLeft, type OpenDifference } from '../server/src/features/reconciliation/service.ts'
import type { OpenDatabase } from '../server/src/platform/database.ts'
import { readSettings } from '../server/src/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run ledger -- --verify | --differences | --owed

  --verify        reads the books of every institute and says what is not as it was written (exit code 1 when there is anything)
  --differences   says what providers of payments moved otherwise than it stands here, as last night's comparison left it (exit code 1 when there is anything)
  --owed          says which refunds were refused and wait for their institute, with its owner and the reason (exit code 1 when there is anything)`

const flag = { type: 'boolean', default: false } as const
const { values } = (() => {
  try {
    return parseArgs({ options: { verify: flag, differences: flag, owed: flag } })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
})()
if (Object.values(values).filter(Boolean).length !== 1) {
  console.error(usage)
  process.exit(2)
}

async function verify(database: OpenDatabase): Promise<void> {
  const { institutes, documents, faults } = await verifyLedgers(database.db)
  for (const { institute, what } of faults.slice(0, 100)) console.error(`${institute}: ${what}`)
  console.log(JSON.stringify({ institutes, documents, faults: faults.length }))
  if (faults.length > 0) process.exitCode = 1
}

const mostShown = 500
const reasons: Record<OpenDifference['kind'], string> = {
  unheard_payment: 'was paid there, and could not be booked here',
  missing_payment: 'stands here as paid, and is not known there',
  other_amount: 'is of another sum there',
  unheard_refund: 'went back there, and not here',
  missing_refund: 'stands here as given back, and did not go back there',
  foreign_refund: 'was given back at the provider, and not by this site',
}
async function sayDifferences(database: OpenDatabase): Promise<void> {
  const found = await differencesLeft({ database }, mostShown)
  for (const { at, institute, provider, reference, kind, ours, theirs, currency } of found)
    console.log(
      `${at.slice(0, 10)} ${institute}: ${reference} of ${provider} ${reasons[kind]} (here ${ours}, there ${theirs} ${currency}, minor units)`,
    )
  console.log(JSON.stringify({ differences: found.length }))
  if (found.length > 0) process.exitCode = 1
}

async function sayOwed(database: OpenDatabase): Promise<void> {
  const found = await owedRefunds({ database }, mostShown)
  for (const { at, institute, owner, visitId, amount, currency, provider, payment, why } of found)
    console.log(
      `${at.slice(0, 10)} ${institute} (${owner ?? 'no owner'}): ${amount} ${currency} (minor units) of ${payment} at ${provider}, visit ${visitId}, refused: ${why ?? 'no reason given'}`,
    )
  console.log(JSON.stringify({ owed: found.length }))
  if (found.length > 0) process.exitCode = 1
}

await withDatabase(readSettings(process.env), values.verify ? verify : values.owed ? sayOwed : sayDifferences)
