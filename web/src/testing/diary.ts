// A calendar of component tests: a Thursday with two people, on the institute of the tests.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { act, cleanup } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { gelManicure, handMassage, ines, maud } from './institutes.ts'

/** Before and after each test of the calendar: somebody signed in before a wide window at the hour of the test, and nothing left of the test before. */
export function resetDiaryPage(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(at('14:06')) })
    localStorage.clear()
    localStorage.setItem('AuthToken', 't')
    stubWidth(1440)
  })
  afterEach(() => {
    act(dismissAllToasts)
    cleanup()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
}

export const diaryDay = '2026-11-26'
/** An instant of that day by the clock of Paris. */
export const at = (time: string, day = diaryDay): string => new Date(`${day}T${time}:00+01:00`).toISOString()

const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })

export function diarySegment(from: string, to: string, part: Partial<DiaryVisit['segments'][number]> = {}): DiaryVisit['segments'][number] {
  return {
    position: 0,
    serviceId: gelManicure,
    serviceName: 'Gel manicure',
    staffId: ines,
    resourceId: null,
    startsAt: at(from),
    endsAt: at(to),
    idle: null,
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
    price: euros(38),
    ...part,
  }
}

export function diaryVisit(id: string, from: string, to: string, part: Partial<DiaryVisit> = {}): DiaryVisit {
  return {
    _id: id,
    reference: 'K7QD-4MX',
    status: 'pending',
    isHeld: false,
    attendance: 'expected',
    attendedAt: {},
    startsAt: at(from),
    endsAt: at(to),
    customer: { _id: 'c-camille', name: 'Camille Renaud', phone: '+33 6 12 44 80 17', noShows: 0, pastVisits: 2 },
    segments: [diarySegment(from, to)],
    total: euros(38),
    note: null,
    ownNote: null,
    overbooked: null,
    madeBy: 'client',
    sessionId: null,
    version: 1,
    undoUntil: null,
    ...part,
  }
}

const memberDay = (staffId: string): Diary['days'][number]['members'][number] => ({
  staffId,
  shifts: [
    { startsAt: at('09:00'), endsAt: at('12:00') },
    { startsAt: at('13:00'), endsAt: at('19:00') },
  ],
  shiftMinutes: 540,
  busyMinutes: 270,
  away: [],
  external: [],
})

export function diaryOf(part: Partial<Diary> = {}): Diary {
  return {
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    gridMinutes: 20,
    now: at('14:06'),
    version: 7,
    members: [
      { _id: ines, name: 'Inès', title: null, imageUrl: '', bookableOnline: true, services: [gelManicure, handMassage] },
      { _id: maud, name: 'Maud', title: null, imageUrl: '', bookableOnline: true, services: [gelManicure] },
    ],
    resources: [],
    days: [
      {
        day: diaryDay,
        opens: [{ startsAt: at('09:00'), endsAt: at('19:00') }],
        closure: null,
        members: [memberDay(ines), memberDay(maud)],
      },
    ],
    visits: [],
    blocked: [],
    sessions: [],
    ...part,
  }
}

/** A window of so many pixels. */
export function stubWidth(width: number) {
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, most] = /max-width: (\d+)/.exec(query) ?? []
    const [, least] = /min-width: (\d+)/.exec(query) ?? []
    const matches = (most === undefined || width <= Number(most)) && (least === undefined || width >= Number(least))
    return { matches, addEventListener: () => {}, removeEventListener: () => {} }
  })
}
