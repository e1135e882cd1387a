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

export interface ServiceWish {
  name?: string
  active?: number
  idle?: number
  after?: number
  bufferBefore?: number
  bufferAfter?: number
  price?: number
  latestStart?: number
  notice?: number
  minimumAge?: number
  resourceType?: string
  category?: string
  performedBy?: number[]
}
export interface InstituteWish {
  slug?: string
  name?: string
  timeZone?: string
  currency?: string
  city?: string
  countryCode?: string
  lat?: number
  lon?: number
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
  services?: ServiceWish[]
  resources?: { type: string; name: string }[]
}
export interface MadeInstitute {
  id: string
  slug: string
  services: string[]
  members: string[]
  resources: string[]
}

const serviceOf = (wish: ServiceWish, position: number): SmallInstituteFacts['services'][number] => ({
  category: wish.category ?? 'hair',
  section: { en: 'Menu' },
  name: { en: wish.name ?? `Service ${position + 1}` },
  activeMinutes: wish.active ?? 40,
  idleMinutes: wish.idle ?? 0,
  activeAfterMinutes: wish.after ?? 0,
  bufferBeforeMinutes: wish.bufferBefore ?? 0,
  bufferAfterMinutes: wish.bufferAfter ?? 0,
  priceAmount: wish.price ?? 3000,
  latestStart: wish.latestStart,
  noticeMinutes: wish.notice,
  minimumAge: wish.minimumAge,
  resourceType: wish.resourceType ?? null,
  performedBy: wish.performedBy,
})

const usualMenu: ServiceWish[] = [
  { name: 'Cut', active: 40, price: 3500 },
  { name: 'Colour', active: 60, price: 6000 },
]

const rulesOf = (wish: InstituteWish): SmallInstituteFacts['rules'] => ({
  gridMinutes: wish.grid ?? 20,
  noticeMinutes: wish.notice ?? 0,
  horizonDays: wish.horizon ?? 90,
  maxWaitMinutes: wish.maxWait ?? 0,
  gapPolicy: wish.gapPolicy ?? 'off',
  serviceOrder: wish.serviceOrder ?? 'given',
  cancelWindowMinutes: wish.cancelWindow === undefined ? 120 : wish.cancelWindow,
  rescheduleWindowMinutes: wish.rescheduleWindow === undefined ? 120 : wish.rescheduleWindow,
})

const factsOf = (wish: InstituteWish): SmallInstituteFacts => ({
  slug: wish.slug ?? `institute-${unique()}`,
  ownerId: wish.ownerId ?? null,
  state: wish.state ?? 'published',
  claimed: wish.claimed ?? true,
  name: wish.name ?? 'Atelier Test',
  categories: wish.categories ?? ['hair'],
  city: wish.city ?? 'Lyon',
  countryCode: wish.countryCode ?? 'FR',
  lat: wish.lat ?? 45.764,
  lon: wish.lon ?? 4.8357,
  timeZone: wish.timeZone ?? 'Europe/Paris',
  currency: wish.currency ?? 'EUR',
  rules: rulesOf(wish),
  createdAt: new Date().toISOString(),
  weekdays: [1, 2, 3, 4, 5, 6],
  hours: { opensAt: wish.opensAt ?? 540, closesAt: wish.closesAt ?? 1080 },
  members: wish.members ?? 2,
  services: (wish.services ?? usualMenu).map(serviceOf),
  resources: wish.resources ?? [],
})

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** A published institute in Lyon: Monday to Saturday 09:00–18:00, two members who do everything, two services of 40 and 60 minutes. */
export async function makeInstitute(db: Db, wish: InstituteWish = {}): Promise<MadeInstitute> {
  const facts = factsOf(wish)
  const rows = smallInstitute(facts, await newIds(db, idsOfSmallInstitute(facts)))
  for (const [table, list] of tablesOfInstitute(rows)) await insertRows(db, table, list)
  const { id, slug } = rows.institute
  return { id, slug, services: idsOf(rows.services), members: idsOf(rows.members), resources: idsOf(rows.resources) }
}
