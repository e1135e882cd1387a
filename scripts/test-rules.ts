/** Rules of the house about tests: how much of them there is, and what makes them wait for nothing or for ever. */

interface SourceFile {
  path: string
  text: string
  lines: number
}
type Rule = (files: SourceFile[]) => string[]

const isTestFile = (path: string): boolean => /\.(?:test|spec)\.tsx?$/.test(path)
/** Violations that these rules are fed. */
const isPlanted = (path: string): boolean => /^scripts\/(?:check-house|careless-newcomers)\b/.test(path)
const isSource = (path: string): boolean =>
  /\.tsx?$/.test(path) && !isTestFile(path) && !/\/testing\//.test(path) && !path.startsWith('e2e/')

/** Lines of tests for each line of source. What tests stand on (`testing/`, `e2e/src/support`) counts as neither. */
const weights: readonly { what: string; tests: RegExp; sources: RegExp; least: number }[] = [
  {
    what: 'the product',
    tests: /^(?:contract|scheduling|server|web|e2e)\/src\//,
    sources: /^(?:contract|scheduling|server|web)\/src\//,
    least: 0.6,
  },
  { what: 'web', tests: /^web\/src\//, sources: /^web\/src\//, least: 0.45 },
]

export const testWeight: Rule = (files) =>
  weights.flatMap(({ what, tests, sources, least }) => {
    const sum = (some: SourceFile[]): number => some.reduce((total, { lines }) => total + lines, 0)
    const own = sum(files.filter(({ path }) => tests.test(path) && isTestFile(path)))
    const source = sum(files.filter(({ path }) => sources.test(path) && isSource(path)))
    if (own >= source * least) return []
    return [`${what} has ${own} lines of tests for ${source} of source, ${(own / source).toFixed(2)}; at least ${least} is wanted`]
  })

/** Where time has to go by, and why no condition says when it has. */
const waitsLong: Readonly<Record<string, string>> = {
  'e2e/src/slow-document.spec.ts': 'a document that comes slowly is what is tried',
  'server/src/platform/events.test.ts': 'a follower that looks again and again, and connections that are cut now and then',
  'server/src/platform/events-cut.test.ts': 'connections that are cut at any moment',
  'server/src/platform/embedded-postgres.test.ts': 'a connection that closes late is what is tried',
  'server/src/pages/page-threads.test.ts': 'a call that takes longer than a page may',
  'server/src/features/booking/killed-server.test.ts': 'a browser that asks again after a while',
  'server/src/platform/limited-thread.test.ts': 'a thread that hangs is what is tried',
  'demo/src/crowd/makers.test.ts': 'a source without an end is what is tried',
}

/** The text of a call from its opening bracket to the one that closes it. */
function argumentsAt(text: string, open: number): string {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(open, at)
  }
  return text.slice(open)
}

/** What a file calls to pause: by whichever name it takes it. */
function pausesIn(text: string): RegExpMatchArray[] {
  const names = [...text.matchAll(/^import \{([^}]*)\} from ['"](?:node:)?timers\/promises['"]/gm)]
    .flatMap(([, list = '']) => list.split(','))
    .map((one) => /^\s*(setTimeout|scheduler)(?: as (\w+))?\s*$/.exec(one))
    .flatMap((found) => (found ? [`${found[2] ?? found[1] ?? ''}${found[1] === 'scheduler' ? '\\.wait' : ''}`] : []))
  return [...names, 'sleep'].flatMap((name) => [...text.matchAll(new RegExp(`(?<![.\\w])${name}\\(`, 'g'))])
}

/** A fixed pause is too short on a busy machine and too long on a quiet one; a loop without an end hangs. */
export const tellingWaits: Rule = (files) =>
  files
    .filter(({ path }) => isTestFile(path) && !(path in waitsLong) && !isPlanted(path))
    .flatMap(({ path, text }) => [
      ...[...pausesIn(text), ...text.matchAll(/\bnew Promise\b[^;]{0,60}\bsetTimeout\(|\bwaitForTimeout\(/g)].map(
        () => `${path}: a pause of a fixed length; wait for what shows that it is over`,
      ),
      ...[...text.matchAll(/\bfor \(;;\)|\bwhile \(true\)|\bwhile \([^\n]*\) await sleep\(/g)].map(
        () => `${path}: a wait without an end; use vi.waitFor with the limit of all tests`,
      ),
      ...[...text.matchAll(/\bvi\.waitFor\(/g)]
        .filter((match) => !/timeout:/.test(argumentsAt(text, match.index + 'vi.waitFor'.length)))
        .map(() => `${path}: vi.waitFor gives up after a second by itself; say timeout: 60_000`),
    ])

/** What a journey waits for anything, unless it says longer (`e2e/playwright.config.ts`). */
const journeyLimit = 30_000
const impatientJourneys: Rule = (files) =>
  files
    .filter(({ path }) => /^e2e\/src\/.*\.ts$/.test(path) && !isPlanted(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\btimeout: ([\d_]+)/g)]
        .map(([, limit = '']) => limit)
        .filter((limit) => Number(limit.replaceAll('_', '')) < journeyLimit)
        .map((limit) => `${path}: a limit of ${limit} ms is reached on a busy machine; leave it to the limit of all journeys`),
    )

/** A limit that a busy machine can reach fails good tests: those of all tests stand in vitest.limits.ts, and longer ones may stand beside a test. */
export const patientTests: Rule = (files) => [...impatientJourneys(files), ...impatientTests(files)]

const impatientTests: Rule = (files) =>
  files
    .filter(({ path }) => /\.test\.tsx?$/.test(path) && !isPlanted(path))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(/\b(?:it|test|describe|beforeAll|beforeEach|afterAll|afterEach)\b[^\n]*\{ timeout: ([\d_]+)|^ *\}, ([\d_]+)\)$/gm),
        ...text.matchAll(/\b(?:waitFor|poll|find(?:All)?By\w+)\([^;]*?\{ timeout: ([\d_]+)/g),
      ]
        .map((match) => ({
          limit: match[1] ?? match[2] ?? '',
          least: /waitFor|poll|findBy|findAllBy/.test(match[0]) ? 60_000 : 120_000,
        }))
        .filter(({ limit, least }) => Number(limit.replaceAll('_', '')) < least)
        .map(({ limit }) => `${path}: a limit of ${limit} ms is reached on a busy machine; leave it to the limits of all tests`),
    )

/** A test that does not run proves nothing; one that needs something which is not everywhere says so by `runIf` and `skipIf`. */
export const testsRun: Rule = (files) =>
  files
    .filter(({ path }) => isTestFile(path) && !isPlanted(path))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|todo|fails|failing|fixme|fail)\(|^\s*(?:xit|xtest|xdescribe|fit|fdescribe)\(/gm,
        ),
      ].map(([found]) => `${path}: '${found.trim()}' does not run, or has to fail`),
    )
