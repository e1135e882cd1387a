/** Checks that migrations can run while the site serves. `node scripts/check-migrations.ts [folder]` prints each violation and ends with 1 if there is one. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { concurrentStatements, isOfBefore, kindOf, type MigrationKind, migrationNumber } from '../server/src/platform/migration-files.ts'

const root = resolve(import.meta.dirname, '..')
const oldestPostgres = '16'

/** Matters of taste, and the time-outs that our runner sets for every file. */
const notOurs = [
  'prefer-robust-stmts',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'require-lock-timeout',
  'require-statement-timeout',
]
/** What a contract is there for. */
const ofContracts = [
  'ban-drop-column',
  'ban-drop-table',
  'ban-drop-not-null',
  'renaming-column',
  'renaming-table',
  // Quick, and given up after 100 ms of waiting like every other lock.
  'require-concurrent-index-deletion',
]

interface Migration {
  name: string
  path: string
  text: string
  kind: MigrationKind
}

/** The statements alone: no comments, and no bodies of functions, which do not run now. */
const codeOf = (text: string): string =>
  text
    .replace(/--.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")

const stops: { pattern: RegExp; why: string }[] = [
  {
    pattern: /\bset\s+not\s+null\b/i,
    why: 'set not null reads the whole table under a lock: add a check, not valid, and validate it in a concurrent file',
  },
  { pattern: /\bset\s+(?:local\s+|session\s+)?(?:lock|statement)_timeout\b/i, why: 'the runner sets the time-outs' },
  { pattern: /\bconcurrently\b/i, why: 'what runs concurrently needs a file of its own that begins with -- concurrent' },
  { pattern: /\bbegin\s+atomic\b/i, why: 'the runner cannot tell where a body without quotes ends: write it between $$' },
  { pattern: /\be'/i, why: 'the runner does not read backslashes in text: write it without E' },
  { pattern: /\bdisable\s+(?:trigger|rule)\b/i, why: 'what keeps rows true is switched off for everybody who writes meanwhile' },
  {
    pattern: /(?:^|;)\s*(?:select|call)\b/i,
    why: 'a function called here runs while nobody else may write: write a fill (platform/fills.ts)',
  },
  { pattern: /\block\s+table\b/i, why: 'locks a table for the whole transaction' },
  { pattern: /\b(?:vacuum\s+full|cluster|refresh\s+materialized\s+view)\b/i, why: 'rewrites a table under a lock' },
]

/** What old processes still call or read. */
const dropsWhatRuns: typeof stops = [
  {
    pattern: /\bdrop\s+(?:function|procedure|view|materialized\s+view|type|domain)\b/i,
    why: 'processes of the release before may still ask for it: drop it in a contract',
  },
]
/** Since then a column comes without a check, which would read every row under a lock. */
const lastWithCheckedColumns = 423
const checkedColumn: typeof stops = [
  {
    pattern: /\badd\s+column\b(?:(?!,\s*(?:add|alter|drop)\b)[^;])*?\bcheck\s*\(/i,
    why: 'a check beside a new column reads every row under a lock: add it as a constraint, not valid, and validate it in a concurrent file',
  },
]

/** Rows of tables that were there before are changed by a fill, in batches. */
function rowsOfOldTables(code: string): string[] {
  const made = new Set([...code.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map((match) => match[1]?.toLowerCase()))
  const found: string[] = []
  for (const statement of code.split(';')) {
    const changes =
      /^\s*(?:with\b[\s\S]*?\b)?(update|delete\s+from|truncate(?:\s+table)?|insert\s+into|merge\s+into)\s+(?:only\s+)?(\w+)/i.exec(
        statement,
      )
    if (!changes?.[1] || !changes[2] || made.has(changes[2].toLowerCase())) continue
    const isConstant = /^insert/i.test(changes[1]) && /\bvalues\s*\(/i.test(statement) && !/\bselect\b/i.test(statement)
    if (!isConstant)
      found.push(`'${changes[1].replace(/\s+/g, ' ')} ${changes[2]}' changes rows that were there before: write a fill (platform/fills.ts)`)
  }
  return found
}

/** The bodies of blocks, which run at once; in what they make as text, triggers are named by what they follow. */
const writesInBlock = /\b(?:update\s+(?!of\b|on\b)|delete\s+from|insert\s+into|merge\s+into|truncate|perform)\b/i
const rowsInBlocks = (text: string): string[] =>
  [...text.replace(/--.*$/gm, '').matchAll(/(?:^|;)\s*do\s+(?:language\s+\w+\s+)?\$(\w*)\$([\s\S]*?)\$\1\$/gim)]
    .filter(([, , body = '']) => writesInBlock.test(body))
    .map(() => 'a block changes rows that were there before: write a fill (platform/fills.ts)')

function ownRules({ name, text, kind }: Migration): string[] {
  if (kind.kind === 'concurrent') return []
  const code = codeOf(text)
  const stopping = [
    ...stops,
    ...(kind.kind === 'expand' ? dropsWhatRuns : []),
    ...(Number(migrationNumber(name)) > lastWithCheckedColumns ? checkedColumn : []),
  ]
  return [
    ...stopping.filter(({ pattern }) => pattern.test(code)).map(({ why }) => why),
    ...rowsOfOldTables(code),
    ...rowsInBlocks(text),
  ].map((why) => `${name}: ${why}`)
}

interface SquawkFinding {
  file: string
  line: number
  rule_name: string
  message: string
}

function squawk(migrations: readonly Migration[], kind: MigrationKind['kind']): string[] {
  const files = migrations.filter((migration) => migration.kind.kind === kind)
  if (files.length === 0) return []
  const excluded = kind === 'contract' ? [...notOurs, ...ofContracts] : notOurs
  const args = [
    '--pg-version',
    oldestPostgres,
    '--reporter',
    'json',
    ...excluded.flatMap((rule) => ['--exclude', rule]),
    ...(kind === 'concurrent' ? [] : ['--assume-in-transaction']),
    ...files.map(({ path }) => path),
  ]
  const { stdout, stderr, status, error } = spawnSync(join(root, 'node_modules/.bin/squawk'), args, { encoding: 'utf8' })
  if (error || status === null || (status !== 0 && stdout.trim() === ''))
    throw new Error(`squawk did not run (npm install brings it): ${error?.message ?? stderr}`)
  return (JSON.parse(stdout) as SquawkFinding[]).map(
    ({ file, line, rule_name: rule, message }) => `${file.split('/').at(-1)}:${line + 1}: ${rule}: ${message}`,
  )
}

/** All violations in a folder of migrations. */
export function checkMigrations(directory: string): string[] {
  const violations: string[] = []
  const migrations: Migration[] = []
  const seen = new Set<string>()
  for (const name of readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()) {
    const number = migrationNumber(name)
    if (seen.has(number)) violations.push(`${name}: another migration has this number`)
    seen.add(number)
    if (number !== '' && isOfBefore(name)) continue
    const path = join(directory, name)
    const text = readFileSync(path, 'utf8')
    try {
      const kind = kindOf(name, text)
      if (kind.kind === 'concurrent') concurrentStatements(name, text)
      migrations.push({ name, path, text, kind })
    } catch (error) {
      violations.push((error as Error).message)
    }
  }
  for (const kind of ['expand', 'concurrent', 'contract'] as const) violations.push(...squawk(migrations, kind))
  return [...violations, ...migrations.flatMap(ownRules)]
}

if (import.meta.main) {
  const violations = checkMigrations(resolve(process.argv[2] ?? join(root, 'server/migrations')))
  for (const violation of violations) console.log(violation)
  if (violations.length > 0) process.exit(1)
  console.log('the migrations let the site live')
}
