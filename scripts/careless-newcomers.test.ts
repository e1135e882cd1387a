/** What a newcomer in a hurry writes to get past a rule without meaning to: other spellings of the violations in check-house.test.ts. Each must be seen as well. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkHouse } from './check-house.ts'

const made: string[] = []
afterEach(() => {
  for (const house of made.splice(0)) rmSync(house, { recursive: true, force: true })
})

function violationsOf(rule: string, path: string, text: string, at = path): string[] {
  const house = mkdtempSync(join(tmpdir(), 'soigne-house-'))
  made.push(house)
  mkdirSync(dirname(join(house, path)), { recursive: true })
  writeFileSync(join(house, path), text)
  return checkHouse(house).filter((violation) => violation.startsWith(`${rule}: ${at}`))
}

const service = 'server/src/features/x/service.ts'
const store = 'server/src/features/x/store.ts'
const serverTest = 'server/src/features/x/service.test.ts'
const card = 'web/src/features/x/card.tsx'
const stated = (text: string): string => `const a = statement({ name: 'x.a', row: {} }, () => sql\`${text}\`)`

const planted: [what: string, rule: string, path: string, text: string][] = [
  ['the builder in a service', 'sqlBelowServices', service, "export const all = (db: Db) => db.selectFrom('customers').execute()"],
  ['the builder in a job', 'sqlBelowServices', 'server/src/features/x/jobs.ts', "void db.deleteFrom('reviews').execute()"],
  ['the builder in the app', 'sqlBelowServices', 'server/src/app.ts', "void db.updateTable('users').set(a).execute()"],
  ['a builder that is loaded late', 'sqlBelowServices', service, "const { sql } = await import('kysely')"],
  ['a store of another name in the routes', 'routesToService', 'server/src/features/x/routes.ts', "import { a } from './visit-store.ts'"],
  ['a store in routes of another name', 'routesToService', 'server/src/features/x/page-routes.ts', "import { a } from './store.ts'"],
  ['a service that a store loads late', 'storesBelowServices', store, "const { book } = await import('./service.ts')"],
  ['another service that a store loads late', 'storesBelowServices', store, "const b = await import('#/features/y/service.ts')"],
  ['a generic function of a store', 'storesTakeScopes', store, 'export function find<T>(db: Db, id: T) {}'],
  ['an async generic arrow', 'storesTakeScopes', store, 'export const find = async <T,>(db: Db, id: T) => one(db, id)'],
  ['a function with a type of its own', 'storesTakeScopes', store, 'export const find: Finder = (db, id) => one(db, id)'],
  ['a function that is exported below', 'storesTakeScopes', store, 'const find = (db: Db, id: string) => one(db, id)\nexport { find }'],
  ['the database under another type', 'storesTakeScopes', store, 'export const find = (db: Database, id: string) => one(db, id)'],
  ['the database in pieces', 'storesTakeScopes', store, 'export const find = ({ db }: Parts, id: string) => one(db, id)'],
  [
    'a scope that nobody looks at, by a name that passes elsewhere',
    'scopesAreUsed',
    store,
    'export const findParties = (db: Db, _scope: SelfScope) => a.all(db)',
  ],
  [
    'a client of whom nobody looks whose rows they are',
    'clientsAreLookedAt',
    store,
    "type ReaderScope = InstituteScope<never> | SelfScope\nconst within = (scope: ReaderScope, one: Wanted) =>\n  scope.kind === 'institute' ? { ...one, instituteId: scope.instituteId } : one",
  ],
  ['a scope that nobody looks at', 'scopesAreUsed', store, 'export const find = (db: Db, _scope: SelfScope, id: string) => one(db, id)'],
  [
    'a scope of an institute that nobody looks at',
    'scopesAreUsed',
    store,
    "export async function find(\n  db: Db,\n  _scope: InstituteScope<'diary.read'>,\n  id: string,\n) {}",
  ],
  ['a scope by word', 'scopesAreMinted', service, "const a = find(db, { instituteId } as InstituteScope<'diary.read'>)"],
  ['a scope by force', 'scopesAreMinted', service, 'const a = find(db, caller as unknown as SelfScope<true>)'],
  ['a zone in words of its own', 'noZonesInSql', store, stated("select timezone('Europe/Paris', starts_at) from appointments")],
  ['a zone over two lines', 'noZonesInSql', store, stated("select starts_at at\n time zone 'Europe/Paris' from appointments")],
  ['the day of the session', 'noZonesInSql', store, stated('select from closures where to_day < current_date')],
  ['the clock of the machine', 'clockIsGiven', service, 'export const isLate = (at: number) => Date.now() > at'],
  ['a date of now', 'clockIsGiven', 'server/src/features/x/jobs.ts', 'const today = new Date()'],
  ['a clock handed on', 'clockIsGiven', 'server/src/app.ts', 'const clock = { now: Date.now }'],
  ['the clock of Temporal', 'clockIsGiven', service, 'const today = Temporal.Now.plainDateISO()'],
  ['the clock of the database', 'clockIsGiven', store, stated('delete from waiting_entries where ends_at < now()')],
  ['its clock that goes on', 'clockIsGiven', store, stated('select from reminders where due_at < clock_timestamp()')],
  ['an hour the other way round', 'timeConvertedOnce', service, 'const hourMs = 1000 * 60 * 60'],
  ['a day of seconds', 'timeConvertedOnce', service, 'const day = 24 * 3600'],
  ['a week', 'timeConvertedOnce', service, 'const weekMs = 604_800_000'],
  ['a moment from a date', 'timeConvertedOnce', service, 'export const at = (text: string) => new Date(text).getTime()'],
  ['a moment by a plus', 'timeConvertedOnce', card, 'export const at = (text: string) => +new Date(text)'],
  ['a formatter taken out of its box', 'oneDateFormatter', card, 'const { DateTimeFormat } = Intl'],
  ['a table by its schema', 'diaryWrittenInUnits', store, stated('delete from public.occupations')],
  ['a table that is emptied', 'diaryWrittenInUnits', store, stated('truncate occupations')],
  ['a visit taken away', 'diaryWrittenInUnits', store, stated('delete from appointments where id = 1')],
  ['a visit called off', 'diaryWrittenInUnits', store, stated("update appointments set life = 'cancelled' where id = 1")],
  [
    'a visit that becomes something',
    'diaryWrittenInUnits',
    store,
    stated('update appointments a set note = null, life = ${life} where a.id = 1'),
  ],
  ['a visit moved by the builder', 'diaryWrittenInUnits', store, "const a = (db: Db) => db.updateTable('appointments').set(b).execute()"],
  ['SQL within the builder', 'checkedSql', store, "const a = db.selectFrom('files').select('id').orderBy(sql`created_att`).execute()"],
  ['SQL within what the builder sets', 'checkedSql', store, "const a = db.updateTable('files').set({ name: sql`lower(nam)` }).execute()"],
  ['an event past the list', 'eventsOfTheList', service, "await writeEvents(transaction, [{ kind: 'visit.bookd' }])"],
  ['an event that is changed', 'eventsOfTheList', store, stated("update events set kind = 'visit.moved'")],
  ['an event that is forgotten', 'eventsOfTheList', store, "const a = (db: Db) => db.deleteFrom('events').execute()"],
  ['a file no rule reads', 'writtenInTypeScript', 'server/src/features/x/service.js', 'export const a = 1'],
  ['a module of another ending', 'writtenInTypeScript', 'web/src/features/x/card.mts', 'export const a = 1'],
  ['a setting read in passing', 'settingsReadOnce', service, "const key = process.env['STRIPE_KEY']"],
  ['customers in the platform', 'platformWithoutDomain', 'server/src/platform/x.ts', 'export const customersOf = (id: string) => id'],
  ['visits in the platform', 'platformWithoutDomain', 'server/src/platform/x.ts', 'export interface VisitOf { visitId: string }'],
  ['a pause by another name', 'tellingWaits', serverTest, "import { setTimeout as delay } from 'node:timers/promises'\nawait delay(200)"],
  ['a pause by its own name', 'tellingWaits', serverTest, "import { setTimeout } from 'timers/promises'\nawait setTimeout(200)"],
  ['a pause of a named length', 'tellingWaits', serverTest, 'const pause = 50\nawait sleep(pause)'],
  ['a pause of the scheduler', 'tellingWaits', serverTest, "import { scheduler } from 'node:timers/promises'\nawait scheduler.wait(5)"],
  ['a poll that gives up', 'patientTests', serverTest, 'await expect.poll(() => count(), { timeout: 2000 }).toBe(1)'],
  ['a test that is skipped', 'testsRun', serverTest, `it${'.skip'}('books', () => {})`],
  ['a suite that is skipped', 'testsRun', 'web/src/features/x/card.test.tsx', `describe${'.skip'}('a card', () => {})`],
  ['a test that is to be written', 'testsRun', serverTest, `it${'.todo'}('books')`],
  ['a test that has to fail', 'testsRun', serverTest, `it.concurrent${'.fails'}('books', () => {})`],
  ['a journey that is to be mended', 'testsRun', 'e2e/src/x.spec.ts', `test${'.fixme'}('books', async () => {})`],
  ['a folder within a feature of the server', 'featureSize', 'server/src/features/x/parts/one.ts', 'export const a = 1'],
  ['a folder within a folder of the web', 'featureSize', 'web/src/features/x/parts/more/one.ts', 'export const a = 1'],
]

describe('the house check sees', () => {
  test.each(planted)('%s', (_what, rule, path, text) => {
    expect(violationsOf(rule, path, text, rule === 'featureSize' ? dirname(path) : path)).not.toEqual([])
  })

  test('zones in migrations too, and lets UTC and what is said beside pass', () => {
    const path = 'server/migrations/0900_x.sql'
    expect(violationsOf('noZonesInSql', path, "select starts_at at time zone 'Europe/Paris' from appointments;")).toHaveLength(1)
    expect(
      violationsOf('noZonesInSql', path, "-- No at time zone 'Europe/Paris' here.\nselect at at time zone 'UTC' from events;"),
    ).toEqual([])
  })
})

const allowed: [what: string, rule: string, path: string, text: string][] = [
  [
    'a store that takes a unit in pieces',
    'storesTakeScopes',
    store,
    'export const put = ({ db, instituteId }: Unit, id: string) => a.run(db)',
  ],
  ['a scope of the system that is not looked at', 'scopesAreUsed', store, 'export const all = (db: Db, _scope: SystemScope) => a.all(db)'],
  [
    'a client who is handed to whoever looks',
    'clientsAreLookedAt',
    store,
    'export const paidOf = (db: Db, scope: SelfScope | SystemScope, sale: OfSale) => paid.one(db, reachedBy(scope, sale))',
  ],
  ['a scope under another name', 'scopesAreMinted', service, "import { SelfScope as OwnScope } from '#/platform/access.ts'"],
  ['money written on a visit', 'diaryWrittenInUnits', store, stated("update appointments set payment = 'paid' where life = 'booked'")],
  ['a date of a moment that is known', 'clockIsGiven', service, 'const at = new Date(now)'],
  ['a test that needs a system', 'testsRun', serverTest, "it.runIf(process.platform === 'linux')('books', () => {})"],
  ['a turn of the loop', 'tellingWaits', serverTest, "import { setImmediate as turn } from 'node:timers/promises'\nawait turn()"],
]

describe('the house check lets pass', () => {
  test.each(allowed)('%s', (_what, rule, path, text) => {
    expect(violationsOf(rule, path, text)).toEqual([])
  })
})
