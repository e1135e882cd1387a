/** The report of a run: JSON beside the program, and Markdown for people. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from './stage.ts'
import type { TrialResult } from './trial.ts'

export interface Finished extends TrialResult {
  name: string
  seconds: number
  /** Processes that wanted the machine when it began, ours not among them: on a busy machine times say little. */
  load: number
}

/** What is tried: others may commit while it runs. */
export const commitNow = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

export interface Run {
  seed: number
  commit: string
  /** Names of trials and what else it was told, the seed left out. */
  options: readonly string[]
}

/** What was run and what came of it, as Markdown. */
export function markdownOf(about: Run & { day: string; machine: string }, finished: readonly Finished[]): string {
  const rows = finished.map(({ name, seconds, load, figures, violations }) => {
    const words = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`)
    return `| ${name} | ${violations.length === 0 ? 'good' : `**${violations.length} violations**`} | ${seconds} | ${load} | ${words.join(', ')} |`
  })
  const broken = finished.flatMap(({ name, violations }) =>
    violations.slice(0, 20).map((violation) => `- ${name}: ${violation.split('\n')[0]}`),
  )
  return [
    `# Trust, ${about.day}`,
    '',
    `Commit ${about.commit}, seed ${about.seed}, ${about.machine}. Run again: \`npm run trust -- ${[...about.options, '--seed', about.seed].join(' ')}\`.`,
    '',
    '| trial | outcome | seconds | load before | figures |',
    '|---|---|---|---|---|',
    ...rows,
    ...(broken.length > 0 ? ['', '## Violations', '', ...broken] : []),
    '',
  ].join('\n')
}

/** Writes `trust/reports/latest.json` and `latest.md`; the Markdown. */
export function writeReport(run: Run, finished: readonly Finished[]): string {
  const about = {
    ...run,
    day: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? '?'}, Node ${process.version}`,
  }
  const directory = join(root, 'trust/reports')
  const markdown = markdownOf(about, finished)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'latest.json'), `${JSON.stringify({ ...about, trials: finished }, null, 2)}\n`)
  writeFileSync(join(directory, 'latest.md'), markdown)
  return markdown
}
