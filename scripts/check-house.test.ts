/** Each rule of the house is fed a violation and must see it; the clean example must pass. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkHouse } from './check-house.ts'
import { oneSided } from './house-layers.ts'

const root = resolve(import.meta.dirname, '..')
const made: string[] = []

function houseWith(files: Record<string, string>): string {
  const house = mkdtempSync(join(tmpdir(), 'soigne-house-'))
  made.push(house)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true })
    writeFileSync(join(house, path), text)
  }
  return house
}

afterEach(() => {
  for (const house of made.splice(0)) rmSync(house, { recursive: true, force: true })
})

/** Broken up, so that this file does not break the rules itself. */
const planted: [rule: string, path: string, text: string][] = [
  ['noParentImports', 'server/src/features/x/service.ts', `import { a } from '.${'./y/store.ts'}'`],
  ['wallsStand', 'contract/src/x.ts', "import { readFileSync } from 'node:fs'"],
  ['wallsStand', 'scheduling/src/x.ts', "import { z } from 'zod/mini'"],
  ['wallsStand', 'web/src/features/x/card.tsx', "import { plan } from '@soigne/scheduling/plan-visit'"],
  ['wallsStand', 'demo/src/crowd/x.ts', "import { zoneAt } from '@soigne/server/places'"],
  ['demoLoadedLate', 'server/src/main.ts', "import { seedDemo } from '@soigne/demo/showcase/seed-demo'"],
  ['demoLoadedLate', 'server/src/main.ts', "import { demoHost } from './seeding/demo-host.ts'"],
  ['demoLoadedLate', 'server/src/app.ts', "const demo = await import('@soigne/demo/showcase/seed-demo')"],
  ['demoLoadedLate', 'server/src/features/x/service.ts', "import type { InstituteRow } from '@soigne/demo/rows/institute'"],
  ['demoLoadedLate', 'server/src/seeding/demo-host.ts', "import { instituteRow } from '@soigne/demo/rows/institute'"],
  ['meetThroughService', 'server/src/features/x/service.ts', "import { find } from '#/features/y/store.ts'"],
  ['noBarrels', 'web/src/ui/index.ts', 'export const a = 1'],
  ['namedFiles', 'web/src/ui/date-utils.ts', 'export const a = 1'],
  ['namedFiles', 'web/src/ui/DatePicker.tsx', 'export const a = 1'],
  ['defaultExports', 'web/src/ui/button.tsx', 'export default function Button() {}'],
  ['sqlBelowServices', 'server/src/features/x/service.ts', "import { sql } from 'kysely'"],
  ['sqlBelowServices', 'server/src/features/x/visit-rows.ts', "import { sql } from 'kysely'"],
  ['sqlBelowServices', 'server/src/features/x/jobs.ts', "import { sql } from 'kysely'"],
  ['sqlBelowServices', 'server/src/features/x/service.ts', "const q = (pool: Pool) => pool.query('select 1')"],
  ['storesBelowServices', 'server/src/features/x/store.ts', "import { book } from './service.ts'"],
  ['storesBelowServices', 'server/src/features/x/y-store.ts', "import { book } from '#/features/booking/service.ts'"],
  ['pagesAskServices', 'server/src/pages/page-answers.ts', "import { find } from '#/features/x/store.ts'"],
  ['pagesAskServices', 'server/src/pages/page-answers.ts', "import { find } from '#/features/x/visit-store.ts'"],
  ['platformWithoutDomain', 'server/src/platform/x.ts', "import { hold } from '@soigne/contract/appointments'"],
  ['platformWithoutDomain', 'server/src/platform/x.ts', "export const mayBook = (role: string) => role === 'isClient'"],
  ['platformWithoutDomain', 'server/src/platform/x.ts', 'export const bookingsOf = (id: string) => id'],
  ['platformWithoutDomain', 'server/src/platform/x.ts', 'export const shape = { LIMIT_HOLDS: 2 }'],
  ['platformWithoutDomain', 'server/src/platform/x.ts', 'export interface Limits {\n  holdsUnconfirmed: number\n}'],
  ['pureRooms', 'scheduling/src/x.ts', '/** An id. */\nexport const id = () => crypto.randomUUID()'],
  ['pureRooms', 'scheduling/src/x.ts', '/** Now. */\nexport const now = () => globalThis.Date.now()'],
  ['pureRooms', 'scheduling/src/x.ts', "/** Bytes. */\nexport const bytes = Buffer.from('a')"],
  ['pureRooms', 'scheduling/src/x.ts', '/** Later. */\nexport const later = (work: () => void) => setInterval(work, 1)'],
  ['pureRooms', 'contract/src/x.ts', "/** A mode. */\nexport const mode = process.env['MODE']"],
  ['pureRooms', 'contract/src/x.ts', '/** Now. */\nexport const now = () => new Date()'],
  ['pureRooms', 'contract/src/x.ts', "/** An answer. */\nexport const answer = () => fetch('/')"],
  ['listedSystemScopes', 'server/src/features/x/service.ts', "import { systemScope } from '#/platform/access.ts'"],
  ['storesTakeScopes', 'server/src/features/x/store.ts', 'export const find = (db: Db, id: string) => one(db, id)'],
  ['storesTakeScopes', 'server/src/features/x/y-store.ts', 'export async function find(\n  db: Db,\n  params: { id: string },\n) {}'],
  ['storesTakeScopes', 'server/src/features/x/store.ts', 'export async function all(db: Db) {}'],
  ['storesTakeScopes', 'server/src/features/x/store.ts', 'export const find = statement({}, () => text)'],
  ['storesTakeScopes', 'server/src/features/x/store.ts', 'export const find = findStatement.one'],
  ['checkedSql', 'server/src/features/x/store.ts', 'const q = (db: Db) => sql`select 1`.execute(db)'],
  ['checkedSql', 'server/src/features/x/store.ts', 'const q = (db: Db) => find.execute(\n    db,\n  )'],
  ['checkedSql', 'server/src/features/x/store.ts', "const q = db.updateTable('a').set({ b: sql<string>`now()` }).execute()"],
  ['checkedSql', 'server/src/platform/x.ts', "const q = (pool: Pool) => pool.query('select 1')"],
  ['checkedSql', 'server/src/app.ts', "const q = (client: Client) => client.query<Row>('select 1')"],
  ['diaryWrittenInUnits', 'server/src/features/x/store.ts', 'const free = statement({ row: {} }, () => sql`delete from occupations`)'],
  [
    'diaryWrittenInUnits',
    'server/src/features/x/store.ts',
    'const take = statement({ row: {} }, () => sql`insert into occupations values (1)`)\nexport const takeTime = (db: Db, _scope: SystemScope) => take.run(db)',
  ],
  [
    'diaryWrittenInUnits',
    'server/src/features/x/store.ts',
    'const rows = () => sql`insert into segments values (1)`\nexport const take = statement({ row: {} }, () => sql`with a as (${rows()}) select`)',
  ],
  [
    'diaryWrittenInUnits',
    'server/src/features/x/store.ts',
    'const move = statement({ row: {} }, () => sql`update appointments set starts_at = now()`)\nexport const moveAll = move.run',
  ],
  ['diaryWrittenInUnits', 'server/src/features/x/store.ts', "const a = (db: Db) => db.deleteFrom('absences').execute()"],
  ['diaryWrittenInUnits', 'server/src/features/x/store.ts', "const a = sql`select set_config('soigne.unit', 'on', true)`"],
  ['noZonesInSql', 'server/src/features/x/store.ts', "const q = `select starts_at at time zone 'Europe/Paris'`"],
  ['oneDateFormatter', 'web/src/features/x/card.tsx', 'export const a = new Intl.DateTimeFormat()'],
  ['oneDateFormatter', 'web/src/features/x/card.tsx', 'export const a = (date: Date) => date.toDateString()'],
  ['evenSides', 'web/src/ui/card.module.css', '.a { padding: 2px 4px 2px 8px; }'],
  ['evenSides', 'web/src/ui/card.module.css', '.a { margin: 0 calc(1px + (2px)) 0 max(1px, 2px); }'],
  ['typeInRem', 'web/src/ui/card.module.css', '.a { font-size: 14px; }'],
  ['typeInRem', 'web/src/ui/card.module.css', '.a { font-size: clamp(1rem, 3vw, 48px); }'],
  ['featuresApart', 'web/src/features/x/card.tsx', "import { b } from '#/features/y/list.tsx'"],
  ['featuresApart', 'web/src/features/x/list-page.tsx', "import { b } from '#/features/y/list.tsx'"],
  ['featuresApart', 'web/src/features/x/card.tsx', "import { b } from '#/pages/home/home-page.tsx'"],
  ['kitBehindSignIn', 'web/src/features/booking/card.tsx', "import { Tabs } from '#/kit/tabs.tsx'"],
  ['kitBehindSignIn', 'web/src/pages/home/home-page.tsx', "const menu = await import('#/kit/action-menu.tsx')"],
  ['kitBehindSignIn', 'web/src/ui/menu.tsx', "import { Menu } from 'react-aria-components'"],
  ['kitBehindSignIn', 'web/src/routes.ts', "const modules = {\n  help: 'features/settings/help-page.tsx',\n}"],
  ['routesToService', 'server/src/features/x/routes.ts', "import { find } from './store.ts'"],
  ['noLeftovers', 'server/src/features/x/service.ts', `// ${'TO'}DO later`],
  ['noLeftovers', 'server/src/features/x/service.test.ts', `// ${'@ts-expect'}-error: whatever`],
  ['noLeftovers', 'server/src/features/x/service.test.ts', `test${'.only'}('x', () => {})`],
  ['queryKeysOnce', 'web/src/features/x/card.tsx', "export const a = { queryKey: ['holds'] }"],
  ['sitePathsOnce', 'web/src/features/x/card.tsx', "export const a = '/contact'"],
  ['sitePathsOnce', 'server/src/features/x/letters.ts', 'export const a = (origin: string) => `${origin}/appointment/1`'],
  ['engineAsked', 'scheduling/src/x.ts', '/** Nobody asks. */\nexport function unasked() {}'],
  ['timeConvertedOnce', 'server/src/features/x/service.ts', 'const minuteMs = 60_000'],
  ['timeConvertedOnce', 'server/src/features/x/service.ts', 'export const day = 24 * 60 * 60 * 1000'],
  ['timeConvertedOnce', 'web/src/features/x/card.tsx', 'export const days = (minutes: number) => minutes / 1440'],
  ['timeConvertedOnce', 'server/src/features/x/service.ts', 'export const at = (text: string) => Date.parse(text)'],
  ['timeConvertedOnce', 'web/src/pages/x/x-page.tsx', 'export const text = (at: number) => new Date(at).toISOString()'],
  ['patientTests', 'server/src/features/x/service.test.ts', "it('is quick', { timeout: 5_000 }, () => {})"],
  ['patientTests', 'server/src/features/x/service.test.ts', 'beforeAll(async () => {\n}, 30_000)'],
  ['patientTests', 'server/src/features/x/service.test.ts', 'await vi.waitFor(\n  () => expect(a).toBe(1),\n  { timeout: 1000 },\n)'],
  ['patientTests', 'e2e/src/x.spec.ts', 'await expect(sheet).toBeVisible({ timeout: 2000 })'],
  ['patientTests', 'web/src/features/x/card.test.tsx', "await screen.findByRole('timer', { name: 'Left' }, { timeout: 3000 })"],
  ['tellingWaits', 'server/src/features/x/service.test.ts', 'await sleep(20)'],
  ['tellingWaits', 'web/src/features/x/card.test.tsx', 'await act(() => new Promise((resolve) => setTimeout(resolve, 50)))'],
  ['tellingWaits', 'e2e/src/x.spec.ts', 'await page.waitForTimeout(500)'],
  ['tellingWaits', 'server/src/features/x/service.test.ts', 'for (;;) {\n  if (done) break\n}'],
  ['tellingWaits', 'server/src/features/x/service.test.ts', 'while (rows.length === 0) await pause(5)'.replace('pause', 'sleep')],
  ['tellingWaits', 'server/src/features/x/service.test.ts', 'await vi.waitFor(async () => expect(await count()).toBe(1))'],
  ['logicalStyles', 'web/src/ui/button.module.css', '.a { margin-left: 4px }'],
  ['logicalStyles', 'web/src/ui/button.module.css', '.a { text-align: left }'],
  ['longFiles', 'server/src/features/x/long.ts', 'const a = 1\n'.repeat(401)],
  ['documented', 'scheduling/src/x.ts', 'export function undocumented() {}'],
]

