/** A valid request for each call, and a neighbour's id for each id in it. A new call without a recipe, or an id without a neighbour, fails the tests. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { blockTime } from '#/features/diary-entries/service.ts'
import { hashPassword } from '#/features/session/password-hash.ts'
import { hashCode, hashToken, randomToken } from '#/platform/tokens.ts'
import type { AccessActor, CallName } from './access-table.ts'
import type { AccessWorld } from './access-world.ts'
import { holdBody, later } from './booking.ts'
import { checkForm, customerRecipes } from './customer-recipes.ts'
import { diaryOf } from './diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from './factories.ts'
import { passkeyRecipes } from './passkey-recipes.ts'
import { paymentRecipes } from './payment-recipes.ts'
import { saleRecipes } from './sale-recipes.ts'
import { makeVisit } from './kept-visits.ts'
import { setupDraftFor } from './setup-draft.ts'

export interface AccessRequest {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  payload?: Buffer
  headers?: Record<string, string>
}

export interface Recipe {
  /** The request names a hold or a visit of the client: nobody else may know it. */
  namesThings?: true
  /** It changes or ends the account that asks: each actor comes with a new one. */
  endsAccount?: true
  /** A fresh request of somebody; `user` is null for nobody. */
  make(world: AccessWorld, user: MadeUser | null, actor: AccessActor): AccessRequest | Promise<AccessRequest>
  /** By place, an id of the neighbour that stands there instead. */
  neighbours?: Record<string, (world: AccessWorld) => string | Promise<string>>
  /** Places that are empty in a right request, because something else stands there instead: what is put there is refused all the same. */
  elsewhere?: readonly string[]
  /** Where access is given and the state of an actor's account still refuses. */
  refusedByState?: Partial<Record<AccessActor, number>>
}

const password = 'a long enough password'
/** Nobody has been at the provider: past the door, but no further. */
const refusedToAll = (status: number, among: readonly AccessActor[]): Partial<Record<AccessActor, number>> =>
  Object.fromEntries(among.map((actor) => [actor, status]))
const signedIn: readonly AccessActor[] = [
  'unverified',
  'client',
  'stranger',
  'owner',
  'manager',
  'reception',
  'staff',
  'neighbour',
  'operator',
]
const notAtProvider: Recipe = {
  make: () => ({ body: { googleToken: 'a code', state: 'isClient.state', role: 'isClient' } }),
  refusedByState: refusedToAll(422, [...signedIn, 'nobody']),
}

/** The secret address of somebody's visits. */
async function feedToken({ t }: AccessWorld): Promise<string> {
  const [user, token] = [await makeUser(t.db), randomToken()]
  await sql`insert into calendar_feeds (user_id, token_hash, created_at) values (${user.id}, ${hashToken(token)}, now())`.execute(t.db)
  return token
}
const plain: Recipe = { make: () => ({}) }
/** The setup is for professionals. */
const ofSetup = (make: Recipe['make'] = () => ({})): Recipe => ({
  make,
  refusedByState: refusedToAll(403, ['client', 'stranger', 'operator']),
})

