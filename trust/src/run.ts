/** npm run trust: never twice, and killed in the middle. `npm run trust -- slot mix --seed 7 --minutes 1 --kills 10`, or `--long` for 200 kills */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { admission } from './admission.ts'
import { chat } from './chat.ts'
import { desk } from './desk-day.ts'
import { mix } from './mix.ts'
import { processes } from './processes.ts'
import { killPostgres } from './kill-postgres.ts'
import { killReactions } from './kill-reactions.ts'
import { killServer } from './kill-server.ts'
import { payments } from './payments.ts'
import { randomFrom } from '@soigne/demo/random'
import { commitNow, type Finished, writeReport } from './report.ts'
import { slot } from './slot.ts'
import { buildPages } from './stage.ts'
import { twoNodes } from './two-nodes.ts'
import type { Trial } from './trial.ts'
import { upgrade } from './upgrade.ts'

const trials: Record<string, Trial> = {
  slot,
  processes,
  mix,
  desk,
  payments,
  'kill-server': killServer,
  'kill-postgres': killPostgres,
  reactions: killReactions,
  'two-nodes': twoNodes,
  chat,
  admission,
  upgrade,
}
/** Too long for every run. */
const whenNamed = new Set(['upgrade'])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    long: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '5' },
    kills: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !(name in trials))
if (unknown.length > 0) {
  console.error(`no trial is called ${unknown.join(', ')}; there are ${Object.keys(trials).join(', ')}`)
  process.exit(2)
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const kills = Number(values.kills ?? (values.long ? 200 : 50))
const commit = commitNow()
console.log(`seed ${seed}`)
if (positionals.some((name) => name !== 'upgrade') || positionals.length === 0) buildPages()

const finished: Finished[] = []
for (const [name, trial] of Object.entries(trials)) {
  if (positionals.length > 0 ? !positionals.includes(name) : whenNamed.has(name)) continue
  const began = performance.now()
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10
  const say = (words: string): void => console.log(`  ${name}: ${words}`)
  const random = randomFrom(`trust ${seed}`).fork(name)
  const result = await trial({ random, kills, minutes: Number(values.minutes), say }).catch((error: unknown) => ({
    figures: {},
    violations: [`the trial broke off: ${error instanceof Error ? error.stack : String(error)}`],
  }))
  finished.push({ name, seconds: Math.round((performance.now() - began) / 1000), load, ...result })
  console.log(`${result.violations.length === 0 ? 'good  ' : 'BROKEN'} ${name} ${JSON.stringify(result.figures)}`)
  for (const violation of result.violations.slice(0, 20)) console.log(`       ${violation}`)
}
const options = [
  ...positionals,
  ...(values.long ? ['--long'] : []),
  ...(values.minutes === '5' ? [] : ['--minutes', values.minutes]),
  ...(values.kills === undefined ? [] : ['--kills', values.kills]),
]
console.log(writeReport({ seed, commit, options }, finished))
process.exit(finished.every(({ violations }) => violations.length === 0) ? 0 : 1)