describe('the house check', () => {
  for (const [rule, path, text] of planted) {
    test(`${rule} sees the violation in ${path}`, () => {
      const violations = checkHouse(houseWith({ [path]: text }))
      expect(violations.filter((violation) => violation.startsWith(`${rule}: ${path}`))).not.toEqual([])
    })
  }

  test('featureSize sees a feature of too many files', () => {
    const files = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`server/src/features/big/part-${index}.ts`, 'const a = 1']))
    expect(checkHouse(houseWith(files)).some((violation) => violation.startsWith('featureSize: server/src/features/big'))).toBe(true)
  })

  test('tablesFollowMigrations sees a migration without its table types', () => {
    const digest = 'e3b0c44298fc'
    const files = { 'server/migrations/.keep': '', 'server/src/platform/tables.ts': `\n// Migrations ${digest}\n` }
    const of = (house: string) => checkHouse(house).filter((violation) => violation.startsWith('tablesFollowMigrations'))
    expect(of(houseWith(files))).toEqual([])
    expect(of(houseWith({ ...files, 'server/migrations/0001_more.sql': 'create table more ();' }))).toHaveLength(1)
  })

  test('featureSize sees a folder of the demo with too many files', () => {
    const files = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`demo/src/crowd/part-${index}.ts`, 'const a = 1']))
    expect(checkHouse(houseWith(files)).some((violation) => violation.startsWith('featureSize: demo/src/crowd'))).toBe(true)
  })

  test('featureSize sees a feature of the web with more than 14 files', () => {
    const parts = (count: number) =>
      Array.from({ length: count }, (_, index) => [`web/src/features/big/part-${index}.ts`, 'const a = 1'] as const)
    const seen = (count: number) =>
      checkHouse(houseWith(Object.fromEntries(parts(count)))).filter((one) => one.startsWith('featureSize: web'))
    expect([seen(14).length, seen(15).length]).toEqual([0, 1])
  })

  test('featureSize lets a feature of the web have two themes of 14 files each, and no third', () => {
    const seen = (...themes: string[]) =>
      checkHouse(
        houseWith(
          Object.fromEntries(
            themes.flatMap((theme) => Array.from({ length: 14 }, (_, at) => [`web/src/features/big${theme}/part-${at}.ts`, 'const a = 1'])),
          ),
        ),
      ).filter((one) => one.startsWith('featureSize: web'))
    expect(seen('', '/money', '/hours')).toEqual([])
    expect(seen('', '/money', '/hours', '/people')).toEqual([
      expect.stringMatching(/^featureSize: web\/src\/features\/big: .*another feature/),
    ])
    expect(seen('/money/notes')).toEqual([expect.stringMatching(/a feature is flat/)])
  })

  test('noCycles sees files that need each other, and lets types pass', () => {
    const one = 'server/src/features/x/one.ts'
    const of = (text: string) =>
      checkHouse(houseWith({ [one]: text, 'server/src/features/x/two.ts': "import { a } from '#/features/x/one.ts'" })).filter(
        (violation) => violation.startsWith('noCycles'),
      )
    expect(of("import { b } from './two.ts'")).toHaveLength(1)
    expect(of("export { b } from './two.ts'")).toHaveLength(1)
    expect(of("import type { B } from './two.ts'")).toEqual([])
    expect(of("import { type B } from './two.ts'")).toEqual([])
  })

  test('twins sees a feature that the other room does not have', () => {
    const of = (...features: string[]) =>
      checkHouse(houseWith(Object.fromEntries(features.map((feature) => [feature.replace('/', '/src/features/') + '/x.ts', ''])))).filter(
        (violation) => violation.startsWith('twins'),
      )
    expect(of('server/session', 'web/session')).toEqual([])
    expect(of('server/session', 'web/account')).toHaveLength(2)
    expect(of('server/crawlers', 'web/help')).toEqual([])
  })

  test('a feature in the list of those that stand alone does stand alone', () => {
    const there = (feature: string) => existsSync(join(root, feature.replace('/', '/src/features/')))
    for (const feature of Object.keys(oneSided)) {
      const other = feature.startsWith('web/') ? feature.replace('web/', 'server/') : feature.replace('server/', 'web/')
      expect([feature, there(other)]).toEqual([feature, false])
    }
  })

  test('storesBelowServices lets stores share SQL through a service', () => {
    const house = houseWith({
      'server/src/features/x/service.ts': "export { near } from './x-store.ts'\nexport const book = () => 1",
      'server/src/features/x/x-store.ts': 'export const near = 1',
      'server/src/features/y/store.ts': "import { near } from '#/features/x/service.ts'",
    })
    expect(checkHouse(house).filter((violation) => violation.startsWith('storesBelowServices'))).toEqual([])
  })

  test('testWeight sees a house with too few tests', () => {
    expect(
      checkHouse(houseWith({ 'server/src/features/x/service.ts': 'const a = 1\n'.repeat(100) })).some((violation) =>
        violation.startsWith('testWeight'),
      ),
    ).toBe(true)
  })

  test('testWeight counts the web by itself, and what tests stand on not at all', () => {
    const of = (files: Record<string, string>) => checkHouse(houseWith(files)).filter((one) => one.startsWith('testWeight'))
    const lines = (count: number) => 'const a = 1\n'.repeat(count)
    const server = { 'server/src/features/x/service.ts': lines(100), 'server/src/features/x/service.test.ts': lines(300) }
    const web = (tests: number) => ({ 'web/src/features/x/card.tsx': lines(100), 'web/src/features/x/card.test.tsx': lines(tests) })
    expect(of({ ...server, ...web(60) })).toEqual([])
    expect(of({ ...server, ...web(10) })).toHaveLength(1)
    expect(of({ ...server, ...web(60), 'web/src/testing/cards.ts': lines(900) })).toEqual([])
    expect(of({ ...server, ...web(10), 'web/src/testing/cards.ts': lines(900) })).toHaveLength(1)
  })

  test('passes a small house in order', () => {
    const house = houseWith({
      'scheduling/src/days.ts': '/** Days of a week. */\nexport const daysOfWeek = 7\n',
      'scheduling/src/days.test.ts': "import { daysOfWeek } from './days.ts'\nexpect(daysOfWeek).toBe(7)\n",
      'web/src/ui/button.module.css': '.a { margin-inline-start: 4px; text-align: start }',
      'server/src/main.ts': "const { seedDemo } = await import('@soigne/demo/showcase/seed-demo')",
      'server/src/seeding/demo-host.ts': "import type { DemoHost } from '@soigne/demo/host'",
      'server/src/seeding/crowd.test.ts': "import { seedCrowd } from '@soigne/demo/crowd/seed-crowd'",
    })
    expect(checkHouse(house)).toEqual([])
  })

  test('passes this house', () => {
    expect(checkHouse(root)).toEqual([])
  })
})

