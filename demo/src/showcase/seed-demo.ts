// Fills an empty database with the demo: institutes, teams, five weeks of visits around today, three accounts.
import type pg from 'pg'
import { readDemoContent } from '#/content/read-content.ts'
import type { DemoHost } from '#/host.ts'
import type { UserRow } from '#/rows/people.ts'
import { rankServices } from '#/rows/ranks.ts'
import type { InstituteRows, VisitRows } from '#/rows/tables.ts'
import { addVocabulary, copyRows, inBulk, removeInstitutes, removePages, tidyUp } from '#/storage/bulk.ts'
import { copyTextOf } from '#/storage/rows-by-table.ts'
import { accountRows, demoAccounts, giveToClient, giveToOwner } from './accounts.ts'
import { buildInstitute } from './institutes.ts'
import { addReviews } from './reviews.ts'
import { type OnlineVisit, payOnline } from './online.ts'
import { searchRows } from './searches.ts'
import { addTests } from './tests-before.ts'
import { buildVisits } from './visits.ts'

export { demoAccounts, demoPassword } from './accounts.ts'

export interface DemoCounts {
  institutes: number
  members: number
  services: number
  appointments: number
  reviews: number
}

export interface Demo {
  users: UserRow[]
  institutes: { institute: InstituteRows; visits: VisitRows; online: OnlineVisit[] }[]
}

/** The institute of the mockups. */
const ownersInstitute = 'atelier-nacre'
/** What people looked for in eight weeks. */
const [searchesOfOwners, searchesOfOthers] = [240, 40]

/** The whole demo in memory, around the given instant (milliseconds since the epoch). The same instant gives the same demo but for the password's salt. */
export async function buildDemo(at: number): Promise<Demo> {
  const content = readDemoContent()
  const now = Temporal.Instant.fromEpochMilliseconds(at)
  const references = new Set<string>()
  const users = await accountRows(at)
  const institutes = content.cities.flatMap((city) =>
    city.institutes.map((text, position) => {
      const institute = buildInstitute(text, city, content, now, position)
      const visits = buildVisits({ rows: institute, text, people: content.people, now, references })
      return { text, institute, visits }
    }),
  )
  const [client, owner] = users
  const owned = institutes.find(({ institute }) => institute.institute.slug === ownersInstitute)
  if (client) giveToClient(client, institutes, at)
  if (owned && owner) giveToOwner(owned.institute, owner)
  for (const { text, institute: rows, visits } of institutes) addReviews({ text, rows, visits, content: content.reviews, now: at })
  for (const { institute, visits } of institutes) {
    addTests(institute, visits, { now: at, references })
    rankServices(institute, visits)
  }
  return { users, institutes: institutes.map(({ institute, visits }) => ({ institute, visits, online: payOnline(institute, visits, at) })) }
}

export interface DemoRequest {
  host: DemoHost
  /** Milliseconds since the epoch. */
  now: number
}

async function write(client: pg.ClientBase, { users, institutes }: Demo, { host, now }: DemoRequest): Promise<DemoCounts> {
  const made = institutes.values().map((one) => {
    const index = host.indexOf(one.institute, one.visits, now)
    const count = one.institute.institute.slug === ownersInstitute ? searchesOfOwners : searchesOfOthers
    const searches = searchRows(host, one.institute, one.visits, { now, count })
    const books = host.booksOf(one.institute, one.visits, one.online, now)
    return { ...one, index: { ...index, tables: [...index.tables, ...books, searches] } }
  })
  const text = copyTextOf(made, [['users', users]])
  for (const table of text.tables) await copyRows(client, table)
  await addVocabulary(client, text.vocabulary)
  const rows = (table: string): number => text.tables.find((one) => one.table === table)?.rows ?? 0
  return {
    institutes: rows('institutes'),
    members: rows('team_members'),
    services: rows('services'),
    appointments: rows('appointments'),
    reviews: rows('reviews'),
  }
}

/** Whether anybody has made anything here yet; places taken from open data are nobody's. */
export async function isUntouched(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    'select exists (select from institutes where claimed) or exists (select from users) as used',
  )
  return !rows[0]?.used
}

/** Fills an empty database; null when somebody has been here before. */
export async function seedDemo(pool: pg.Pool, request: DemoRequest): Promise<DemoCounts | null> {
  const counts = await inBulk(pool, async (client) =>
    (await isUntouched(client)) ? write(client, await buildDemo(request.now), request) : null,
  )
  if (counts) await tidyUp(pool)
  return counts
}

/** Takes the demo away and makes it again around now; what other people made stays. */
export async function reseedDemo(pool: pg.Pool, request: DemoRequest): Promise<DemoCounts> {
  const demo = await buildDemo(request.now)
  const counts = await inBulk(pool, async (client) => {
    const slugs = demo.institutes.map(({ institute }) => institute.institute.slug)
    const { rows } = await client.query<{ id: string }>('select id from institutes where slug = any($1)', [slugs])
    await removeInstitutes(client, (id) => `${id} = any($1)`, [rows.map(({ id }) => id)])
    await removePages(
      client,
      rows.map(({ id }) => id),
    )
    await client.query('delete from users where email = any($1)', [demoAccounts.map(({ email }) => email)])
    return write(client, demo, request)
  })
  await tidyUp(pool)
  return counts
}