/** A picture that somebody has sent for an institute of theirs. */
async function sentPicture({ t }: AccessWorld, userId: string, purpose = 'institute_picture'): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into files (key, user_id, purpose, kind, media_type, width, height, private, variants)
    values (${`pictures/${randomUUID().replaceAll('-', '')}.webp`}, ${userId}, ${purpose}, 'image', 'image/webp', 4, 3, false, '[]') returning id`.execute(
    t.db,
  )
  return rows[0]?.id ?? ''
}
const strangersPicture = async (world: AccessWorld): Promise<string> =>
  sentPicture(world, (await makeUser(world.t.db, { role: 'isPro' })).id)

/** With pictures of their own, of a listed institute. */
async function wholeDraft(world: AccessWorld, user: MadeUser | null): Promise<AccessRequest> {
  const { id } = user ?? (await makeUser(world.t.db))
  const listed = await makeInstitute(world.t.db, { claimed: false, members: 0, services: [] })
  const pictures = [await sentPicture(world, id)]
  return { body: { ...setupDraftFor({ claims: listed.id }), pictures, logo: await sentPicture(world, id, 'institute_logo') } }
}

const neighbourOfInstitute = ({ theirs }: AccessWorld): string => theirs.id
const neighbourOfService = ({ theirs }: AccessWorld): string => theirs.services[0] ?? ''
const neighbourOfMember = ({ theirs }: AccessWorld): string => theirs.members[0] ?? ''
/** A resource that nothing takes. */
async function newResource({ t }: AccessWorld, { id }: { id: string }): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into resources (institute_id, type, name) values (${id}, 'bath', 'Bath') returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
/** A member whom nobody has visits with. */
async function newMember({ t }: AccessWorld, { id }: { id: string }): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into team_members (institute_id, name, image_url) values (${id}, 'Ana', '/art/face/a.svg') returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
/** Their break on a day, that nobody has moved. */
async function memberWithBreak(world: AccessWorld): Promise<AccessRequest> {
  const staffId = await newMember(world, world.mine)
  const shifts = [{ opensAt: 540, closesAt: 1080, breaks: [{ opensAt: 780, closesAt: 840 }] }]
  await sql`insert into shift_overrides (institute_id, member_id, day, shifts)
    values (${world.mine.id}, ${staffId}, '2026-11-24', ${JSON.stringify(shifts)}::jsonb)`.execute(world.t.db)
  const at = (hour: string) => `2026-11-24T${hour}:00Z`
  return { body: { staffId, from: { startsAt: at('12:00'), endsAt: at('13:00') }, to: { startsAt: at('11:40'), endsAt: at('12:40') } } }
}
const ofResource = (more: AccessRequest = {}): Recipe => ({
  make: async (world) => ({ params: { id: await newResource(world, world.mine) }, ...more }),
  neighbours: { 'params.id': (world) => newResource(world, world.theirs) },
})
const ofNewMember = (more: AccessRequest = {}): Recipe => ({
  make: async (world) => ({ ...more, params: { id: await newMember(world, world.mine), ...more.params } }),
  neighbours: { 'params.id': neighbourOfMember },
})
const memberBody = (serviceId: string | undefined): Record<string, unknown> => ({
  name: 'Ana',
  services: [{ serviceId }],
  rota: { anchorDay: '2026-11-23', weeks: [{}] },
})
const times = (query: Record<string, string>): Recipe => ({
  make: ({ mine }) => ({
    params: { id: mine.id },
    query: { service: mine.services[0] ?? '', staff: mine.members[0] ?? '', ...query },
  }),
  neighbours: { 'params.id': neighbourOfInstitute, 'query.service': neighbourOfService, 'query.staff': neighbourOfMember },
})

const heldByStranger = (world: AccessWorld): Promise<string> => world.heldBy(world.people.stranger, world.theirs)
const bookedByStranger = (world: AccessWorld): Promise<string> => world.bookedBy(world.people.stranger, world.theirs)
const ofHold: Recipe = {
  namesThings: true,
  make: async (world) => ({ params: { id: await world.heldBy(world.people.client) } }),
  neighbours: { 'params.id': heldByStranger },
}
const ofVisit = (more: (world: AccessWorld) => AccessRequest = () => ({}), neighbours: Recipe['neighbours'] = {}): Recipe => ({
  namesThings: true,
  make: async (world) => ({ params: { id: await world.bookedBy(world.people.client) }, ...more(world) }),
  neighbours: { 'params.id': bookedByStranger, ...neighbours },
})

/** One of two services of a visit. */
const visitOfTwo = (place: 'query' | 'body'): Recipe => ({
  async make(world) {
    const removed = { segment: place === 'query' ? '1' : 1, serviceId: world.mine.services[1] ?? '' }
    return { params: { id: await world.bookedTwoBy(world.people.client) }, [place]: removed }
  },
  neighbours: {
    'params.id': (world) => world.bookedTwoBy(world.people.stranger, world.theirs),
    [`${place}.serviceId`]: neighbourOfService,
  },
})

/** Where a visit at home is. */
const visitAtHome: Recipe = {
  make: async (world) => ({
    params: { id: await world.bookedAtHomeBy(world.people.client) },
    body: { home: { line: '18 rue des Acacias', city: 'Villeurbanne', lat: 45.766, lon: 4.8795 } },
  }),
  neighbours: { 'params.id': (world) => world.bookedAtHomeBy(world.people.stranger, world.theirs) },
}

/** Staff of these worlds are no team member: their column has nobody's visits. */
const ofNoColumn: Recipe['refusedByState'] = { staff: 404 }
const ofInstituteVisit = (more: (world: AccessWorld) => AccessRequest = () => ({}), neighbours: Recipe['neighbours'] = {}): Recipe => ({
  make: async (world) => ({ params: { id: await world.bookedBy(world.people.client) }, ...more(world) }),
  neighbours: { 'params.id': bookedByStranger, ...neighbours },
  refusedByState: ofNoColumn,
})

/** A visit the institute has just moved. */
const movedVisit = (at: 'mine' | 'theirs') => async (world: AccessWorld) => {
  const id = await world.bookedBy(world.people.client, world[at])
  const token = world.people[at === 'mine' ? 'owner' : 'neighbour'].token
  const body = { startsAt: world.nextStart() }
  await world.t.inject('PUT', `/api/v1/secure/mysalon/appointments/${id}/move`, { token, body })
  return id
}

/** Time of the second member that is kept free. */
async function blockedAt({ t, nextStart }: AccessWorld, at: MadeInstitute): Promise<string> {
  const subject = { kind: 'member' as const, id: at.members[1] ?? '' }
  const startsAt = nextStart()
  return (await blockTime(t.context, diaryOf(at), { subject, startsAt, endsAt: later(startsAt, 20) })).id
}
const ofBlockedTime = (more: (world: AccessWorld) => AccessRequest = () => ({}), neighbours: Recipe['neighbours'] = {}): Recipe => ({
  make: async (world) => ({ params: { id: await blockedAt(world, world.mine) }, ...more(world) }),
  neighbours: { 'params.id': (world) => blockedAt(world, world.theirs), ...neighbours },
  refusedByState: ofNoColumn,
})

/** A customer record. */
async function customerAt({ t }: AccessWorld, at: { id: string }): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into customers (institute_id, first_name) values (${at.id}, 'Jo') returning id`.execute(
    t.db,
  )
  return rows[0]?.id ?? ''
}

const ofSession = (more: (world: AccessWorld) => AccessRequest = () => ({})): Recipe => ({
  make: async (world) => ({ params: { id: await world.sessionAt(world.mine) }, ...more(world) }),
  neighbours: { 'params.id': (world) => world.sessionAt(world.theirs) },
})

