/** Two institutes side by side with their people, and somebody of every kind who asks. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { openSession } from '#/features/group-sessions/service.ts'
import { hashToken, randomToken } from '#/platform/tokens.ts'
import type { AccessActor } from './access-table.ts'
import { bookVisit, hold, wall } from './booking.ts'
import { diaryOf } from './diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeOperator, makePerson, makePlace, makeUser } from './factories.ts'
import type { TestApp } from './test-app.ts'

export interface AccessWorld {
  t: TestApp
  /** Where the client goes, and the one next door. */
  mine: MadeInstitute
  theirs: MadeInstitute
  people: Record<Exclude<AccessActor, 'nobody' | 'unverified'>, MadeUser>
  /** The account of an actor with a session of its own, so that ending one harms no other; nobody has none. */
  come(actor: AccessActor): Promise<MadeUser | null>
  /** A new account of an actor's kind, for what changes or ends the account itself. */
  comeAnew(actor: AccessActor): Promise<MadeUser | null>
  /** A start nobody was given before. */
  nextStart(): string
  heldBy(user: MadeUser, at?: MadeInstitute): Promise<string>
  bookedBy(user: MadeUser, at?: MadeInstitute): Promise<string>
  /** A visit of two services. */
  bookedTwoBy(user: MadeUser, at?: MadeInstitute): Promise<string>
  /** A visit at their home. */
  bookedAtHomeBy(user: MadeUser, at?: MadeInstitute): Promise<string>
  /** A group session nobody has a seat in. */
  sessionAt(at: MadeInstitute): Promise<string>
}

const firstDay = Temporal.PlainDate.from('2026-11-24')
const startsOfDay = 8

/** The n-th start: on the hour from nine, on days that are no Sundays. */
function startOf(n: number): string {
  const [weeks, rest] = [Math.floor(n / (6 * startsOfDay)), n % (6 * startsOfDay)]
  // From Tuesday: the sixth day is the Sunday, which is skipped.
  const workDay = Math.floor(rest / startsOfDay)
  const day = firstDay.add({ weeks, days: workDay >= 5 ? workDay + 1 : workDay })
  return wall(`${day.toString()}T${String(9 + (rest % startsOfDay)).padStart(2, '0')}:00`)
}

const withClasses = {
  // Every request has a start of its own.
  horizon: 365,
  homeRadiusKm: 12,
  services: [{ active: 40 }, { active: 60 }, { active: 60, capacity: 8, resourceType: 'room' }, { active: 40, venue: 'either' as const }],
  resources: [{ type: 'room', name: 'Studio' }],
}

/** Close to both institutes. */
const atHome = { line: '8 rue des Acacias', city: 'Villeurbanne', lat: 45.766, lon: 4.8795 }

export async function makeAccessWorld(t: TestApp): Promise<AccessWorld> {
  const { db } = t
  await makePlace(db)
  const [owner, neighbour] = [await makeUser(db, { role: 'isPro' }), await makeUser(db, { role: 'isPro' })]
  const mine = await makeInstitute(db, { ownerId: owner.id, ...withClasses })
  const theirs = await makeInstitute(db, { ownerId: neighbour.id, ...withClasses })
  const people = {
    owner,
    neighbour,
    client: await makeUser(db),
    stranger: await makeUser(db),
    manager: await makePerson(db, mine.id, 'manager'),
    reception: await makePerson(db, mine.id, 'reception'),
    staff: await makePerson(db, mine.id, 'staff'),
    operator: await makeOperator(db),
  }
  let starts = 0
  const nextStart = (): string => startOf(starts++)
  return {
    t,
    mine,
    theirs,
    people,
    nextStart,
    async come(actor) {
      if (actor === 'nobody') return null
      if (actor === 'unverified') return makeUser(db, { verified: false })
      const token = randomToken()
      await sql`insert into sessions (user_id, token_hash, expires_at) values (${people[actor].id}, ${hashToken(token)}, '2099-01-01T00:00:00Z')`.execute(
        db,
      )
      return { ...people[actor], token }
    },
    async comeAnew(actor) {
      if (actor === 'nobody') return null
      if (actor === 'unverified') return makeUser(db, { verified: false })
      if (actor === 'operator') return makeOperator(db)
      if (actor === 'manager' || actor === 'reception' || actor === 'staff') return makePerson(db, mine.id, actor)
      if (actor === 'client' || actor === 'stranger') return makeUser(db)
      const professional = await makeUser(db, { role: 'isPro' })
      await makeInstitute(db, { ownerId: professional.id })
      return professional
    },
    heldBy: async (user, at = mine) => (await hold(t, user, at, { startsAt: nextStart() }))._id,
    bookedBy: async (user, at = mine) => (await bookVisit(t, user, at, { startsAt: nextStart() }))._id,
    bookedTwoBy: async (user, at = mine) => {
      const startsAt = nextStart()
      // The second service goes on into the next hour.
      nextStart()
      return (await bookVisit(t, user, at, { startsAt, lines: [[0], [1]] }))._id
    },
    bookedAtHomeBy: async (user, at = mine) => (await bookVisit(t, user, at, { startsAt: nextStart(), lines: [[3]], home: atHome }))._id,
    sessionAt: async (at) =>
      (await openSession(t.context, diaryOf(at), { serviceId: at.services[2] ?? '', memberId: at.members[0] ?? '', startsAt: nextStart() }))
        .id,
  }
}

/** An id of nothing. */
export const unknownId = (): string => randomUUID()
