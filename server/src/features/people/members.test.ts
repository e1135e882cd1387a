/** People of an institute over HTTP: added by email, given levels, removed; and what they are told. */
import { randomUUID } from 'node:crypto'
import { instituteHeader } from '@soigne/contract/access'
import { mostMembers } from '@soigne/contract/members'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashCode } from '#/platform/tokens.ts'
import { eventsOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Atelier Nacre', members: 2 })
})

const path = '/api/v1/secure/mysalon/members'
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', at: string, body?: object, user = owner, locale = 'en'): Promise<TestAnswer> =>
  t.inject(method, at, { token: user.token, locale, headers: { [instituteHeader]: institute.id }, ...(body && { body }) })
const add = (body: object, locale?: string): Promise<TestAnswer> => ask('POST', path, body, owner, locale)
const change = (id: string, body: object): Promise<TestAnswer> => ask('PUT', `${path}/${id}`, body)
const remove = (id: string): Promise<TestAnswer> => ask('DELETE', `${path}/${id}`)
const list = async (): Promise<Record<string, unknown>[]> => (await ask('GET', path)).body['items'] as unknown as Record<string, unknown>[]
const refused = (answer: TestAnswer): [number, string] => [answer.status, String(answer.body['code'])]
const idOf = ({ body }: TestAnswer): string => String(body['_id'])
const diary = (user: MadeUser): Promise<TestAnswer> => ask('GET', '/api/v1/secure/mysalon/appointments', undefined, user)
const letters = async (to: string): Promise<[string, string][]> =>
  (await t.mails(to)).map(({ subject, text }): [string, string] => [subject, text]).toReversed()
const kinds = async (): Promise<string[]> => (await eventsOf(t.db, institute)).map(({ kind }) => kind)
const confirm = async (user: MadeUser): Promise<void> => {
  await sql`insert into email_codes (user_id, code_hash, expires_at, tries_left)
    values (${user.id}, ${hashCode(t.context.settings.secret, user.id, '270614')}, '2099-01-01T00:00:00Z', 5)`.execute(t.db)
  expect((await t.inject('POST', '/api/v1/secure/client/verify-email', { token: user.token, body: { code: '270614' } })).status).toBe(200)
}

describe('a confirmed account', () => {
  it('that is added works here at once, is listed, and is told in its language', async () => {
    const lea = await makeUser(t.db, { firstName: 'Léa', locale: 'fr' })
    expect((await diary(lea)).status).toBe(404)
    const answer = await add({ email: lea.email.toUpperCase(), level: 'reception', staffId: institute.members[1] })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        _id: lea.id,
        state: 'joined',
        email: lea.email,
        firstName: 'Léa',
        lastName: 'Benali',
        level: 'reception',
        staffId: institute.members[1],
        since: new Date(t.clock.now()).toISOString(),
        isMe: false,
      },
    ])
    expect((await diary(lea)).status).toBe(200)
    expect((await list()).map(({ email, level, isMe }) => [email, level, isMe])).toEqual([
      [owner.email, 'owner', true],
      [lea.email, 'reception', false],
    ])
    const [letter, ...more] = await letters(lea.email)
    expect(more).toEqual([])
    expect(letter?.[0]).toBe('Vous avez maintenant accès à Atelier Nacre')
    expect(letter?.[1]).toMatch(/Votre accès\u00a0: Accueil\.[^]*http:\/\/soigne\.test\/mysalon/)
    expect(await kinds()).toEqual(['person.joined'])
    expect(refused(await add({ email: lea.email, level: 'staff' }))).toEqual([409, 'already_member'])
    expect(refused(await add({ email: owner.email, level: 'staff' }))).toEqual([409, 'already_member'])
  })

  it('may be given another level, which counts with the next request, and may be removed', async () => {
    const sam = await makePerson(t.db, institute.id, 'staff')
    expect((await change(sam.id, { level: 'manager' })).body).toMatchObject({ level: 'manager', staffId: null })
    // The same again changes nothing and tells nobody.
    expect((await change(sam.id, { level: 'manager' })).status).toBe(200)
    expect((await change(sam.id, { staffId: institute.members[0] })).body).toMatchObject({
      level: 'manager',
      staffId: institute.members[0],
    })
    expect((await change(sam.id, { staffId: null })).body).toMatchObject({ staffId: null })
    expect((await remove(sam.id)).body).toEqual({ message: 'Their access has ended.' })
    expect((await diary(sam)).status).toBe(404)
    expect(refused(await remove(sam.id))).toEqual([404, 'not_found'])
    expect((await letters(sam.email)).map(([subject]) => subject)).toEqual([
      'Your access to Atelier Nacre has changed',
      'Your access to Atelier Nacre has ended',
    ])
    expect(await kinds()).toEqual(['person.changed', 'institute.changed', 'institute.changed', 'person.removed'])
  })

  it('may leave by itself, and is told nothing that it knows', async () => {
    const sam = await makePerson(t.db, institute.id, 'manager')
    const leave = (user: MadeUser): Promise<TestAnswer> =>
      t.inject('DELETE', `/api/v1/secure/client/memberships/${institute.id}`, { token: user.token, locale: 'ar' })
    expect((await leave(sam)).body).toEqual({ message: 'لم يعد لديك حق الدخول إلى هذا المركز.' })
    expect(refused(await leave(sam))).toEqual([404, 'not_found'])
    expect(refused(await leave(owner))).toEqual([409, 'last_owner'])
    expect(await letters(sam.email)).toEqual([])
    const { rows } = await sql`select actor ->> 'userId' as by from events where institute_id = ${institute.id}`.execute(t.db)
    expect(rows).toEqual([{ by: sam.id }])
  })
})

