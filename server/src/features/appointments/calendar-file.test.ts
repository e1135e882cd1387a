import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, moved, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: '2026-10-20T08:00:00Z' })
  client = await makeUser(t.db)
})
afterAll(() => t.close())

/** Unfolded lines of the one event, by name without parameters. */
async function eventOf(id: string, locale = 'en'): Promise<{ text: string; type: string; lines: Map<string, string> }> {
  const answer = await t.inject('GET', `${visitsPath}/${id}/calendar.ics`, { token: client.token, locale })
  expect(answer.status).toBe(200)
  const unfolded = answer.text.replaceAll('\r\n ', '')
  return {
    text: answer.text,
    type: String(answer.headers['content-type']),
    lines: new Map(unfolded.split('\r\n').map((line) => [line.split(/[:;]/, 1)[0] ?? '', line.slice(line.indexOf(':') + 1)])),
  }
}

describe('the calendar file of a visit', () => {
  it('[C-26] is one event with the instants in UTC, where it is and how to change it', async () => {
    const institute = await makeInstitute(t.db, { name: 'Atelier, Nord; Sud' })
    const booked = await bookVisit(t, client, institute, { startsAt: wall('2026-10-24T10:00') })
    const { text, type, lines } = await eventOf(booked._id)
    expect(type).toBe('text/calendar; charset=utf-8')
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    expect(lines.get('DTSTART')).toBe('20261024T080000Z')
    expect(lines.get('DTEND')).toBe('20261024T084000Z')
    expect(lines.get('UID')).toBe(`${booked._id}@soigne`)
    expect(lines.get('SEQUENCE')).toBe('0')
    expect(lines.get('STATUS')).toBe('CONFIRMED')
    expect(lines.get('METHOD')).toBe('PUBLISH')
    expect(lines.get('SUMMARY')).toBe('Cut at Atelier\\, Nord\\; Sud')
    expect(lines.get('DESCRIPTION')).toContain(booked.reference)
    expect(lines.get('DESCRIPTION')).toContain(`http://soigne.test/appointment/${booked._id}`)
  })

  it('[C-26] keeps the wall time on both sides of a clock change', async () => {
    const institute = await makeInstitute(t.db, {})
    const before = await bookVisit(t, client, institute, { startsAt: wall('2026-10-24T09:00') })
    const after = await bookVisit(t, client, institute, { startsAt: wall('2026-10-26T09:00') })
    expect((await eventOf(before._id)).lines.get('DTSTART')).toBe('20261024T070000Z')
    expect((await eventOf(after._id)).lines.get('DTSTART')).toBe('20261026T080000Z')
  })

  it('[C-26] keeps its identity through changes, each with the next number, and ends cancelled', async () => {
    const institute = await makeInstitute(t.db, {})
    const booked = await bookVisit(t, client, institute, { startsAt: wall('2026-10-27T10:00') })
    const first = await eventOf(booked._id)
    t.clock.advance(60_000)
    await moved(t, client, booked._id, wall('2026-10-27T11:00'))
    const second = await eventOf(booked._id)
    t.clock.advance(60_000)
    await cancelled(t, client, booked._id)
    const third = await eventOf(booked._id)
    expect([first, second, third].map(({ lines }) => lines.get('UID'))).toEqual(Array.from({ length: 3 }, () => `${booked._id}@soigne`))
    expect([first, second, third].map(({ lines }) => lines.get('SEQUENCE'))).toEqual(['0', '1', '2'])
    expect([first, second, third].map(({ lines }) => `${lines.get('METHOD')} ${lines.get('STATUS')}`)).toEqual([
      'PUBLISH CONFIRMED',
      'PUBLISH CONFIRMED',
      'CANCEL CANCELLED',
    ])
    expect(second.lines.get('DTSTART')).toBe('20261027T100000Z')
  })

  it('[C-26] has a higher number after every change, so that no calendar keeps what was before: a service less, a change and its undo', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const institute = await makeInstitute(t.db, { ownerId: owner.id, services: [{}, {}] })
    const lines: [number, number][] = [
      [0, 0],
      [1, 0],
    ]
    const { _id } = await bookVisit(t, client, institute, { startsAt: wall('2026-10-29T10:00'), lines })
    const numbers = [(await eventOf(_id)).lines.get('SEQUENCE')]
    const removal = { segment: 1, serviceId: institute.services[1] }
    expect((await t.inject('PUT', `${visitsPath}/${_id}/removal`, { token: client.token, body: removal })).status).toBe(200)
    numbers.push((await eventOf(_id)).lines.get('SEQUENCE'))
    const atDesk = `/api/v1/secure/mysalon/appointments/${_id}`
    expect((await t.inject('PUT', `${atDesk}/cancel`, { token: owner.token, body: {} })).status).toBe(200)
    numbers.push((await eventOf(_id)).lines.get('SEQUENCE'))
    expect((await t.inject('PUT', `${atDesk}/undo`, { token: owner.token, body: {} })).status).toBe(200)
    numbers.push((await eventOf(_id)).lines.get('SEQUENCE'))
    expect(numbers.map(Number)).toEqual(numbers.map((_, n) => n))
  })

  it('[C-26] speaks the language of the caller', async () => {
    const institute = await makeInstitute(t.db, {})
    const booked = await bookVisit(t, client, institute, { startsAt: wall('2026-10-28T10:00') })
    expect((await eventOf(booked._id, 'fr')).lines.get('SUMMARY')).toBe('Cut chez Atelier Test')
    expect((await eventOf(booked._id, 'ar')).lines.get('SUMMARY')).toBe('\u2068Cut\u2069 في \u2068Atelier Test\u2069')
  })
})