async function picture(field = 'image'): Promise<AccessRequest> {
  const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#5B1F47' } })
    .jpeg()
    .toBuffer()
  const head = `--edge\r\nContent-Disposition: form-data; name="${field}"; filename="me.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  }
}

/** A reset link of an account made for it. */
async function resetToken({ t }: AccessWorld): Promise<string> {
  const [user, token] = [await makeUser(t.db), randomToken()]
  await sql`insert into password_resets (token_hash, user_id, expires_at) values (${hashToken(token)}, ${user.id}, '2099-01-01T00:00:00Z')`.execute(
    t.db,
  )
  return token
}

/** The code an account has been sent. */
async function codeOf({ t }: AccessWorld, user: MadeUser | null): Promise<string> {
  const code = '270614'
  if (user)
    await sql`insert into email_codes (user_id, code_hash, expires_at, tries_left)
      values (${user.id}, ${hashCode(t.context.settings.secret, user.id, code)}, '2099-01-01T00:00:00Z', 5)
      on conflict (user_id) do nothing`.execute(t.db)
  return code
}

/** An entry of a waiting list for which a time is held. */
async function offeredTo(world: AccessWorld, user: MadeUser, at = world.mine): Promise<string> {
  const holdId = await world.heldBy(user, at)
  const { rows } = await sql<{
    id: string
  }>`with e as (insert into waiting_entries (user_id, institute_id, cart, from_day, to_day, ends_at, created_at)
      values (${user.id}, ${at.id}, ${JSON.stringify([{ serviceId: at.services[0] }])}::jsonb, '2026-11-24', '2027-01-31', '2027-02-01', now()) returning id),
    held as (update appointments set is_offer = true where id = ${holdId} returning starts_at, ends_at, expires_at),
    offered as (insert into waiting_offers (id, entry_id, user_id, institute_id, appointment_id, starts_at, ends_at, offered_at, until)
      select ${randomUUID()}, e.id, ${user.id}, ${at.id}, ${holdId}, h.starts_at, h.ends_at, now(), h.expires_at from e, held h)
    select id from e`.execute(world.t.db)
  return rows[0]?.id ?? ''
}
const ofOffer: Recipe = {
  namesThings: true,
  make: async (world) => ({ params: { id: await offeredTo(world, world.people.client) } }),
  neighbours: { 'params.id': (world) => offeredTo(world, world.people.stranger, world.theirs) },
}

/** A visit for which another time is proposed, kept where that matters; the visit, or what was proposed. */
async function proposedTo(
  world: AccessWorld,
  user: MadeUser,
  at = world.mine,
  holdId: string | null = null,
): Promise<{ visit: string; proposal: string }> {
  const visit = await makeVisit(world.t.db, { userId: user.id, instituteId: at.id, startsAt: '2026-12-20T10:00:00Z' })
  const { rows } = await sql<{ id: string }>`insert into rearrangements
      (institute_id, appointment_id, hold_id, state, before_starts_at, before_ends_at, starts_at, ends_at, staff, until, created_at)
    select ${at.id}, id, ${holdId}, 'sent', starts_at, ends_at, starts_at, ends_at, '[]'::jsonb, starts_at, now() from appointments where id = ${visit} returning id`.execute(
    world.t.db,
  )
  return { visit, proposal: rows[0]?.id ?? '' }
}
const ofProposal: Recipe = {
  namesThings: true,
  make: async (world) => ({ params: { id: (await proposedTo(world, world.people.client)).visit } }),
  neighbours: { 'params.id': async (world) => (await proposedTo(world, world.people.stranger, world.theirs)).visit },
}
const ofKeptProposal: Recipe = {
  ...ofProposal,
  make: async (world) => ({
    params: { id: (await proposedTo(world, world.people.client, world.mine, await world.heldBy(world.people.client))).visit },
  }),
}
/** Days off that a new member has asked for. */
async function requestAt(world: AccessWorld, at: { id: string }): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into leave_requests (institute_id, member_id, kind, from_day, to_day, asked_at)
    values (${at.id}, ${await newMember(world, at)}, 'other', '2026-11-24', '2026-11-24', now()) returning id`.execute(world.t.db)
  return rows[0]?.id ?? ''
}
const ofRequest = (more: AccessRequest = {}): Recipe => ({
  make: async (world) => ({ params: { id: await requestAt(world, world.mine) }, ...more }),
  neighbours: { 'params.id': (world) => requestAt(world, world.theirs) },
})
const levelsOfWorld: readonly AccessActor[] = ['owner', 'manager', 'reception', 'staff']
const ofTeamMember = (more: AccessRequest = {}): Recipe => ({
  make: ({ mine }) => ({ params: { id: mine.members[0] ?? '' }, ...more }),
  neighbours: { 'params.id': neighbourOfMember },
})

/** Any published institute may be marked; one that has closed is known to nobody. */
async function closedInstitute({ t }: AccessWorld): Promise<string> {
  const { id } = await makeInstitute(t.db)
  await sql`update institutes set state = 'suspended' where id = ${id}`.execute(t.db)
  return id
}

/** Something somebody was told. */
async function toldTo({ t }: AccessWorld, user: MadeUser | null): Promise<string> {
  const id = randomUUID()
  if (user)
    await sql`insert into notifications (id, user_id, kind, facts, dedupe_key, created_at)
      values (${id}, ${user.id}, 'booked', ${JSON.stringify({ institute: 'Dar Zellige', client: 'Nour', services: [], startsAt: '2026-11-24T09:00:00Z', timeZone: 'Africa/Casablanca' })}::jsonb, ${id}, now())`.execute(
      t.db,
    )
  return id
}
const ofNotification: Recipe = {
  make: async (world, user) => ({ params: { id: await toldTo(world, user) } }),
  neighbours: { 'params.id': async (world) => toldTo(world, await makeUser(world.t.db)) },
}

/** A visit that was kept, and the review of it where one is wanted. */
const keptVisit = ({ t }: AccessWorld, whose: { userId: string; instituteId: string }): Promise<string> =>
  makeVisit(t.db, { ...whose, startsAt: '2026-11-10T09:00:00Z', attendance: 'done' })
