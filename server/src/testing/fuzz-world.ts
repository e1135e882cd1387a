/** What a fuzz meets: people of every kind, salons, a visit and a hold; and whether the database is unharmed in the end. */
import { sql } from 'kysely'
import type { Database } from '#/platform/database.ts'
import { holdBody, holdsPath, visitsPath } from './booking.ts'
import { makeInstitute, makeOperator, makePerson, makeUser } from './factories.ts'

export interface FuzzWorld {
  /** Bearer tokens by who asks; a guest has none. */
  tokens: Record<string, string | undefined>
  /** Ids and words that exist, so that requests get past the first check. */
  known: string[]
  slugs: string[]
  /** Ids by the name they are asked under; holds and visits made meanwhile join them. */
  ids: Record<string, string[]>
  /** A client nobody minds: who is logged out. */
  passer(): Promise<string>
}

export async function makeFuzzWorld(db: Database, at: { url: string; now: number }): Promise<FuzzWorld> {
  const pro = await makeUser(db, { role: 'isPro' })
  const lonely = await makeUser(db, { role: 'isPro' })
  const institute = await makeInstitute(db, { ownerId: pro.id, grid: 5, resources: [{ type: 'chair', name: 'Chair' }] })
  const listed = await makeInstitute(db, { claimed: false })
  const client = await makeUser(db)
  const other = await makeUser(db)
  const post = async (path: string, user: { token: string }, body: unknown): Promise<{ _id: string }> => {
    const answer = await fetch(`${at.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${user.token}` },
      body: JSON.stringify(body),
    })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { _id: string }
  }
  const day = workDayAfter(at.now, 4)
  const wall = (time: string): string =>
    Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime('Europe/Paris').toInstant().toString({ fractionalSecondDigits: 3 })
  const first = await post(holdsPath, client, holdBody(institute, { startsAt: wall('10:00') }))
  const visit = await post(visitsPath, client, { holdId: first._id })
  const held = await post(holdsPath, client, holdBody(institute, { startsAt: wall('12:00') }))
  return {
    tokens: {
      guest: undefined,
      stranger: 'x'.repeat(43),
      client: client.token,
      other: other.token,
      pro: pro.token,
      lonely: lonely.token,
      staff: (await makePerson(db, institute.id, 'staff')).token,
      operator: (await makeOperator(db)).token,
      unverified: (await makeUser(db, { verified: false })).token,
    },
    known: [
      institute.id,
      institute.slug,
      listed.id,
      ...institute.services,
      ...institute.members,
      visit._id,
      held._id,
      client.email,
      'Lyon',
      'hair',
      day,
      day.slice(0, 7),
      wall('14:00'),
      wall('15:05'),
      wall('16:30'),
    ],
    slugs: [institute.slug, listed.slug],
    ids: {
      instituteId: [institute.id, institute.id, listed.id],
      slug: [institute.slug, listed.slug],
      serviceId: institute.services,
      service: institute.services,
      staffId: ['any', ...institute.members],
      staff: ['any', ...institute.members],
      holdId: [held._id],
      visitId: [visit._id],
      pageSize: ['10', '20', '50'],
      page: ['1', '2', '100000'],
      lat: ['45.76', '48.85', '-33.9'],
      lon: ['4.83', '2.35', '179.99'],
      what: ['hair', 'cut', 'hiar', 'Atelier', 'قص شعر'],
      place: ['Lyon', 'Paris', 'lion'],
      radiusKm: ['5', '25', '500'],
      area: ['4.5,45.5,5.1,46.1', '179,-10,-179,10'],
      maxPrice: ['30', '0', '100.5'],
      minRating: ['0', '4.5'],
      birthday: ['1990-05-05', '2015-01-01'],
    },
    passer: async () => (await makeUser(db)).token,
  }
}

/** A day on which the salon is open, at least so many days ahead. */
function workDayAfter(now: number, days: number): string {
  const day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('Europe/Paris').toPlainDate().add({ days })
  return (day.dayOfWeek === 7 ? day.add({ days: 1 }) : day).toString()
}

/** What must be empty whatever was asked, by the name of the harm. */
export async function harmOf(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*)::int from occupations a join occupations b on a.subject_id = b.subject_id and a.id < b.id and a.during && b.during) as overlapping,
    (select count(*)::int from occupations o where o.kind = 'visit' and not exists (select 1 from appointments a where a.id = o.appointment_id)) as "occupied by nobody",
    (select count(*)::int from appointments a where a.status in ('pending', 'deposit_paid', 'completed') and not exists (select 1 from occupations o where o.appointment_id = a.id)
      and not exists (select 1 from soft_occupations o where o.appointment_id = a.id) and not exists (select 1 from session_seats s where s.appointment_id = a.id)) as "booked without time",
    (select count(*)::int from appointments a where a.status = 'cancelled' and exists (select 1 from occupations o where o.appointment_id = a.id)) as "cancelled but occupied",
    (select count(*)::int from appointments a where not exists (select 1 from segments s where s.appointment_id = a.id)) as "without segments",
    (select count(*)::int from appointments a where a.ends_at <= a.starts_at) as "ending before they start",
    (select count(*)::int from users u where u.role not in ('isClient', 'isPro')) as "of no role",
    (select count(*)::int from sessions s where not exists (select 1 from users u where u.id = s.user_id)) as "sessions of nobody"`.execute(
    db,
  )
  return Object.fromEntries(Object.entries(rows[0] ?? { unread: 1 }).filter(([, count]) => count !== 0))
}
