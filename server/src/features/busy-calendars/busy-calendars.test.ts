/** The calendar elsewhere of a member over HTTP, with a server of its own for the calendar. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, later, refused, tryHold, wall } from '#/testing/booking.ts'
import { startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
const day = '2026-11-24'
const ten = wall(`${day}T10:00`)

let answer: (request: IncomingMessage, response: ServerResponse) => void
let seen: IncomingMessage['headers'][] = []
const elsewhere = createServer((request, response) => {
  seen.push(request.headers)
  answer(request, response)
})
const address = (path = '/secret.ics'): string => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}${path}`

const stamp = (instant: string): string => `${instant.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}`
const calendarOf = (...events: [from: string, to: string, ...more: string[]][]): string =>
  [
    'BEGIN:VCALENDAR',
    ...events.map(([from, to, ...more], at) =>
      ['BEGIN:VEVENT', `UID:${at}`, 'SUMMARY:Dentist', `DTSTART:${stamp(from)}`, `DTEND:${stamp(to)}`, ...more, 'END:VEVENT'].join('\r\n'),
    ),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const says = (text: string, headers: Record<string, string> = {}) => {
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/calendar', ...headers }).end(text)
}

beforeAll(async () => {
  t = await openTestApp({ settings: { BUSY_CALENDARS_FROM: 'anywhere' } })
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  await t.close()
  await new Promise((done) => elsewhere.close(done))
})
beforeEach(async () => {
  t.clock.set('2026-11-20T11:00:00Z')
  seen = []
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ active: 40 }] })
})

const path = () => `/api/v1/secure/mysalon/staff/${institute.members[0]}/busy-calendar`
const give = (typed = address(), user = owner) => t.inject('PUT', path(), { token: user.token, body: { address: typed } })
interface Shown {
  calendar: {
    host: string
    lastReadAt: string | null
    problem: string | null
    busy: number
    hits: { _id: string; customer: string }[]
  } | null
}
const shown = async () => ((await t.inject('GET', path(), { token: owner.token })).body as unknown as Shown).calendar
const problemOf = async (typed: string): Promise<[number, string | undefined]> => {
  const { status, body } = await give(typed)
  return [status, body['details']?.['fields']?.['address'] as unknown as string]
}
async function readAgain(minutes = 15): Promise<void> {
  t.clock.set(new Date(t.clock.now() + minutes * 60_000).toISOString())
  await t.jobs['read_busy_calendars']?.({})
  await t.drainJobs()
}
const isFree = async (at: number): Promise<boolean> => (await startsOffered(t, institute, day)).includes(later(ten, at))

describe('the calendar of a member', () => {
  it('keeps its busy times from everybody, follows what it says, and leaves nothing behind', async () => {
    expect(await isFree(0)).toBe(true)
    says(calendarOf([ten, later(ten, 60)]), { etag: '"1"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' })
    expect((await give()).status).toBe(200)
    expect(await shown()).toEqual({
      host: new URL(address()).host,
      lastReadAt: '2026-11-20T11:00:00.000Z',
      problem: null,
      busy: 1,
      hits: [],
    })
    expect([await isFree(0), await isFree(60)]).toEqual([false, true])
    expect(refused(await tryHold(t, await makeUser(t.db), institute, { startsAt: ten }))).toEqual([409, 'slot_taken'])
    const { body } = await t.inject('GET', `/api/v1/secure/mysalon/diary?from=${day}&days=1`, { token: owner.token })
    const text = JSON.stringify(body)
    expect(text).toContain('"external":[{')
    expect(text).not.toContain('Dentist')
    // Not due yet; then asked whether it changed; then read again.
    await readAgain(5)
    expect(seen).toHaveLength(1)
    answer = (_request, response) => response.writeHead(304).end()
    await readAgain(10)
    expect(seen[1]).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' })
    expect(await shown()).toMatchObject({ lastReadAt: '2026-11-20T11:15:00.000Z', busy: 1 })
    says(calendarOf([later(ten, 60), later(ten, 120)]))
    await readAgain()
    expect([await isFree(0), await isFree(60)]).toEqual([true, false])
    await summaryIsTrue(t, institute)
    expect((await t.inject('DELETE', path(), { token: owner.token })).status).toBe(200)
    expect([await shown(), await isFree(60)]).toEqual([null, true])
    await readAgain()
    expect(seen).toHaveLength(3)
    expect((await t.inject('DELETE', path(), { token: owner.token })).status).toBe(404)
  })

  it('that is changed while the one before is being read goes by the new one, whatever the old one says', async () => {
    says(calendarOf([ten, later(ten, 60)]))
    await give(address('/old.ics'))
    for (const status of [200, 404]) {
      const reply = async ({ url }: IncomingMessage, response: ServerResponse) => {
        const isOld = url === '/old.ics'
        if (isOld) await give(address('/new.ics'))
        response
          .writeHead(isOld ? status : 200, { etag: `"${url}"` })
          .end(calendarOf([later(ten, isOld ? 0 : 120), later(ten, isOld ? 60 : 180)]))
      }
      answer = (request, response) => void reply(request, response)
      await readAgain()
      expect([status, await shown()]).toMatchObject([status, { problem: null, busy: 1 }])
      expect([await isFree(0), await isFree(120)]).toEqual([true, false])
      seen = []
      await readAgain()
      expect(seen[0]?.['if-none-match']).toBe('"/new.ics"')
      says(calendarOf([ten, later(ten, 60)]))
      await give(address('/old.ics'))
    }
  })

  it('says which visits lie over it, and drops none', async () => {
    const client = await makeUser(t.db, { firstName: 'Salma' })
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    says(calendarOf([later(ten, 20), later(ten, 60)]))
    await give()
    expect((await shown())?.hits).toEqual([
      { _id: visit._id, startsAt: visit.startsAt, endsAt: visit.endsAt, customer: expect.stringContaining('Salma') },
    ])
    const { rows } = await sql<{ life: string }>`select life from appointments where id = ${visit._id}`.execute(t.db)
    expect(rows).toEqual([{ life: 'booked' }])
  })

  it('that fails is said, and frees nothing', async () => {
    says(calendarOf([ten, later(ten, 60)]))
    await give()
    for (const [problem, fails] of [
      ['unreachable', (_request, response) => response.writeHead(503).end()],
      ['refused', (_request, response) => response.writeHead(404).end()],
      ['no_calendar', (_request, response) => response.writeHead(200).end('<html>Sign in</html>')],
      ['unreachable', (_request, response) => response.destroy()],
      ['unreachable', (_request, response) => response.writeHead(302, { location: '/round' }).end()],
      ['too_large', (_request, response) => response.writeHead(200).end('x'.repeat(5_000_001))],
    ] as [string, typeof answer][]) {
      answer = fails
      await readAgain()
      expect(await shown()).toMatchObject({ problem, lastReadAt: '2026-11-20T11:00:00.000Z', busy: 1 })
      expect(await isFree(0)).toBe(false)
    }
    says(calendarOf([ten, later(ten, 60)]))
    await readAgain()
    expect(await shown()).toMatchObject({ problem: null })
  })

  it('is read before it is kept; what is wrong with the address is said beside it', async () => {
    says(calendarOf())
    expect(await problemOf('calendar')).toEqual([
      400,
      'This is no address of a calendar. Copy the whole address from the settings of the calendar.',
    ])
    expect((await problemOf('ftp://calendar.test/a'))[0]).toBe(400)
    expect((await problemOf('https://somebody:secret@calendar.test/a'))[0]).toBe(400)
    answer = (_request, response) => response.writeHead(200).end('hello')
    expect(await problemOf(address())).toEqual([400, 'There is no calendar at this address.'])
    expect(await shown()).toBe(null)
  })

  it('has an address that is stored sealed and told to nobody, and is for who changes the team', async () => {
    says(calendarOf())
    await give()
    const { rows } = await sql`select * from busy_calendars where institute_id = ${institute.id}`.execute(t.db)
    expect(JSON.stringify(rows)).not.toContain('secret.ics')
    expect((await t.inject('GET', path(), { token: owner.token })).text).not.toContain('secret.ics')
    for (const level of ['reception', 'staff'] as const)
      expect((await give(address(), await makePerson(t.db, institute.id, level))).status).toBe(403)
  })
})
