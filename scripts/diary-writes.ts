/** What an institute's time is taken by is written through a unit of work only: by statements that are sent through `unit.db` and nowhere else. */
interface SourceFile {
  path: string
  text: string
}

const tables = [
  'occupations',
  'soft_occupations',
  'session_seats',
  'group_sessions',
  'segments',
  'absences',
  'leave_times',
  'blocked_times',
]
const table = (names: string): string => `\\s+(?:only\\s+)?(?:public\\.)?"?(?:${names})\\b`
const anyWrite = 'insert\\s+into|update|delete\\s+from|merge\\s+into|truncate(?:\\s+table)?'
const inSql = new RegExp(`\\b(?:${anyWrite})${table(tables.join('|'))}`, 'gi')
/** Of a visit it decides that it is there, when it is and what became of it; whether it is paid or came does not. */
const visits = new RegExp(
  `\\b(?:insert\\s+into|delete\\s+from|merge\\s+into|truncate(?:\\s+table)?)${table('appointments')}` +
    `|\\bupdate${table('appointments')}[^\`]*?\\bset\\b(?:(?!\\bwhere\\b)[^\`])*?\\b(?:starts_at|ends_at|life|status)"?\\s*=`,
  'gi',
)
const inBuilder = new RegExp(
  `\\.(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*['"\`](?:public\\.)?(?:${[...tables, 'appointments'].join('|')})\\b`,
  'g',
)
/** Settings by which a statement says that it does itself what triggers would do. */
const keptStill = /\bsoigne\.(?:unit|bulk)\b/g

/** Statements that are sent by what runs within the transaction of a unit, and say so where they stand; and one that says in two words what a row said in one. */
const sentWithin = new Set(['leave.keepTimes', 'visits.fillStandings'])

const declaration = /^(?:export )?(?:async function|function|const) (\w+)/gm

interface Part {
  name: string
  text: string
}
const partsOf = (text: string): Part[] => {
  const starts = [...text.matchAll(declaration)]
  return starts.map((match, at) => ({ name: match[1] ?? '', text: text.slice(match.index, starts[at + 1]?.index) }))
}

/** Whether everything that uses a declaration of a file sends it through a unit. */
function goesThroughUnit(name: string, parts: readonly Part[], seen = new Set<string>()): boolean {
  if (seen.has(name)) return true
  seen.add(name)
  const own = parts.find((part) => part.name === name)?.text ?? ''
  if ([...sentWithin].some((listed) => own.includes(`name: '${listed}'`))) return true
  const isStatement = /= statement\(/.test(own)
  if (own.startsWith('export') && isStatement) return false
  // The name as it is used, not a word of SQL.
  const used = `(?<![\\w.])${name}(?=\\s*(?:[.(,)}\\]]|$))`
  const users = parts.filter((part) => part.name !== name && new RegExp(used, 'm').test(part.text))
  if (!isStatement) return users.length > 0 && users.every((part) => goesThroughUnit(part.name, parts, seen))
  const uses = users.flatMap(({ text }) => [...text.matchAll(new RegExp(`${used}(\\.(?:all|one|run)\\(\\s*unit\\.db\\b)?`, 'gm'))])
  return uses.length > 0 && uses.every((match) => match[1] !== undefined)
}

/** Violations in the sources of the server. */
export function diaryWrittenInUnits(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('server/src/') && !/\.test\.ts$|\/testing\//.test(path))
    .flatMap(({ path, text }) => {
      const bare = text.replace(/\/\*[\s\S]*?\*\//g, '')
      const parts = partsOf(bare)
      const writing = parts.filter((part) => [inSql, inBuilder, visits].some((pattern) => part.text.match(pattern)))
      return [
        ...writing
          .filter(({ name }) => !goesThroughUnit(name, parts))
          .map(({ name }) => `${path}: ${name} writes what an institute's time is taken by; send it through \`unit.db\` of a unit of work`),
        ...[...bare.matchAll(keptStill)].map(([what]) => `${path}: only the statements of a booking and bulk loads may say ${what}`),
      ]
    })
}