async function reviewAt(world: AccessWorld, at: { id: string }): Promise<string> {
  const visit = await keptVisit(world, { userId: (await makeUser(world.t.db)).id, instituteId: at.id })
  const id = randomUUID()
  await sql`insert into reviews (id, appointment_id, institute_id, author, language, welcoming, hygiene, atmosphere, service_quality, created_at)
    values (${id}, ${visit}, ${at.id}, 'Nour B.', 'en', 5, 4, 4, 5, now())`.execute(world.t.db)
  return id
}
async function hiddenReview(world: AccessWorld): Promise<string> {
  const id = await reviewAt(world, world.mine)
  await sql`update reviews set state = 'hidden' where id = ${id}`.execute(world.t.db)
  return id
}
const keptByStranger: Recipe['neighbours'] = {
  'params.id': (world) => keptVisit(world, { userId: world.people.stranger.id, instituteId: world.theirs.id }),
}
const grades = { welcoming: 5, hygiene: 5, atmosphere: 4, serviceQuality: 4 }
const ofReview = (body: Record<string, unknown>): Recipe => ({
  make: async (world) => ({ params: { id: await reviewAt(world, world.mine) }, body }),
  neighbours: { 'params.id': (world) => reviewAt(world, world.theirs) },
})

/** A conversation of whoever asks with the institute, and one that others have. */
async function chatOf({ t, mine }: AccessWorld, user: MadeUser | null): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into chats (user_id, institute_id, created_at, updated_at) values (${(user ?? (await makeUser(t.db))).id}, ${mine.id}, now(), now())
    on conflict (user_id, institute_id) do update set last_seq = chats.last_seq returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
async function foreignChat({ t }: AccessWorld): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into chats (user_id, institute_id, created_at, updated_at)
    values (${(await makeUser(t.db)).id}, ${(await makeInstitute(t.db)).id}, now(), now()) returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
const ofChat = (more: () => AccessRequest = () => ({})): Recipe => ({
  make: async (world, user) => ({ params: { id: await chatOf(world, user) }, ...more() }),
  neighbours: { 'params.id': foreignChat },
})

/** Somebody who works at the institute for the length of a request; next door, somebody whose id is not to be known here. */
const ofMember: Recipe = {
  make: async ({ t, mine }) => ({ params: { id: (await makePerson(t.db, mine.id, 'staff')).id } }),
  neighbours: { 'params.id': async ({ t, theirs }) => (await makePerson(t.db, theirs.id, 'staff')).id },
}

/** A team member whom nobody is yet. */
async function freeTeamMember({ t, mine }: AccessWorld): Promise<string> {
  await sql`update institute_people set member_id = null where institute_id = ${mine.id}`.execute(t.db)
  await sql`delete from institute_invitations where institute_id = ${mine.id}`.execute(t.db)
  return mine.members[0] ?? ''
}

/** An institute that has added somebody who is asking. */
async function workplaceOf({ t }: AccessWorld, user: MadeUser | null): Promise<string> {
  const { id } = await makeInstitute(t.db)
  if (user) await sql`insert into institute_people (institute_id, user_id, level) values (${id}, ${user.id}, 'staff')`.execute(t.db)
  return id
}

/** A day on which an institute is closed: a Sunday, on which nothing of these worlds begins. */
async function closureAt({ t }: AccessWorld, { id }: { id: string }): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into closures (institute_id, from_day, to_day) values (${id}, '2027-02-07', '2027-02-07') returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}

/** Another session of somebody. */
async function sessionOf({ t }: AccessWorld, user: MadeUser | null): Promise<string> {
  const id = randomUUID()
  if (user)
    await sql`insert into sessions (id, user_id, token_hash, expires_at) values (${id}, ${user.id}, ${hashToken(randomToken())}, '2099-01-01T00:00:00Z')`.execute(
      t.db,
    )
  return id
}

/** Gives an account the password that a request proves. */
async function withPassword({ t }: AccessWorld, user: MadeUser | null): Promise<void> {
  if (user) await sql`update users set password_hash = ${await hashPassword(password, 'tests')} where id = ${user.id}`.execute(t.db)
}

const newAccount = (email: string) => ({ email, password, role: 'isClient', firstName: 'Nour', lastName: 'Benali', acceptTerms: true })

const settled: AccessActor[] = ['client', 'stranger', 'owner', 'manager', 'reception', 'staff', 'neighbour', 'operator']

/** A service that nobody has booked. */
async function serviceAt({ t }: AccessWorld, at: { id: string }): Promise<string> {
  const id = randomUUID()
  await sql`insert into services (id, institute_id, position, category, name, active_minutes, price_amount)
    values (${id}, ${at.id}, 99, 'hair', '{"en":"Trim"}', 20, 2000)`.execute(t.db)
  return id
}
const writtenService = { category: 'hair', name: { en: 'Trim' }, activeMinutes: 20, priceAmount: 2000 }

