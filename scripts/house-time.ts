/** Rules of the house about time: units that become each other in one place, zones in Node only, one formatter, and a clock that is given. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTest, type SourceFile, withoutComments } from './house-files.ts'

type Rule = (files: readonly SourceFile[], root: string) => string[]

/** The edges where text becomes a moment, each a file, and where the lengths of time stand. */
const edgesOfTime = new Set([
  'contract/src/time.ts',
  'web/src/contract/limits.ts',
  'server/src/platform/instants.ts',
  'demo/src/rows/instants.ts',
  'web/src/platform/time.ts',
  'scheduling/src/days.ts',
  'scheduling/src/wall-clock.ts',
])
const rawLength =
  /\b(?:60_000|60000|3_600_000|3600000|86_400_000|86400000|604_800_000|604800000)\b|\b60 \* 1_?000\b|\b1_?000 \* 60\b|\b60 \* 60\b|\b24 \* (?:60|3_?600)\b|(?:[-+*/]|\?\?|[<>]=?) 1440\b|^const \w+ = 1440\b/gm
const readText = /\bDate\.parse\(|\.toISOString\(\)|\bnew Date\([^()]*\)\.getTime\(\)|\+new Date\(|\bNumber\(new Date\(/g

/** Minutes, instants and days become each other in `contract/src/time.ts` and at the edges, so that the compiler can tell them apart. */
const timeConvertedOnce: Rule = (files) =>
  files
    .filter(
      ({ path }) => /^(?:contract|scheduling|demo|server|web|trust|bench)\/src\//.test(path) && !isTest(path) && !edgesOfTime.has(path),
    )
    .flatMap(({ path, text }) => {
      const code = withoutComments(text).replace(/\bsql`(?:[^`\\$]|\$(?!\{)|\$\{(?:[^{}]|\{[^{}]*\})*\})*`/g, '')
      return [
        ...[...code.matchAll(rawLength)].map(([found]) => `${path}: '${found.trim()}' is written by hand; use contract/src/time.ts`),
        ...(/^(?:server\/src\/features\/(?!listing-facts\/|[a-z-]+\/(?:[a-z-]+-)?store\.ts)|web\/src\/(?:features|pages)\/)/.test(path)
          ? [...code.matchAll(readText)]
          : []
        ).map(([found]) => `${path}: '${found}' converts time; use platform/instants.ts or web/src/platform/time.ts`),
      ]
    })

/** What asks the database for a zone: what it gives depends on the session, or on rules of its own. UTC is none. */
const zoneInSql =
  /\bat\s+time\s+zone\b(?!\s+'utc')|(?<![\w.])timezone\(|\bset\s+(?:local\s+)?time\s*zone\b|\b(?:current_date|current_time|localtime|localtimestamp)\b/i

const noZonesInSql: Rule = (files, root) => {
  const directory = join(root, 'server/migrations')
  const migrations = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.sql')) : []
  return [
    ...files
      .filter(({ path }) => path.startsWith('server/src/') && !path.endsWith('platform/zone-check.ts') && !isTest(path))
      .map(({ path, text }) => ({ path, text: withoutComments(text) })),
    ...migrations.map((name) => ({
      path: `server/migrations/${name}`,
      text: readFileSync(join(directory, name), 'utf8').replace(/--.*$/gm, ''),
    })),
  ]
    .filter(({ text }) => zoneInSql.test(text))
    .map(({ path }) => `${path}: zones are converted in Node only`)
}

/** Where the machine's own clock is meant, and why. */
const machineTime: Readonly<Record<string, string>> = {
  'server/src/features/session/jobs.ts': 'counts of requests go by it',
}
/** Rows that are stamped, leased or filled by the database are compared with the time of the database. */
const databaseTime: Readonly<Record<string, string>> = {
  'server/src/features/checkout/page-store.ts': 'leases among processes',
  'server/src/features/listings/store.ts': 'when an import wrote a row, for operators',
  'server/src/features/mails/store.ts': 'rows stamped by the database',
  'server/src/features/monthly-totals/store.ts': 'triggers go by it',
  'server/src/features/notifications/reminder-store.ts': 'a fill of an upgrade',
  'server/src/features/payments/refund-store.ts': 'leases among processes',
  'server/src/features/security/store.ts': 'rows stamped by the database',
}

/** What time it is comes in by the context, so that tests, trials and two processes agree about it. */
const clockIsGiven: Rule = (files) =>
  files
    .filter(({ path }) => /^(?:server\/src\/(?!platform\/|main\.ts)|demo\/src\/)/.test(path) && !isTest(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [
        ...(path in machineTime ? [] : code.matchAll(/\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b/g)),
        ...(path in databaseTime
          ? []
          : [...code.matchAll(/\bsql`(?:[^`\\$]|\$(?!\{)|\$\{(?:[^{}]|\{[^{}]*\})*\})*`/g)].flatMap(([statement]) => [
              ...statement.matchAll(
                /(?<![.\w])(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bcurrent_timestamp\b/gi,
              ),
            ])),
      ].map(([found]) => `${path}: '${found}' asks a clock of its own; the time is an argument`)
    })

const oneDateFormatter: Rule = (files) =>
  files
    .filter(
      ({ path }) =>
        path.startsWith('web/src/') &&
        ![
          'web/src/platform/time.ts',
          'web/src/platform/dashboard-time.ts',
          'web/src/platform/money.ts',
          'web/src/platform/lists.ts',
        ].includes(path) &&
        !path.startsWith('web/src/ui/') &&
        !isTest(path),
    )
    .filter(({ text }) =>
      /to(?:Locale)?(?:Date|Time)String|toLocaleString|\b(?:DateTimeFormat|NumberFormat|RelativeTimeFormat|ListFormat|DurationFormat)\b(?!Options)/.test(
        withoutComments(text),
      ),
    )
    .map(({ path }) => `${path}: dates, money and lists are formatted in platform/time.ts, dashboard-time.ts, money.ts and lists.ts only`)

/** Rules by name, for the tests that feed each a violation. */
export const timeRules = { timeConvertedOnce, noZonesInSql, clockIsGiven, oneDateFormatter } satisfies Record<string, Rule>
