/** Small true worlds for tests: users with a session, an institute with hours, team and services. */
import { randomBytes } from 'node:crypto'
import { userRow } from '@soigne/demo/rows/people'
import { idsOfSmallInstitute, smallInstitute, type SmallInstituteFacts } from '@soigne/demo/rows/small-institute'
import { tablesOfInstitute } from '@soigne/demo/rows/tables'
import { sql } from 'kysely'
import type { Level } from '#/grants.ts'
import type { Db } from '#/platform/database.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'

const unique = (): string => randomBytes(5).toString('hex')

/** Ids as the database makes them, one after the other in time. */
async function newIds(db: Db, count: number): Promise<() => string> {
  const { rows } = await sql<{ ids: string[] }>`select array(select uuidv7() from generate_series(1, ${count}::int)) as ids`.execute(db)
  const ids = rows[0]?.ids.values() ?? [].values()
  return () => {
    const { value, done } = ids.next()
    if (done) throw new Error(`more than ${count} ids were taken`)
    return value
  }
}

/** Stores rows whose keys are the columns of the table. */
async function insertRows(db: Db, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.id(column)))
  await sql`insert into ${sql.id(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.id(table)}, ${JSON.stringify(rows)}::json)`.execute(db)
}

export interface MadeUser {
  id: string
  email: string
  token: string
}

/** A user with a live session; verified unless told otherwise. No password: sign in through `token`. */
export async function makeUser(
  db: Db,
  given: { role?: 'isClient' | 'isPro'; verified?: boolean; email?: string; firstName?: string; locale?: string; birthday?: string } = {},
): Promise<MadeUser> {
  const id = (await newIds(db, 1))()
  const { email = `${unique()}@example.test`, role = 'isClient', firstName = 'Nour', ...more } = given
  await insertRows(db, 'users', [userRow({ ...more, id, email, role, firstName, lastName: 'Benali', createdAt: '2026-01-01T00:00:00Z' })])
  const token = randomToken()
  await sql`insert into sessions (user_id, token_hash, expires_at) values (${id}, ${hashToken(token)}, '2099-01-01T00:00:00Z')`.execute(db)
  return { id, email, token }
}

/** A professional who works at an institute with a login; its owner is given to `makeInstitute`. */
export async function makePerson(db: Db, instituteId: string, level: Exclude<Level, 'owner'>): Promise<MadeUser> {
  const user = await makeUser(db, { role: 'isPro' })
  await sql`insert into institute_people (institute_id, user_id, level) values (${instituteId}, ${user.id}, ${level})`.execute(db)
  return user
}

export async function makeOperator(db: Db): Promise<MadeUser> {
  const user = await makeUser(db)
  await sql`insert into operators (user_id) values (${user.id})`.execute(db)
  return user
}

export interface ServiceOptions {
  name?: string
  active?: number
  idle?: number
  after?: number
  bufferBefore?: number
  bufferAfter?: number
  isSequential?: boolean
  price?: number
  latestStart?: number
  notice?: number
  minimumAge?: number
  resourceType?: string
  /** Seats of a group session. */
  capacity?: number
  venue?: 'salon' | 'home' | 'either'
  category?: string
  audience?: string
  /** Without a price: on request. */
  onRequest?: boolean
  performedBy?: number[]
}
export interface InstituteOptions {
  slug?: string
  name?: string
  timeZone?: string
  currency?: string
  city?: string
  countryCode?: string
  lat?: number
  lon?: number
  /** It comes to people's homes as far as this. */
  homeRadiusKm?: number
  categories?: string[]
  ownerId?: string
  claimed?: boolean
  state?: string
  grid?: number
  notice?: number
  horizon?: number
  maxWait?: number
  gapPolicy?: string
  serviceOrder?: string
  cancelWindow?: number | null
  rescheduleWindow?: number | null
  /** Minutes of the day, all days but Sunday. */
  opensAt?: number
  closesAt?: number
  members?: number
  services?: ServiceOptions[]
  resources?: { type: string; name: string }[]
}
export interface MadeInstitute {
  id: string
  slug: string
  services: string[]
  members: string[]
  resources: string[]
}