/** Walls that oxlint keeps: each is shown a breach. */
const breaches: [wall: string, path: string, text: string][] = [
  ['scheduling asks no clock', 'scheduling/src/planted.ts', 'export const a = () => Date.now()\n'],
  ['scheduling asks no Temporal clock', 'scheduling/src/planted.ts', 'export const a = () => Temporal.Now.instant()\n'],
  [
    'platform knows no feature',
    'server/src/platform/planted.ts',
    "import { x } from '#/features/session/service.ts'\nexport const a = x\n",
  ],
  ['features do not know the app', 'server/src/features/x/service.ts', "import { buildApp } from '#/app.ts'\nexport const a = buildApp\n"],
  ['the server imports no web', 'server/src/features/x/service.ts', "import { useState } from 'react'\nexport const a = useState\n"],
  ['the app imports no web', 'server/src/planted.ts', "import { useState } from 'react'\nexport const a = useState\n"],
  ['scheduling has no timers', 'scheduling/src/planted.ts', 'export const a = () => setInterval(() => {}, 1)\n'],
  ['scheduling asks no global clock', 'scheduling/src/planted.ts', 'export const a = () => globalThis.Date.now()\n'],
  ['the contract knows no process', 'contract/src/planted.ts', "export const a = process.env['MODE']\n"],
  ['journeys roll no dice but their seed', 'e2e/src/support/planted.ts', 'export const a = () => Math.random()\n'],
  ['the demo rolls no dice but its own', 'demo/src/crowd/planted.ts', 'export const a = () => Math.random()\n'],
  ['the server rolls no dice', 'server/src/features/planted/service.ts', 'export const a = () => Math.random()\n'],
  ['ui knows no platform', 'web/src/ui/planted.tsx', "import { x } from '#/platform/session.tsx'\nexport const a = x\n"],
  [
    'web platform knows no feature',
    'web/src/platform/planted.ts',
    "import { x } from '#/features/login/login-page.tsx'\nexport const a = x\n",
  ],
  [
    'no function of more than 60 lines in the server',
    'server/src/features/x/service.ts',
    `export function a() {\n${'  a()\n'.repeat(61)}}\n`,
  ],
  ['no function of more than 60 lines in the app', 'server/src/app.ts', `export function a() {\n${'  a()\n'.repeat(61)}}\n`],
  ['no function of more than 60 lines', 'web/src/ui/planted.ts', `export function a() {\n${'  console.info(1)\n'.repeat(61)}}\n`],
  [
    'texts are asked for through the platform',
    'web/src/features/x/card.tsx',
    "import { useTranslation } from 'react-i18next'\nexport const a = useTranslation\n",
  ],
  ['the map knows no feature', 'web/src/map/planted.ts', "import { x } from '#/features/search/search-bar.tsx'\nexport const a = x\n"],
  ['web platform knows no page', 'web/src/platform/planted.ts', "import { x } from '#/paths.ts'\nexport const a = x\n"],
  ['the kit knows no platform', 'web/src/kit/planted.tsx', "import { x } from '#/platform/api.ts'\nexport const a = x\n"],
  ['the kit is not drawn from ui', 'web/src/kit/planted.tsx', "import { x } from '#/ui/button.tsx'\nexport const a = x\n"],
  ['no any', 'web/src/ui/planted.tsx', 'export const a = (x: any) => x\n'],
  [
    'no raw markup',
    'web/src/features/planted/card.tsx',
    'export const A = () => <p dangerouslySetInnerHTML={{ __html: location.hash }} />\n',
  ],
]

describe('the lint walls', () => {
  for (const [wall, path, text] of breaches) {
    test(`${wall}`, () => {
      const house = houseWith({ [path]: text })
      cpSync(join(root, '.oxlintrc.json'), join(house, '.oxlintrc.json'))
      symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'))
      const result = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--deny-warnings', path], { cwd: house, encoding: 'utf8' })
      expect(`${result.stdout}${result.stderr}`).toMatch(/no-restricted|no-explicit-any|no-danger|max-lines/)
      expect(result.status).not.toBe(0)
    })
  }
})
