/** `reactions`: two servers killed at chosen places in the middle of what follows an event. The course is the server's own, at length, on a database of its tests. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './stage.ts'
import type { Trial, TrialResult } from './trial.ts'

const program = join(root, 'server/src/testing/killed-reactions.ts')

export const killReactions: Trial = async ({ random, kills, say }) => {
  const seed = random.whole(2 ** 31)
  const child = spawn(process.execPath, [program, '--kills', String(kills), '--seed', String(seed)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString()
    say(chunk.toString().trim())
  })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  if (code !== 0) return { figures: { seed }, violations: [`the course ended with ${code}: ${complained.slice(-2000)}`] }
  const { figures, violations } = JSON.parse(said.trim().split('\n').at(-1) ?? '') as TrialResult
  return { figures: { seed, ...figures }, violations }
}