const serviceOf = (options: ServiceOptions, position: number): SmallInstituteFacts['services'][number] => ({
  category: options.category ?? 'hair',
  section: { en: 'Menu' },
  name: { en: options.name ?? `Service ${position + 1}` },
  activeMinutes: options.active ?? 40,
  idleMinutes: options.idle ?? 0,
  activeAfterMinutes: options.after ?? 0,
  bufferBeforeMinutes: options.bufferBefore ?? 0,
  bufferAfterMinutes: options.bufferAfter ?? 0,
  isSequential: options.isSequential ?? false,
  audience: options.audience ?? 'All',
  ...(options.onRequest ? { priceKind: 'on_request', priceAmount: null } : { priceAmount: options.price ?? 3000 }),
  latestStart: options.latestStart,
  noticeMinutes: options.notice,
  minimumAge: options.minimumAge,
  resourceType: options.resourceType ?? null,
  capacity: options.capacity,
  venue: options.venue,
  performedBy: options.performedBy,
})

const usualMenu: ServiceOptions[] = [
  { name: 'Cut', active: 40, price: 3500 },
  { name: 'Colour', active: 60, price: 6000 },
]

const rulesOf = (options: InstituteOptions): SmallInstituteFacts['rules'] => ({
  gridMinutes: options.grid ?? 20,
  noticeMinutes: options.notice ?? 0,
  horizonDays: options.horizon ?? 90,
  maxWaitMinutes: options.maxWait ?? 0,
  gapPolicy: options.gapPolicy ?? 'off',
  serviceOrder: options.serviceOrder ?? 'given',
  cancelWindowMinutes: options.cancelWindow === undefined ? 120 : options.cancelWindow,
  rescheduleWindowMinutes: options.rescheduleWindow === undefined ? 120 : options.rescheduleWindow,
})

const factsOf = (options: InstituteOptions): SmallInstituteFacts => ({
  slug: options.slug ?? `institute-${unique()}`,
  ownerId: options.ownerId ?? null,
  state: options.state ?? 'published',
  claimed: options.claimed ?? true,
  name: options.name ?? 'Atelier Test',
  categories: options.categories ?? ['hair'],
  city: options.city ?? 'Lyon',
  countryCode: options.countryCode ?? 'FR',
  lat: options.lat ?? 45.764,
  lon: options.lon ?? 4.8357,
  atHomeRadiusKm: options.homeRadiusKm,
  timeZone: options.timeZone ?? 'Europe/Paris',
  currency: options.currency ?? 'EUR',
  rules: rulesOf(options),
  createdAt: new Date().toISOString(),
  weekdays: [1, 2, 3, 4, 5, 6],
  hours: { opensAt: options.opensAt ?? 540, closesAt: options.closesAt ?? 1080 },
  members: options.members ?? 2,
  services: (options.services ?? usualMenu).map(serviceOf),
  resources: options.resources ?? [],
})

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** A published institute in Lyon: Monday to Saturday 09:00–18:00, two members who do everything, two services of 40 and 60 minutes. */
export async function makeInstitute(db: Db, options: InstituteOptions = {}): Promise<MadeInstitute> {
  const facts = factsOf(options)
  const rows = smallInstitute(facts, await newIds(db, idsOfSmallInstitute(facts)))
  for (const [table, list] of tablesOfInstitute(rows)) await insertRows(db, table, list)
  const { id, slug } = rows.institute
  return { id, slug, services: idsOf(rows.services), members: idsOf(rows.members), resources: idsOf(rows.resources) }
}

/** Lyon, so that a server which starts here takes the gazetteer for loaded: that takes most of a minute. */
export const makePlace = async (db: Db): Promise<void> =>
  void (await sql`insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search)
    values (2996944, 'Lyon', 'FR', 45.74846, 4.84671, 522228, 'Europe/Paris', '|lyon|') on conflict do nothing`.execute(db))
