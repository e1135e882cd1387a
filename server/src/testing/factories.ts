/** Small true worlds for tests: users with a session, an institute with hours, team and services. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Level } from '#/grants.ts'
import type { Db } from '#/platform/database.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'

const unique = (): string => randomBytes(5).toString('hex')

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
  const email = given.email ?? `${unique()}@example.test`
  const { rows } = await sql<{
    id: string
  }>`insert into users (email, role, first_name, last_name, locale, birthday, email_verified_at, terms_accepted_at)
    values (${email}, ${given.role ?? 'isClient'}, ${given.firstName ?? 'Nour'}, 'Benali', ${given.locale ?? 'en'}, ${given.birthday ?? null}, ${given.verified === false ? null : '2026-01-01T00:00:00Z'}, '2026-01-01T00:00:00Z') returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? ''
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

async function insertServices(db: Db, instituteId: string, wishes: ServiceWish[]): Promise<string[]> {
  const ids: string[] = []
  for (const [position, wish] of wishes.entries()) {
    const name = wish.name ?? `Service ${position + 1}`
    const { rows } = await sql<{
      id: string
    }>`insert into services (institute_id, position, category, section, name, active_minutes, idle_minutes, active_after_minutes, buffer_before_minutes, buffer_after_minutes, price_amount, latest_start, notice_minutes, minimum_age, resource_type)
      values (${instituteId}, ${position}, ${wish.category ?? 'hair'}, '{"en":"Menu"}', ${JSON.stringify({ en: name })}::jsonb, ${wish.active ?? 40}, ${wish.idle ?? 0}, ${wish.after ?? 0}, ${wish.bufferBefore ?? 0}, ${wish.bufferAfter ?? 0}, ${wish.price ?? 3000}, ${wish.latestStart ?? null}, ${wish.notice ?? null}, ${wish.minimumAge ?? null}, ${wish.resourceType ?? null}) returning id`.execute(
      db,
    )
    ids.push(rows[0]?.id ?? '')
  }
  return ids
}

async function insertMember(
  db: Db,
  instituteId: string,
  position: number,
  hours: { opensAt: number; closesAt: number },
  services: string[],
): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into team_members (institute_id, position, name, image_url) values (${instituteId}, ${position}, ${`Member ${position + 1}`}, ${`/art/face/${unique()}.svg`}) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? ''
  const rota = await sql<{
    id: string
  }>`insert into rotas (institute_id, member_id, weeks, anchor_day) values (${instituteId}, ${id}, 1, '2026-01-05') returning id`.execute(
    db,
  )
  for (let weekday = 1; weekday <= 6; weekday++)
    await sql`insert into rota_shifts (rota_id, institute_id, week, weekday, opens_at, closes_at) values (${rota.rows[0]?.id ?? ''}, ${instituteId}, 1, ${weekday}, ${hours.opensAt}, ${hours.closesAt})`.execute(
      db,
    )
  for (const service of services)
    await sql`insert into member_services (member_id, service_id, institute_id) values (${id}, ${service}, ${instituteId})`.execute(db)
  return id
}

/** A published institute in Lyon: Monday to Saturday 09:00–18:00, two members who do everything, two services of 40 and 60 minutes. */
export async function makeInstitute(db: Db, wish: InstituteWish = {}): Promise<MadeInstitute> {
  const slug = wish.slug ?? `institute-${unique()}`
  const name = wish.name ?? 'Atelier Test'
  const hours = { opensAt: wish.opensAt ?? 540, closesAt: wish.closesAt ?? 1080 }
  const services = wish.services ?? [
    { name: 'Cut', active: 40, price: 3500 },
    { name: 'Colour', active: 60, price: 6000 },
  ]
  const { rows } = await sql<{
    id: string
  }>`insert into institutes (slug, owner_id, state, claimed, name, categories, city, country_code, lat, lon, time_zone, currency, grid_minutes, notice_minutes, horizon_days, max_wait_minutes, gap_policy, service_order, cancel_window_minutes, reschedule_window_minutes, published_at)
    values (${slug}, ${wish.ownerId ?? null}, ${wish.state ?? 'published'}, ${wish.claimed ?? true}, ${name}, ${wish.categories ?? ['hair']}::text[], ${wish.city ?? 'Lyon'}, ${wish.countryCode ?? 'FR'}, ${wish.lat ?? 45.764}, ${wish.lon ?? 4.8357}, ${wish.timeZone ?? 'Europe/Paris'}, ${wish.currency ?? 'EUR'}, ${wish.grid ?? 20}, ${wish.notice ?? 0}, ${wish.horizon ?? 90}, ${wish.maxWait ?? 0}, ${wish.gapPolicy ?? 'off'}, ${wish.serviceOrder ?? 'given'}, ${wish.cancelWindow === undefined ? 120 : wish.cancelWindow}, ${wish.rescheduleWindow === undefined ? 120 : wish.rescheduleWindow}, now()) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? ''
  for (let weekday = 1; weekday <= 6; weekday++)
    await sql`insert into opening_hours (institute_id, weekday, opens_at, closes_at) values (${id}, ${weekday}, ${hours.opensAt}, ${hours.closesAt})`.execute(
      db,
    )
  const serviceIds = await insertServices(db, id, services)
  const members: string[] = []
  for (let position = 0; position < (wish.members ?? 2); position++)
    members.push(
      await insertMember(
        db,
        id,
        position,
        hours,
        serviceIds.filter((_, index) => services[index]?.performedBy?.includes(position) ?? true),
      ),
    )
  const resources: string[] = []
  for (const [position, resource] of (wish.resources ?? []).entries()) {
    const made = await sql<{
      id: string
    }>`insert into resources (institute_id, type, name, position) values (${id}, ${resource.type}, ${resource.name}, ${position}) returning id`.execute(
      db,
    )
    resources.push(made.rows[0]?.id ?? '')
  }
  return { id, slug, services: serviceIds, members, resources }
}
