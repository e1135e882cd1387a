/** How a migration says, in its first line, what it does to a site that serves meanwhile. */

/** Files up to this number were written before the first line meant anything; they run as one transaction. */
const lastWithoutKind = 7

export type MigrationKind =
  /** The release before must be able to work on with the result, and with what is there after each of its statements. */
  | { kind: 'expand' }
  /** Without transactions: what takes long and stops nobody. */
  | { kind: 'concurrent' }
  /** Takes away what only releases older than a migration need. */
  | { kind: 'contract'; after: string }

export const migrationNumber = (name: string): string => /^(\d{4})_/.exec(name)?.[1] ?? ''

/** Written before files said what they do. */
export const isOfBefore = (name: string): boolean => Number(migrationNumber(name)) <= lastWithoutKind

/** Reads the first line. @throws where a file that needs one has none */
export function kindOf(name: string, text: string): MigrationKind {
  const number = migrationNumber(name)
  if (number === '') throw new Error(`migration ${name}: names are four digits, an underscore and words`)
  if (isOfBefore(name)) return { kind: 'expand' }
  const [first = ''] = text.split('\n', 1)
  const contract = /^-- contract after (\d{4})$/.exec(first)
  if (contract?.[1]) {
    if (contract[1] >= number) throw new Error(`migration ${name}: it can only come after an earlier one`)
    return { kind: 'contract', after: contract[1] }
  }
  if (first === '-- expand') return { kind: 'expand' }
  if (first === '-- concurrent') return { kind: 'concurrent' }
  throw new Error(`migration ${name}: its first line must be '-- expand', '-- concurrent' or '-- contract after NNNN'`)
}

const token = /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|;|[^;'"$/-]+|[\s\S]/g

/** The statements of a file, with the comments before them. */
export function statementsOf(text: string): string[] {
  const found: string[] = []
  let current = ''
  let hasCode = false
  for (const [part] of text.matchAll(token)) {
    if (part === ';') {
      if (hasCode) found.push(current.trim())
      current = ''
      hasCode = false
      continue
    }
    current += part
    hasCode ||= !/^(?:--|\/\*|\s+$)/.test(part)
  }
  return hasCode ? [...found, current.trim()] : found
}

/** A statement of a concurrent file, and the index it makes. */
export interface ConcurrentStatement {
  text: string
  /** It waits for others without making anybody wait, so its locks have no time-out. */
  isPatient: boolean
  makes: string | null
}

const createIndex = /^create (?:unique )?index concurrently (?:if not exists )?([a-z_][a-z0-9_]*) on /i
const allowed = [createIndex, /^drop index concurrently /i, /^alter table \S+ validate constraint \S+$/i, /^analyze \S+$/i]

/** The statements of a concurrent file. @throws for one that stops others, or could not be run again */
export function concurrentStatements(name: string, text: string): ConcurrentStatement[] {
  return statementsOf(text)
    .map((statement) => statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim())
    .map((statement) => {
      if (!allowed.some((pattern) => pattern.test(statement)))
        throw new Error(
          `migration ${name}: a concurrent file makes named indexes, drops them (both concurrently), validates constraints and analyzes; not '${statement.slice(0, 80)}'`,
        )
      return { text: statement, isPatient: / index concurrently /i.test(statement), makes: createIndex.exec(statement)?.[1] ?? null }
    })
}
