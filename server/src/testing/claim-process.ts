/** A process that does work under a key and stops where the test wants to kill it: before it asks the provider, after, or within the transaction of the effect. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { doBeyond, type WorkBeyond } from '#/platform/claimed-keys.ts'
import { openDatabase } from '#/platform/database.ts'

export const stops = ['before', 'after', 'within'] as const
export type Stop = (typeof stops)[number]

interface Charge {
  provider: string
  amount: number
}

/** Charges at a provider over HTTP, which knows its own keys, and notes the charge here. */
export const charging = (
  leaseMs: number,
  pause: (at: Stop) => Promise<void> = async () => {},
): WorkBeyond<Charge, { id: string }, { charge: string }> => ({
  kind: 'test charge',
  leaseMs,
  async beyond({ provider, amount }, derivedKey) {
    await pause('before')
    const response = await fetch(`${provider}/${derivedKey}/${amount}`, { method: 'POST' })
    if (!response.ok) throw new Error(`the provider said ${response.status}`)
    const found = (await response.json()) as { id: string }
    await pause('after')
    return found
  },
  async effect(transaction, { amount }, { id }) {
    await sql`insert into charges (id, amount) values (${id}, ${amount})`.execute(transaction)
    await pause('within')
    return { charge: id }
  },
})

export interface ClaimProcess {
  kill(): Promise<void>
  goOn(): void
  /** What it answered in the end. */
  answer: Promise<unknown>
}

interface Order {
  url: string
  userId: string
  key: string
  request: Charge
  leaseMs: number
  stop: Stop
}

/** Resolves when the process has come to where it stops. */
export async function startClaimProcess(order: Order): Promise<ClaimProcess> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  })
  const ended = once(child, 'exit')
  let said = ''
  const answer = ended.then(() => JSON.parse(/^answer (.*)$/m.exec(said)?.[1] ?? 'null') as unknown)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes(`at ${order.stop}\n`)) resolve()
    })
    void ended.then(() => reject(new Error(`the process ended: ${said}`)))
  })
  return {
    answer,
    goOn: () => void child.stdin.end(),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function runOrder({ url, userId, key, request, leaseMs, stop }: Order): Promise<void> {
  const { db, close } = openDatabase(url, { size: 2, onError: () => {} })
  const work = charging(leaseMs, async (at) => {
    if (at !== stop) return
    process.stdout.write(`at ${at}\n`)
    await once(process.stdin.resume(), 'end')
  })
  const answer = await doBeyond(db, work, { userId, key, request }, 30_000)
  process.stdout.write(`answer ${JSON.stringify(answer)}\n`)
  await close()
}

if (process.argv[1] === import.meta.filename) await runOrder(JSON.parse(process.argv[2] ?? '') as Order)
