/** Checks the rules of the house that lint cannot say. `node scripts/check-house.ts [folder]` prints each violation and ends with 1 if there is one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { siteRoutes } from '../contract/src/site-routes.ts'
import { migrationDigest } from '../server/src/testing/migration-digest.ts'
import { diaryWrittenInUnits } from './diary-writes.ts'
import { dashboardFeatures } from '../web/dashboard-sheet.ts'
import { layerRules } from './house-layers.ts'
import { scopeRules } from './house-scopes.ts'
import { styleRules } from './house-styles.ts'
import { timeRules } from './house-time.ts'
import { sentByHand } from './sent-by-hand.ts'
import { systemScopes } from './system-scopes.ts'
import { patientTests, tellingWaits, testsRun, testWeight } from './test-rules.ts'
import { isTest, type SourceFile as ReadFile, withoutComments } from './house-files.ts'

interface SourceFile extends ReadFile {
  lines: number
}
type Rule = (files: SourceFile[], root: string) => string[]

const rooms = ['contract/src', 'scheduling/src', 'demo/src', 'server/src', 'web/src', 'e2e/src', 'bench/src', 'trust/src', 'scripts']

function* walk(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (['node_modules', 'build', 'build-next', '.react-router', 'fixtures'].includes(entry.name)) continue
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else if (/\.[cm]?[jt]sx?$/.test(entry.name)) yield path
  }
}

function readSources(root: string): SourceFile[] {
  return rooms
    .filter((room) => existsSync(join(root, room)))
    .flatMap((room) => [...walk(join(root, room))])
    .map((file) => {
      const text = readFileSync(file, 'utf8')
      return { path: relative(root, file).replaceAll('\\', '/'), text, lines: text.split('\n').length }
    })
}

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:^(?:import|export)\s[\w\s{},*$]*?from\s*|^import\s*|\bimport\()['"]([^'"\n]+)['"]/gm)].map(
    (match) => match[1] ?? '',
  )
const routeModule =
  /(?:-page|-layout|root|entry\.(?:client|server)|routes|\.config|art-file|social-picture|sitemap|robots|global-setup|start-server)\.tsx?$/

const noParentImports: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    importsOf(text)
      .filter((name) => name.startsWith('../'))
      .filter(() => !path.startsWith('scripts/'))
      .map((name) => `${path}: import '${name}' climbs; use #/ or the package's name`),
  )

/** Which imports a room allows; lint has no way to say "nothing but". */
const walls: { room: RegExp; allowed: RegExp; message: string }[] = [
  { room: /^contract\/src\//, allowed: /^(?:zod\/mini|\.\/)/, message: 'contract imports zod/mini and its own files only' },
  { room: /^scheduling\/src\//, allowed: /^\.\//, message: 'scheduling is pure: it imports nothing but its own files' },
  { room: /^web\/src\//, allowed: /^(?!@soigne\/(?!contract\/)|node:)/, message: 'web imports the contract and no other room' },
  {
    room: /^demo\/src\//,
    allowed: /^(?!@soigne\/(?!contract\/|scheduling\/))/,
    message: 'demo imports contract and scheduling; what it needs of the server it is given',
  },
  {
    room: /^server\/src\//,
    allowed: /^(?!@soigne\/(?!contract\/|scheduling\/|demo\/))/,
    message: 'server imports contract, scheduling and, where an empty database is filled, demo only',
  },
]

const wallsStand: Rule = (files) =>
  files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) =>
      walls
        .filter(({ room }) => room.test(path))
        .flatMap(({ allowed, message }) =>
          importsOf(text)
            .filter((name) => !allowed.test(name) && !(name.startsWith('node:') && /entry\.server/.test(path)))
            .map((name) => `${path}: imports '${name}'; ${message}`),
        ),
    )

/** Made-up institutes are no part of a server: only main loads them, late, and only the host of the demo knows the shape of their rows. */
const demoLoadedLate: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/src/') && !isTest(path))
    .flatMap(({ path, text }) => {
      const bare = withoutComments(text)
      const late = path === 'server/src/main.ts' ? bare.replaceAll(/\bimport\('[^']+'\)/g, '') : bare
      const rest = path.startsWith('server/src/seeding/') ? late.replaceAll(/^import type [^'"]+ from ['"][^'"]+['"]/gm, '') : late
      return [...rest.matchAll(/['"]((?:@soigne\/demo|#\/seeding|\.\/seeding)\/[^'"]+)['"]/g)].map(
        (match) => `${path}: imports '${match[1]}'; the demo is loaded by main alone, when a database has to be filled`,
      )
    })

/** Another feature is met through its service; the app itself, which lists the features, may see their routes. */
const meetThroughService: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/src/features/') && !isTest(path))
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter((name) => name.startsWith('#/features/') && name.split('/')[2] !== path.split('/')[3] && !name.endsWith('/service.ts'))
        .map((name) => `${path}: imports ${name}; another feature is met through its service`),
    )

const noBarrels: Rule = (files) =>
  files.filter(({ path }) => /^index\.tsx?$/.test(basename(path))).map(({ path }) => `${path}: no barrels, no index files`)

/** Other endings are read by no rule that looks for these; programs of other processes are started as they are. */
const writtenInTypeScript: Rule = (files) =>
  files
    .filter(({ path }) => !/\.tsx?$/.test(path) && !/(?:-process|-program|\/bootstrap)\.mjs$/.test(path))
    .map(({ path }) => `${path}: sources are .ts and .tsx`)

/** Settings are read once, by whoever starts the process. */
const settingsReadOnce: Rule = (files) =>
  files
    .filter(({ path }) => /^server\/src\/(?!main\.ts|platform\/)/.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(/\bprocess\.env(?:\.\w+|\[[^\]]*\])/g)].map(
        ([found]) => `${path}: '${found}' is read past the settings`,
      ),
    )

const namedFiles: Rule = (files) =>
  files.flatMap(({ path }) => {
    const name = basename(path)
      .replace(/\.(?:test|spec|config|module|d|client|server)?\.?(?:ts|tsx|mjs)$/, '')
      .replace(/\.(?:test|spec|client|server|d|config)$/, '')
    if (/(?:^|-)(?:utils?|helpers?|misc|manager)(?:-|$)|^common$/.test(name)) return [`${path}: this name says nothing`]
    return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? [] : [`${path}: file names are kebab-case`]
  })

const defaultExports: Rule = (files) =>
  files
    .filter(({ path, text }) => /^export default /m.test(text) && !routeModule.test(path) && !isTest(path))
    .map(({ path }) => `${path}: named exports only (route modules and configurations excepted)`)

const listedSystemScopes: Rule = (files) =>
  files
    .filter(({ path, text }) => path.startsWith('server/src/') && !isTest(path) && /\bsystemScope\b/.test(withoutComments(text)))
    .filter(({ path }) => path !== 'server/src/platform/access.ts' && !systemScopes.includes(path))
    .map(({ path }) => `${path}: acts as the system; take the scope as an argument, or be listed in scripts/system-scopes.ts`)

/** `sql<Row>` and queries by hand believe whatever is written. The builder sends with `.execute()`; a transaction takes its work by name. */
const unchecked =
  /\bsql<|\.(?:set|values|select|where|having|orderBy|groupBy|returning)\(\s*(?:\{[^}`]*|\[[^\]`]*|'[^']*', *(?:'[^']*', *)?)?sql`|\.query\s*[(<]|\.executeQuery\(|\.execute\(\s*(?!\)|work\)|read\)|async )/g

const checkedSql: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('server/src/') && !isTest(path) && !(path in sentByHand))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(unchecked)].map(
        ([what]) => `${path}: '${what.trim()}' sends SQL that nothing checks; declare a statement (platform/statement.ts)`,
      ),
    )

/** What happened is of a closed list. Whoever writes past it writes what nobody reads. */
const eventsOfTheList: Rule = (files) =>
  files
    .filter(
      ({ path }) => path.startsWith('server/src/') && !/^server\/src\/(?:platform|features\/unit-of-work)\//.test(path) && !isTest(path),
    )
    .flatMap(({ path, text }) =>
      [
        ...withoutComments(text).matchAll(
          /\bwriteEvents\b|\b(?:update|delete\s+from|insert\s+into)\s+(?:public\.)?(?:reactions_done|event_cursors)\b|\b(?:update|delete\s+from)\s+(?:public\.)?events\b|\.(?:insertInto|updateTable|deleteFrom)\('(?:events|reactions_done|event_cursors)'/g,
        ),
      ].map(([found]) => `${path}: '${found}' writes past the list of events; use recordEvents or a unit of work`),
    )

const featuresApart: Rule = (files) =>
  files
    .filter(({ path }) => /^web\/src\/features\//.test(path) && !isTest(path))
    .flatMap(({ path, text }) => {
      const own = path.split('/')[3]
      return importsOf(text)
        .filter((name) => (name.startsWith('#/features/') && name.split('/')[2] !== own) || name.startsWith('#/pages/'))
        .map((name) => `${path}: imports ${name}; features are composed in web/src/pages`)
    })

const featureOf = (path: string): string => /^web\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? ''

/** The kit is heavy: only features behind sign-in use it, and none of those has a page that a guest sees. */
const kitBehindSignIn: Rule = (files) => {
  const routes = files.find(({ path }) => path === 'web/src/routes.ts')?.text ?? ''
  const open = [...routes.matchAll(/^ {2}(\w+): 'features\/([^/]+)\//gm)].filter(
    ([, page = '', feature = '']) =>
      dashboardFeatures.includes(feature) && Object.entries(siteRoutes).some(([name, { access }]) => name === page && access !== 'login'),
  )
  const pages = [...routes.matchAll(/^ {2}(\w+): '(pages\/[^']+)'/gm)].map(([, page = '', file = '']) => ({
    page,
    room: dirname(`web/src/${file}`),
  }))
  const isBelowMySalon = (page: string): boolean =>
    Object.entries(siteRoutes).some(([name, { path }]) => name === page && path.startsWith(siteRoutes.mySalon.path))
  const ofDashboard = pages.map(({ room }) => room).filter((room) => pages.every((one) => one.room !== room || isBelowMySalon(one.page)))
  const isOfDashboard = (path: string): boolean => path === 'web/src/dashboard-layout.tsx' || ofDashboard.includes(dirname(path))
  return [
    ...open.map(([, page, feature]) => `web/src/routes.ts: guests see ${page}, but ${feature} may use the kit`),
    ...files
      .filter(({ path }) => path.startsWith('web/src/') && !path.startsWith('web/src/kit/') && !isTest(path) && !isOfDashboard(path))
      .filter(({ path }) => !dashboardFeatures.includes(featureOf(path)))
      .flatMap(({ path, text }) =>
        importsOf(text)
          .filter((name) => name.startsWith('#/kit/') || /^(?:react-aria|react-stately|@internationalized\/)/.test(name))
          .map((name) => `${path}: imports ${name}; only the dashboard and settings use the kit`),
      ),
  ]
}

const routesToService: Rule = (files) =>
  files
    .filter(({ path }) => /^server\/src\/features\/[^/]+\/(?:[a-z-]+-)?routes\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      importsOf(text)
        .filter((name) => /^\.\/(?:[a-z-]+-)?store\.ts$/.test(name))
        .map(() => `${path}: routes speak to the service, not to the store`),
    )

const firstParts = [...new Set(Object.values(siteRoutes).flatMap(({ path }) => path.split('/')[1] || []))]
const writtenPath = new RegExp(`['"\`}](/(?:${firstParts.join('|')}))(?=['"\`/?#])`, 'g')

/** Addresses of pages stand in the table of routes; links are built from it. */
const sitePathsOnce: Rule = (files) =>
  files
    .filter(({ path }) => /^(?:web|server)\/src\//.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(writtenPath)].map(
        (match) => `${path}: '${match[1]}' is written by hand; use contract/src/site-routes.ts`,
      ),
    )

/** What a change makes stale is named by keys that stand in one place. */
const queryKeysOnce: Rule = (files) =>
  files
    .filter(({ path }) => /^web\/src\/(?!query-keys\.ts|dashboard-keys\.ts|platform\/session\.tsx)/.test(path) && !isTest(path))
    .filter(({ text }) => /queryKey:\s*\[|set(?:Queries|Query)Data\(\s*\[/.test(text))
    .map(({ path }) => `${path}: keys of queries stand in web/src/query-keys.ts and dashboard-keys.ts`)

const noLeftovers: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:TODO|FIXME|XXX)\b|@ts-ignore|@ts-nocheck|@ts-expect-error|(?:eslint|oxlint)-disable|\.only\(/g)]
      .filter(() => !path.startsWith('scripts/check-house'))
      // Tests of types say with it what the compiler must refuse.
      .filter((match) => !(match[0] === '@ts-expect-error' && path.endsWith('-types.test.ts')))
      .map((match) => `${path}: '${match[0]}' is left over`),
  )

const longFiles: Rule = (files) => {
  const sources = files.filter(({ path }) => !isTest(path))
  return sources
    .filter(({ path, lines }) => lines > 400 && path !== 'server/src/platform/tables.ts')
    .map(({ path, lines }) => `${path}: ${lines} lines; at most 400, but for the generated tables`)
}

/** A feature of the web that is one page may be told in these many folders beside its own; each is counted by itself (decision 144). */
const mostThemes = 2

const featureSize: Rule = (files) => {
  const sizes = new Map<string, number>()
  for (const { path } of files)
    if (/^(?:(?:server|web)\/src\/features|demo\/src)\//.test(path) && !isTest(path))
      sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  const nested = [...sizes.keys()].filter((path) => /^(?:server\/src\/features\/[^/]+|web\/src\/features\/[^/]+\/[^/]+)\/./.test(path))
  const themes = Map.groupBy(
    [...sizes.keys()].filter((path) => /^web\/src\/features\/[^/]+\/[^/]+$/.test(path)),
    (path) => dirname(path),
  )
  return [
    ...nested.map((path) => `${path}: a feature is flat; one of the web may have folders by theme, and those none`),
    ...[...themes]
      .filter(([, found]) => found.length > mostThemes)
      .map(
        ([feature, found]) =>
          `${feature}: ${found.map((path) => basename(path)).join(', ')}; with more than ${mostThemes} themes it is another feature`,
      ),
    ...[...sizes].filter(([, size]) => size > 14).map(([path, size]) => `${path}: ${size} files; split it by theme`),
  ]
}

const documented: Rule = (files) =>
  files
    .filter(({ path }) => /^(?:contract|scheduling)\/src\/[^/]+\.ts$/.test(path) && !isTest(path))
    .flatMap(({ path, text }) => {
      const lines = text.split('\n')
      return lines.flatMap((line, index) => {
        const exported = /^export (?:const|function|interface|type|class) (\w+)/.exec(line)
        if (!exported || (path.startsWith('contract/') && /^export type \w+ = z\.output/.test(line))) return []
        return /\*\/\s*$/.test(lines[index - 1] ?? '') ? [] : [`${path}: ${exported[1]} has no doc comment`]
      })
    })

/** A migration without the table types that follow from it. */
const tablesFollowMigrations: Rule = (files, root) => {
  const tables = files.find(({ path }) => path === 'server/src/platform/tables.ts')
  const directory = join(root, 'server/migrations')
  if (!tables || !existsSync(directory)) return []
  return tables.text.includes(`\n// Migrations ${migrationDigest(directory)}\n`)
    ? []
    : [`${tables.path}: the migrations have changed: npm run tables`]
}

/** Rules by name, for the tests that feed each a violation. */
export const rules: Record<string, Rule> = {
  noParentImports,
  wallsStand,
  demoLoadedLate,
  meetThroughService,
  noBarrels,
  writtenInTypeScript,
  settingsReadOnce,
  namedFiles,
  defaultExports,
  ...layerRules,
  ...timeRules,
  listedSystemScopes,
  ...scopeRules,
  checkedSql,
  eventsOfTheList,
  diaryWrittenInUnits,
  featuresApart,
  kitBehindSignIn,
  routesToService,
  sitePathsOnce,
  queryKeysOnce,
  noLeftovers,
  patientTests,
  tellingWaits,
  testsRun,
  ...styleRules,
  longFiles,
  testWeight,
  featureSize,
  documented,
  tablesFollowMigrations,
}

/** All violations below a root. */
export function checkHouse(root: string): string[] {
  const files = readSources(root)
  return Object.entries(rules).flatMap(([name, rule]) => rule(files, root).map((violation) => `${name}: ${violation}`))
}

if (import.meta.main) {
  const violations = checkHouse(resolve(process.argv[2] ?? '.'))
  for (const violation of violations) console.log(violation)
  if (violations.length > 0) process.exit(1)
  console.log('the house is in order')
}