describe('somebody without a confirmed account', () => {
  it('is invited in the language of who asks, and works here once the address is confirmed', async () => {
    const email = `${randomUUID()}@people.test`
    const answer = await add({ email, level: 'manager', staffId: institute.members[0] }, 'ar')
    expect([answer.status, answer.body]).toMatchObject([201, { state: 'invited', email, firstName: null, level: 'manager' }])
    const [letter] = await letters(email)
    expect(letter?.[0]).toBe('دعوة للانضمام إلى فريق \u2068Atelier Nacre\u2069')
    expect(letter?.[1]).toMatch(/الإدارة[^]*14 يومًا[^]*http:\/\/soigne\.test\/register\?role=isPro/)
    const user = await makeUser(t.db, { email, verified: false, role: 'isPro' })
    expect(refused(await diary(user))).toEqual([403, 'email_unverified'])
    await confirm(user)
    expect((await diary(user)).status).toBe(200)
    expect(await list()).toMatchObject([
      { level: 'owner' },
      { _id: user.id, state: 'joined', level: 'manager', staffId: institute.members[0] },
    ])
    // Who joined by themselves is told nothing more.
    expect(await letters(email)).toHaveLength(1)
    expect(await kinds()).toEqual(['person.invited', 'person.joined'])
  })

  it('with an account whose address is not confirmed is not known from one without', async () => {
    const waiting = await makeUser(t.db, { verified: false })
    const [known, unknown] = [await add({ email: waiting.email, level: 'staff' }), await add({ email: 'a@people.test', level: 'staff' })]
    const facts = ({ status, body }: TestAnswer) => [status, body['state'], body['firstName'], body['level']]
    expect(facts(known)).toEqual(facts(unknown))
  })

  it('may be invited again, at another level, and is not when the invitation was taken back or ran out', async () => {
    const [first, second] = [`${randomUUID()}@people.test`, `${randomUUID()}@people.test`]
    const id = idOf(await add({ email: first, level: 'staff' }))
    expect((await add({ email: first, level: 'reception' })).body).toMatchObject({ _id: id, level: 'reception' })
    expect((await change(id, { level: 'manager' })).body).toMatchObject({ _id: id, level: 'manager', state: 'invited' })
    expect((await list()).map(({ level }) => level)).toEqual(['owner', 'manager'])
    expect(await letters(first)).toHaveLength(2)
    expect((await remove(id)).status).toBe(200)
    await add({ email: second, level: 'staff', staffId: institute.members[0] })
    t.clock.advance(15 * 86_400_000)
    for (const email of [first, second]) {
      const user = await makeUser(t.db, { email, verified: false })
      await confirm(user)
      expect((await diary(user)).status).toBe(404)
    }
    expect(await list()).toHaveLength(1)
    // Nobody stands in the way of a team member for an invitation that ran out.
    expect((await add({ email: 'b@people.test', level: 'staff', staffId: institute.members[0] })).status).toBe(201)
    t.clock.advance(15 * 86_400_000)
    await t.jobs['tidy_invitations']?.({})
    expect((await sql`select from institute_invitations where institute_id = ${institute.id}`.execute(t.db)).rows).toEqual([])
  })

  it('gets no letter when it is taken back before one is written', async () => {
    const email = `${randomUUID()}@people.test`
    await remove(idOf(await add({ email, level: 'staff' })))
    expect(await letters(email)).toEqual([])
  })

  it('is sent no link that stands in the name of an institute', async () => {
    await sql`update institutes set name = 'Win www.prize.test now http://x.test/a b.example' where id = ${institute.id}`.execute(t.db)
    const email = `${randomUUID()}@people.test`
    await add({ email, level: 'staff' })
    const [letter] = await letters(email)
    expect(letter?.[0]).toBe('Win now invites you to join its team')
    expect(letter?.[1]).not.toMatch(/prize|x\.test|example/)
  })
})

