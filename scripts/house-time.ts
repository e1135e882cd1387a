/** Rules of the house about time: units that become each other in one place, zones in Node only, one formatter. */

interface SourceFile {
  path: string
  text: string
}
type Rule = (files: readonly SourceFile[]) => string[]

const isTest = (path: string): boolean => /\.(?:test|spec)\.tsx?$|\/testing\//.test(path)
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')

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
  /\b(?:60_000|60000|3_600_000|3600000|86_400_000|86400000)\b|\b60 \* 1_?000\b|\b24 \* 60\b|(?:[-+*/]|\?\?|[<>]=?) 1440\b|^const \w+ = 1440\b/gm
const readText = /\bDate\.parse\(|\.toISOString\(\)/g

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

const noZonesInSql: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/src/') && !path.endsWith('platform/zone-check.ts') && !isTest(path))
    .filter(({ text }) => /\bat time zone\b/i.test(withoutComments(text)))
    .map(({ path }) => `${path}: zones are converted in Node only`)

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
      /to(?:Locale)?(?:Date|Time)String|toLocaleString|Intl\.(?:DateTimeFormat|NumberFormat|RelativeTimeFormat|ListFormat)/.test(
        withoutComments(text),
      ),
    )
    .map(({ path }) => `${path}: dates, money and lists are formatted in platform/time.ts, dashboard-time.ts, money.ts and lists.ts only`)

/** Rules by name, for the tests that feed each a violation. */
export const timeRules = { timeConvertedOnce, noZonesInSql, oneDateFormatter } satisfies Record<string, Rule>