export const recipes: Record<CallName, Recipe> = {
  login: {
    async make({ t }) {
      const email = `${randomUUID()}@people.test`
      await t.inject('POST', '/api/v1/client/auth/register', { body: newAccount(email) })
      return { body: { email, password, role: 'isClient' } }
    },
  },
  register: { make: () => ({ body: newAccount(`${randomUUID()}@people.test`) }) },
  me: plain,
  profileImage: { make: () => picture() },
  logout: plain,
  verifyEmail: { make: async (world, user) => ({ body: { code: await codeOf(world, user) } }) },
  // Whoever is verified has nothing to be sent.
  resendVerification: { ...plain, refusedByState: Object.fromEntries(settled.map((actor) => [actor, 409])) },
  requestPasswordReset: { make: () => ({ body: { email: `${randomUUID()}@people.test` } }) },
  validateResetToken: { make: async (world) => ({ query: { token: await resetToken(world) } }) },
  resetPassword: { make: async (world) => ({ body: { token: await resetToken(world), password } }) },
  places: { make: () => ({ query: { q: 'Lyon' } }) },
  nearestPlace: { make: () => ({ query: { lat: '45.75', lon: '4.85' } }) },
  suggestions: { make: () => ({ query: { q: 'nails' } }) },
  searchInstitutes: plain,
  institute: { make: ({ mine }) => ({ params: { slug: mine.slug } }) },
  home: plain,
  availability: times({ from: '2026-11-24', days: '2' }),
  monthMap: times({ month: '2026-12' }),
  nextTimes: times({}),
  makeHold: {
    make: ({ mine, nextStart }) => ({ body: holdBody(mine, { startsAt: nextStart(), lines: [[0, 0]] }) }),
    neighbours: {
      'body.instituteId': neighbourOfInstitute,
      'body.services.0.serviceId': neighbourOfService,
      'body.services.0.staffId': neighbourOfMember,
    },
  },
  team: plain,
  addTeamMember: {
    make: ({ mine }) => ({ body: memberBody(mine.services[0]) }),
    neighbours: { 'body.services.0.serviceId': neighbourOfService },
  },
  changeTeamMember: {
    make: ({ mine }) => ({
      params: { id: mine.members[0] ?? '' },
      body: { services: [{ serviceId: mine.services[0] }, { serviceId: mine.services[1] }, { serviceId: mine.services[2] }] },
    }),
    neighbours: {
      'params.id': neighbourOfMember,
      'body.services.0.serviceId': neighbourOfService,
    },
  },
  orderTeam: { make: ({ mine }) => ({ body: { ids: [mine.members[0]] } }), neighbours: { 'body.ids.0': neighbourOfMember } },
  teamPicture: {
    make: async (world) => ({ params: { id: await newMember(world, world.mine) }, ...(await picture()) }),
    neighbours: { 'params.id': neighbourOfMember },
  },
  ownLeaveRequests: plain,
  // Who has a login in these worlds is nobody of the team.
  askForLeave: {
    make: () => ({ body: { kind: 'other', fromDay: '2026-11-24', toDay: '2026-11-24' } }),
    refusedByState: refusedToAll(409, levelsOfWorld),
  },
  withdrawLeaveRequest: { ...ofRequest(), refusedByState: refusedToAll(404, levelsOfWorld) },
  leaveRequests: plain,
  answerLeaveRequest: ofRequest({ body: { answer: 'declined', reason: 'Too many are away.' } }),
  setAvailability: ofNewMember({ body: { status: 'on_holiday', fromDay: '2026-11-24', toDay: '2026-11-24' } }),
  setDayShifts: ofNewMember({ params: { day: '2026-11-24' }, body: { shifts: [] } }),
  visitsOfMember: ofNewMember(),
  busyCalendar: ofNewMember(),
  // Nobody outside is asked in tests: the address is refused for where it leads.
  setBusyCalendar: { ...ofNewMember({ body: { address: 'https://127.0.0.1/busy.ics' } }), refusedByState: { owner: 400, manager: 400 } },
  removeBusyCalendar: {
    async make(world) {
      const id = await newMember(world, world.mine)
      await sql`insert into busy_calendars (institute_id, member_id, address_sealed, host, due_at, created_at) values (${world.mine.id}, ${id}, 'a', 'h', now(), now())`.execute(
        world.t.db,
      )
      return { params: { id } }
    },
    neighbours: { 'params.id': neighbourOfMember },
  },
  removeTeamMember: ofNewMember(),
  resources: plain,
  addResource: { make: () => ({ body: { type: 'bath', name: 'Bath' } }) },
  orderResources: {
    make: async (world) => ({ body: { ids: [await newResource(world, world.mine)] } }),
    neighbours: { 'body.ids.0': (world) => newResource(world, world.theirs) },
  },
  changeResource: ofResource({ body: { type: 'bath', name: 'Bath' } }),
  removeResource: ofResource(),
  currentHolds: plain,
  extendHold: ofHold,
  releaseHold: ofHold,
  book: {
    namesThings: true,
    make: async (world) => ({ body: { holdId: await world.heldBy(world.people.client) } }),
    neighbours: { 'body.holdId': heldByStranger },
  },
  appointments: plain,
  appointment: ofVisit(),
  appointmentCalendarFile: ofVisit(),
  reminders: ofVisit(),
  notifications: plain,
  readAllNotifications: plain,
  notificationChoices: plain,
  chooseNotifications: { make: () => ({ body: { kind: 'offers', channel: 'mail', isOn: false } }) },
  readNotification: ofNotification,
  removeNotification: ofNotification,
  joinWaitingList: {
    make: async (world, user, actor) => ({
      body: {
        instituteId: world.mine.id,
        services: [{ serviceId: world.mine.services[0] ?? '', staffId: world.mine.members[0] ?? '' }],
        fromDay: '2026-11-24',
        toDay: '2026-11-30',
        visitId: user && actor !== 'unverified' ? await world.bookedBy(user) : randomUUID(),
      },
    }),
    neighbours: {
      'body.instituteId': neighbourOfInstitute,
      'body.services.0.serviceId': neighbourOfService,
      'body.services.0.staffId': neighbourOfMember,
      'body.visitId': bookedByStranger,
    },
  },
  waitingEntries: plain,
  leaveWaitingList: ofOffer,
  acceptOffer: ofOffer,
  declineOffer: ofOffer,
  proposals: {
    make: async (world) => ({
      query: { staffId: world.mine.members[0] ?? '', visit: (await proposedTo(world, world.people.client)).visit },
    }),
    neighbours: { 'query.staffId': neighbourOfMember, 'query.visit': ofProposal.neighbours?.['params.id'] ?? bookedByStranger },
  },
  rearrange: {
    make: async (world) => ({
      body: {
        items: [
          {
            appointmentId: await world.bookedBy(world.people.client),
            how: 'propose',
            startsAt: world.nextStart(),
            staff: [world.mine.members[0] ?? ''],
          },
        ],
      },
    }),
    neighbours: { 'body.items.0.appointmentId': bookedByStranger, 'body.items.0.staff.0': neighbourOfMember },
  },
  rearrangements: plain,
  changeRearrangement: {
    make: async (world) => ({
      params: { id: (await proposedTo(world, world.people.client)).proposal },
      body: { how: 'settled', staff: [world.mine.members[0] ?? ''] },
    }),
    neighbours: {
      'params.id': async (world) => (await proposedTo(world, world.people.stranger, world.theirs)).proposal,
      'body.staff.0': neighbourOfMember,
    },
  },
  runLate: ofTeamMember({ body: { minutes: 20 } }),
  runOnTime: ofTeamMember(),
  lateMembers: plain,
  ownProposal: ofProposal,
  ownProposals: plain,
  acceptProposal: ofKeptProposal,
  declineProposal: ofProposal,
  toggleFavourite: { make: ({ mine }) => ({ params: { id: mine.id } }), neighbours: { 'params.id': closedInstitute } },
  favourites: plain,
  favouriteIds: plain,
  ownProfile: plain,
  updateProfile: { make: () => ({ body: { phone: '+33 6 12 34 56 78' } }) },
  changeOwnPassword: {
    endsAccount: true,
    async make(world, user) {
      await withPassword(world, user)
      return { body: { currentPassword: password, newPassword: 'another long password' } }
    },
  },
  publishInstitute: {
    make: wholeDraft,
    endsAccount: true,
    neighbours: { 'body.pictures.0': strangersPicture, 'body.logo': strangersPicture, 'body.claims': neighbourOfInstitute },
    refusedByState: { ...refusedToAll(403, ['client', 'stranger', 'operator']), owner: 409, neighbour: 409 },
  },
  setupState: ofSetup(),
  withdrawClaim: ofSetup(),
  setupPlace: ofSetup(() => ({ query: { lat: '45.77', lon: '4.83' } })),
  setupListings: ofSetup(() => ({ query: { name: 'Mimosa', lat: '45.77', lon: '4.83' } })),
  sendSetupPicture: ofSetup(() => picture('picture')),
  devices: plain,
  exportOwnData: plain,
  exportOwnFiles: plain,
  eraseAccount: {
    endsAccount: true,
    async make(world, user) {
      await withPassword(world, user)
      return { body: { password } }
    },
    // An institute keeps its owner.
    refusedByState: { owner: 409, neighbour: 409 },
  },
  endDevice: {
    make: async (world, user) => ({ params: { id: await sessionOf(world, user) } }),
    neighbours: { 'params.id': async (world) => sessionOf(world, await makeUser(world.t.db)) },
  },
  endOtherDevices: { ...plain, endsAccount: true },
  instituteReviews: { make: ({ mine }) => ({ params: { slug: mine.slug } }) },
  writeReview: {
    namesThings: true,
    make: async (world) => ({
      params: { id: await keptVisit(world, { userId: world.people.client.id, instituteId: world.mine.id }) },
      body: grades,
    }),
    neighbours: keptByStranger,
  },
  ownReview: {
    namesThings: true,
    make: async (world) => ({ params: { id: await keptVisit(world, { userId: world.people.client.id, instituteId: world.mine.id }) } }),
    neighbours: keptByStranger,
  },
  // Anybody may report what anybody reads; one that is hidden is known to nobody.
  reportReview: { ...ofReview({ reason: 'insult' }), neighbours: { 'params.id': hiddenReview } },
  replyToReview: ofReview({ text: 'Thank you.' }),
  contestReview: ofReview({ reason: 'not_a_visit', note: 'Nobody of this name came.' }),
  recentPartners: plain,
  chats: plain,
  // Nobody writes to the institute they answer for: everybody writes to one nobody works at.
  openChat: {
    make: async ({ t }) => ({ body: { instituteId: (await makeInstitute(t.db)).id } }),
    neighbours: { 'body.instituteId': closedInstitute },
  },
  chat: ofChat(),
  toggleChatArchive: ofChat(),
  deleteChat: ofChat(),
  readChat: ofChat(),
  blockChat: ofChat(() => ({ body: { blocked: false } })),
  reportChat: ofChat(() => ({ body: { reason: 'Unwanted offers' } })),
  sendMessage: {
    async make(world, user, actor) {
      const who = user === null || actor === 'unverified' ? world.people.client : user
      return { body: { chatId: await chatOf(world, who), text: 'Hello', clientId: randomUUID(), appointmentId: await world.bookedBy(who) } }
    },
    neighbours: {
      'body.chatId': foreignChat,
      'body.appointmentId': bookedByStranger,
    },
  },
  offerFreeTime: {
    async make(world) {
      const { services, startsAt } = holdBody(world.mine, { startsAt: world.nextStart(), lines: [[0, 0]] })
      return { params: { id: await chatOf(world, null) }, body: { clientId: randomUUID(), services, startsAt } }
    },
    neighbours: {
      'params.id': foreignChat,
      'body.services.0.serviceId': neighbourOfService,
      'body.services.0.staffId': neighbourOfMember,
    },
  },
  messages: ofChat(),
  chatMedia: ofChat(),
  cancelAppointment: ofVisit(),
  rescheduleAppointment: ofVisit(({ mine, nextStart }) => ({ body: { startsAt: nextStart(), staff: [mine.members[0] ?? ''] } }), {
    'body.staff.0': neighbourOfMember,
  }),
  reschedulePlan: ofVisit(({ mine, nextStart }) => ({ query: { startsAt: nextStart(), staff: mine.members[0] ?? '' } }), {
    'query.staff': neighbourOfMember,
  }),
  rescheduleTimes: ofVisit(({ mine }) => ({ query: { staff: mine.members[0] ?? '' } }), { 'query.staff': neighbourOfMember }),
  visitServiceRemoval: { namesThings: true, ...visitOfTwo('query') },
  removeVisitService: { namesThings: true, ...visitOfTwo('body') },
  correctHome: { namesThings: true, ...visitAtHome },
  seriesPlan: ofVisit(() => ({ query: { everyWeeks: '1', times: '2' } })),
  makeSeries: ofVisit(({ nextStart }) => ({ body: { everyWeeks: 1, startsAt: [nextStart()] } })),
  series: ofVisit(),
  cancelSeries: ofVisit(),
  instituteVisits: plain,
  dashboard: plain,
  gaps: plain,
  // A time that nobody keeps open between two others.
  offerGap: {
    make: ({ mine }) => ({
      body: { staffId: mine.members[0] ?? '', startsAt: '2026-11-24T10:00:00Z', endsAt: '2026-11-24T11:00:00Z' },
    }),
    refusedByState: { owner: 409, manager: 409, reception: 409 },
    neighbours: { 'body.staffId': neighbourOfMember },
  },
  dashboardFigures: plain,
  instituteSettings: plain,
  changeInstituteSettings: {
    make: ({ people }) => ({
      body: {
        payments: { payAtSalon: true, paymentMethods: ['card'], deposit: { kind: 'none' } },
        notifications: [{ userId: people.owner.id, choices: [] }],
      },
    }),
    neighbours: { 'body.notifications.0.userId': ({ people }) => people.neighbour.id },
  },
  whatIf: { make: () => ({ body: {} }) },
  closures: plain,
  close: { make: () => ({ body: { fromDay: '2027-03-07', reason: 'Boiler repair' } }) },
  reopen: {
    make: async (world) => ({ params: { id: await closureAt(world, world.mine) } }),
    neighbours: { 'params.id': (world) => closureAt(world, world.theirs) },
  },
  ownPermissions: plain,
  cancelInstituteVisit: ofInstituteVisit(),
  moveInstituteVisit: ofInstituteVisit(({ mine, nextStart }) => ({ body: { startsAt: nextStart(), staffId: mine.members[0] ?? '' } }), {
    'body.staffId': neighbourOfMember,
  }),
  diary: { make: () => ({ query: { from: '2026-11-24' } }) },
  diaryMonth: { make: () => ({ query: { month: '2026-11' } }) },
  diaryVisit: ofInstituteVisit(),
  visitCancellation: ofInstituteVisit(),
  bookForClient: {
    make: async (world) => ({
      body: {
        services: [{ serviceId: world.mine.services[0] ?? '', staffId: world.mine.members[0] ?? '' }],
        startsAt: world.nextStart(),
        customerId: await customerAt(world, world.mine),
      },
    }),
    neighbours: {
      'body.services.0.serviceId': neighbourOfService,
      'body.services.0.staffId': neighbourOfMember,
      'body.customerId': (world) => customerAt(world, world.theirs),
    },
    refusedByState: ofNoColumn,
  },
  services: plain,
  serviceStarters: { make: () => ({ query: { category: 'hair' } }) },
  addService: {
    make: ({ mine }) => ({
      body: {
        ...writtenService,
        performers: [{ staffId: mine.members[0], minutes: null, priceAmount: null }],
        prerequisites: [{ serviceId: mine.services[0], minHours: 48, maxMonths: 6 }],
      },
    }),
    neighbours: { 'body.performers.0.staffId': neighbourOfMember, 'body.prerequisites.0.serviceId': neighbourOfService },
  },
  orderServices: {
    make: ({ mine }) => ({ body: { serviceIds: [mine.services[0]] } }),
    neighbours: { 'body.serviceIds.0': neighbourOfService },
  },
  // The menus of these worlds have one group.
  renameGroup: { make: () => ({ body: { section: { en: 'Menu' }, to: { en: 'Menu' } } }) },
  changeService: {
    make: async (world) => ({
      params: { id: await serviceAt(world, world.mine) },
      body: {
        ...writtenService,
        performers: [{ staffId: world.mine.members[0], minutes: null, priceAmount: null }],
        prerequisites: [{ serviceId: world.mine.services[0], minHours: 48, maxMonths: 6 }],
      },
    }),
    neighbours: {
      'params.id': (world) => serviceAt(world, world.theirs),
      'body.performers.0.staffId': neighbourOfMember,
      'body.prerequisites.0.serviceId': neighbourOfService,
    },
  },
  removeService: {
    make: async (world) => ({
      params: { id: await serviceAt(world, world.mine) },
      query: { successorId: await serviceAt(world, world.mine) },
    }),
    neighbours: {
      'params.id': (world) => serviceAt(world, world.theirs),
      'query.successorId': (world) => serviceAt(world, world.theirs),
    },
  },
  noteAttendance: ofInstituteVisit(() => ({ body: { attendance: 'arrived' } })),
  noteVisit: ofInstituteVisit(() => ({ body: { note: 'Likes the window' } })),
  diaryServiceRemoval: { ...visitOfTwo('query'), refusedByState: ofNoColumn },
  removeDiaryVisitService: { ...visitOfTwo('body'), refusedByState: ofNoColumn },
  correctDiaryHome: { ...visitAtHome, refusedByState: ofNoColumn },
  resizeVisit: ofInstituteVisit(() => ({ body: { segment: 0, durationMinutes: 20 } })),
  undoVisitChange: {
    make: async (world) => ({ params: { id: await movedVisit('mine')(world) } }),
    neighbours: { 'params.id': movedVisit('theirs') },
    refusedByState: ofNoColumn,
  },
  diaryTimes: {
    make: async (world) => ({
      query: {
        service: world.mine.services[0] ?? '',
        staff: world.mine.members[0] ?? '',
        from: '2026-11-24',
        visit: await world.bookedBy(world.people.client),
      },
    }),
    neighbours: { 'query.service': neighbourOfService, 'query.staff': neighbourOfMember, 'query.visit': bookedByStranger },
    refusedByState: ofNoColumn,
  },
  whyNot: {
    make: ({ mine, nextStart }) => ({ query: { service: mine.services[0] ?? '', staff: mine.members[0] ?? '', startsAt: nextStart() } }),
    neighbours: { 'query.service': neighbourOfService, 'query.staff': neighbourOfMember },
    refusedByState: ofNoColumn,
  },
  blockTime: {
    make: ({ mine, nextStart }) => {
      const startsAt = nextStart()
      return {
        body: { staffId: mine.members[1] ?? '', resourceId: mine.resources[0] ?? '', startsAt, endsAt: later(startsAt, 20), kind: 'break' },
      }
    },
    neighbours: { 'body.staffId': neighbourOfMember, 'body.resourceId': ({ theirs }) => theirs.resources[0] ?? '' },
    refusedByState: ofNoColumn,
  },
  moveBlockedTime: ofBlockedTime(
    ({ mine, nextStart }) => {
      const startsAt = nextStart()
      return { body: { startsAt, endsAt: later(startsAt, 20), staffId: mine.members[0] ?? '' } }
    },
    { 'body.staffId': neighbourOfMember },
  ),
  moveBreak: { make: memberWithBreak, neighbours: { 'body.staffId': neighbourOfMember } },
  unblockTime: ofBlockedTime(),
  ...customerRecipes,
  businessCheck: plain,
  sendBusinessCheck: {
    async make({ t, mine }) {
      // Another one waits after each.
      await sql`delete from business_checks where institute_id = ${mine.id}`.execute(t.db)
      return checkForm({ legalName: 'Nacre SARL', registrationNumber: '732 829 320 00074' })
    },
  },
  withdrawBusinessCheck: plain,
  ...saleRecipes,
  ...paymentRecipes,
  ...passkeyRecipes,
  groupSessions: plain,
  openGroupSession: {
    make: ({ mine, nextStart }) => ({
      body: {
        serviceId: mine.services[2] ?? '',
        staffId: mine.members[0] ?? '',
        resourceId: mine.resources[0] ?? '',
        startsAt: nextStart(),
      },
    }),
    neighbours: {
      'body.serviceId': ({ theirs }) => theirs.services[2] ?? '',
      'body.staffId': neighbourOfMember,
      'body.resourceId': ({ theirs }) => theirs.resources[0] ?? '',
    },
  },
  planGroupSessions: {
    make: async (world) => ({
      query: {
        serviceId: world.mine.services[2] ?? '',
        staffId: world.mine.members[0] ?? '',
        resourceId: world.mine.resources[0] ?? '',
        sessionId: await world.sessionAt(world.mine),
        startsAt: world.nextStart(),
      },
    }),
    neighbours: {
      'query.serviceId': ({ theirs }) => theirs.services[2] ?? '',
      'query.staffId': neighbourOfMember,
      'query.resourceId': ({ theirs }) => theirs.resources[0] ?? '',
      'query.sessionId': (world) => world.sessionAt(world.theirs),
    },
  },
  openGroupSessions: {
    make: ({ mine, nextStart }) => ({
      body: {
        serviceId: mine.services[2] ?? '',
        staffId: mine.members[0] ?? '',
        resourceId: mine.resources[0] ?? '',
        startsAt: [nextStart(), nextStart()],
      },
    }),
    neighbours: {
      'body.serviceId': ({ theirs }) => theirs.services[2] ?? '',
      'body.staffId': neighbourOfMember,
      'body.resourceId': ({ theirs }) => theirs.resources[0] ?? '',
    },
  },
  moveGroupSession: {
    make: async (world) => ({
      params: { id: await world.sessionAt(world.mine) },
      body: { startsAt: world.nextStart(), staffId: world.mine.members[0] ?? '', resourceId: world.mine.resources[0] ?? '' },
    }),
    neighbours: {
      'params.id': (world) => world.sessionAt(world.theirs),
      'body.staffId': neighbourOfMember,
      'body.resourceId': ({ theirs }) => theirs.resources[0] ?? '',
    },
  },
  resizeGroupSession: ofSession(() => ({ body: { capacity: 5 } })),
  cancelGroupSession: ofSession(),
  members: plain,
  addMember: {
    make: async (world) => ({ body: { email: `${randomUUID()}@people.test`, level: 'staff', staffId: await freeTeamMember(world) } }),
    neighbours: { 'body.staffId': neighbourOfMember },
  },
  changeMember: {
    make: async (world) => ({
      params: { id: (await makePerson(world.t.db, world.mine.id, 'staff')).id },
      body: { level: 'reception', staffId: await freeTeamMember(world) },
    }),
    neighbours: { ...ofMember.neighbours, 'body.staffId': neighbourOfMember },
  },
  removeMember: ofMember,
  signInAtProvider: notAtProvider,
  calendars: plain,
  connectCalendar: { ...notAtProvider, refusedByState: refusedToAll(422, signedIn) },
  disconnectCalendar: plain,
  makeCalendarFeed: plain,
  removeCalendarFeed: plain,
  calendarFeed: { make: async (world) => ({ params: { token: await feedToken(world) } }) },
  leaveInstitute: {
    make: async (world, user) => ({ params: { id: await workplaceOf(world, user) } }),
    neighbours: { 'params.id': (world) => workplaceOf(world, null) },
  },
}