describe('what stays as it is', () => {
  it('an institute keeps its owner, who may still be a team member', async () => {
    for (const level of ['manager', 'reception', 'staff']) expect(refused(await change(owner.id, { level }))).toEqual([409, 'last_owner'])
    expect(refused(await remove(owner.id))).toEqual([409, 'last_owner'])
    expect((await change(owner.id, { staffId: institute.members[0] })).body).toMatchObject({
      level: 'owner',
      staffId: institute.members[0],
    })
    // The level of an owner is given by nobody.
    const sam = await makePerson(t.db, institute.id, 'manager')
    expect(refused(await change(sam.id, { level: 'owner' }))).toEqual([400, 'bad_input'])
    expect(refused(await add({ email: 'c@people.test', level: 'owner' }))).toEqual([400, 'bad_input'])
  })

  it('one login for each team member, and no team member of somebody else', async () => {
    const other = await makeInstitute(t.db)
    const sam = await makePerson(t.db, institute.id, 'staff')
    expect((await add({ email: 'd@people.test', level: 'staff', staffId: institute.members[0] })).status).toBe(201)
    expect(refused(await change(sam.id, { staffId: institute.members[0] }))).toEqual([409, 'member_has_login'])
    expect(refused(await change(sam.id, { staffId: other.members[0] }))).toEqual([404, 'not_found'])
    const lea = await makeUser(t.db)
    expect(refused(await add({ email: lea.email, level: 'staff', staffId: other.members[0] }))).toEqual([404, 'not_found'])
    expect(await kinds()).toEqual(['person.invited'])
  })

  it('no more people than a list can show, and no more letters than an institute needs', async () => {
    await sql`insert into institute_invitations (institute_id, email, level, locale, created_at, expires_at)
      select ${institute.id}, n || '@many.test', 'staff', 'en', now(), '2099-01-01T00:00:00Z' from generate_series(2, ${mostMembers}::int) n`.execute(
      t.db,
    )
    const full = await add({ email: 'e@people.test', level: 'staff' })
    expect([...refused(full), full.body['details']]).toEqual([409, 'too_many_members', { most: mostMembers }])
    await sql`delete from institute_invitations where institute_id = ${institute.id}`.execute(t.db)
    let last = full
    for (let n = 0; n < 40; n++) last = await add({ email: 'e@people.test', level: 'staff' })
    expect(refused(last)).toEqual([429, 'too_many_requests'])
    // However often: an address is sent a few.
    expect(await letters('e@people.test')).toHaveLength(5)
  })

  it('of an owner and somebody who confirms in this very moment one makes the other a person, once', async () => {
    for (let n = 0; n < 6; n++) {
      const user = await makeUser(t.db, { verified: false })
      const [added] = await Promise.all([add({ email: user.email, level: 'staff' }), confirm(user)])
      expect(added.status).toBe(201)
      expect((await diary(user)).status).toBe(200)
    }
    expect((await kinds()).filter((kind) => kind === 'person.joined')).toHaveLength(6)
  })
})
