/** A process of its own that pays for a hold, and stops where the test wants to kill it: before it asks for the money, after, or within the transaction of the effect. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type CheckoutOrder, payForHold, type PaymentProvider } from '#/features/checkout/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { authoriser } from '#/platform/access.ts'
import { standingClock } from '#/platform/clock.ts'
import { openDatabase } from '#/platform/database.ts'
import { openLog } from '#/platform/log.ts'
import { readSettings } from '#/platform/settings.ts'
import { providerAt } from './payment-server.ts'

export const payingStops = ['before', 'while', 'within'] as const
export type PayingStop = (typeof payingStops)[number]

export interface PayingOrder {
  databaseUrl: string
  dataDir: string
  /** Instant of its clock. */
  now: string
  userId: string
  key: string
  order: CheckoutOrder
  provider: string
  stop: PayingStop
}

/** Who pays, as a request with a confirmed email has it. */
export async function payerOf(userId: string) {
  const authorise = authoriser({ levels: {}, operators: [] }, { institutesOf: async () => [], isOperator: async () => false })
  const scope = await authorise({ of: 'self', verified: true }, { userId, sessionId: userId, emailVerified: true }, null)
  if (scope.kind !== 'self' || !scope.verified) throw new Error('not the scope of a user')
  return scope as typeof scope & { verified: true }
}

/** Resolves when it has come to where it stops; 'while' it waits for the answer of the house, which the test sees there. */
export async function startPayingProcess(paying: PayingOrder): Promise<{ kill(): Promise<void> }> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(paying)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  })
  const ended = once(child, 'exit')
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes(`at ${paying.stop}\n`)) resolve()
    })
    void ended.then(() => reject(new Error(`the process ended: ${said}`)))
  })
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function pay({ databaseUrl, dataDir, now, userId, key, order, provider: url, stop }: PayingOrder): Promise<void> {
  const pause = async (at: PayingStop): Promise<void> => {
    if (at !== stop) return
    process.stdout.write(`at ${at}\n`)
    await once(process.stdin.resume(), 'end')
  }
  const database = openDatabase(databaseUrl, { size: 3, onError: () => {} })
  const provider: PaymentProvider = {
    async take(payment, providerKey) {
      await pause('before')
      if (stop === 'while') process.stdout.write('at while\n')
      return providerAt(url).take(payment, providerKey)
    },
  }
  // Of the context only what paying asks for; its reactions run within the transaction of the effect.
  const context = {
    settings: readSettings({ DATA_DIR: dataDir, SEED: 'none' }),
    database,
    clock: standingClock(now),
    log: openLog('silent'),
    reactions: [{ name: 'stop', kinds: ['checkout.settled'], within: () => pause('within') }],
    patienceMs: 60_000,
    roomLeft: async () => Number.POSITIVE_INFINITY,
  } as Partial<AppContext> as AppContext
  await payForHold(context, { scope: await payerOf(userId), locale: 'en', idempotencyKey: key }, provider, order)
  await database.close()
}

if (process.argv[1] === import.meta.filename) await pay(JSON.parse(process.argv[2] ?? '') as PayingOrder)
