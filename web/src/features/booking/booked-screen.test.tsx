import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nacre } from '#/testing/institutes.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { holdAt, visitAt } from '#/testing/visits.ts'
import { BookedScreen } from './booked-screen.tsx'
import { SignInStep } from './sign-in-step.tsx'
import { freeUntilOf, TermsLine } from './terms-line.tsx'

const at = '2031-03-18T15:40:00.000Z'
const hour = 3_600_000

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('booked', () => {
  const open = (part: Parameters<typeof visitAt>[1] = {}, isFresh = false) =>
    renderPart(
      <BookedScreen
        appointment={visitAt(at, part)}
        isFresh={isFresh}
        calendar={<button>Calendar</button>}
        renderPaid={() => <p>Paid</p>}
      />,
    )

  it('[U-06] says when, how long, with whom and where, on the clock of the institute', () => {
    const { container } = open()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('See youat 16:40.')
    expect(container.textContent).toMatch(/18 March( 2031)?, 60 min with Inès/)
    expect(container.textContent).toContain('Atelier Nacre, 14 rue d’Austerlitz, 69004 Lyon')
  })

  it('names every service, and has the focus once it is booked', () => {
    const [segment] = visitAt(at).segments
    const { container } = open({ segments: [segment!, { ...segment!, serviceName: 'Hand massage' }] }, true)
    expect(container.textContent).toContain('Gel manicure, Hand massage')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    cleanup()
    open()
    expect(document.activeElement).toBe(document.body)
  })

  it('says what is to pay and the number of the booking', () => {
    const { container } = open()
    expect(container.textContent).toMatch(/To pay at the salon€38/)
    expect(container.textContent).toMatch(/BookingK7QD-4MX/)
  })

  it('names a person once however many services are theirs', () => {
    const [segment] = visitAt(at).segments
    const { container } = open({
      segments: [segment!, { ...segment!, serviceName: 'Hand massage', staffName: 'Inès' }, { ...segment!, staffName: 'Maud' }],
    })
    expect(container.textContent).toContain('with Inès, Maud')
  })

  it('leads to the appointment, the calendar and the way there', () => {
    open()
    expect(screen.getByRole('link', { name: 'See my appointment' }).getAttribute('href')).toBe(`/appointment/${visitAt(at)._id}`)
    expect(screen.getByRole('button', { name: 'Calendar' })).toBeTruthy()
    const way = screen.getByRole('link', { name: 'Directions' })
    expect(way.getAttribute('href')).toContain('45.77')
    expect([way.getAttribute('target'), way.getAttribute('rel')]).toEqual(['_blank', 'noreferrer'])
  })

  it('[P-06] offers to repeat the visit, where the dates are named before anything is booked', () => {
    open()
    expect(screen.getByRole('link', { name: 'Repeat this visit' }).getAttribute('href')).toBe(`/appointment/${visitAt(at)._id}#repeat`)
  })

  it('mentions another visit at that time, with the way to it', () => {
    open({ overlapsWith: { _id: 'other', instituteName: 'Bleu volet', startsAt: '2031-03-18T16:10:00.000Z' } } as never)
    expect(screen.getByText('You already have a visit at that time.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Bleu volet, 17:10' }).getAttribute('href')).toBe('/appointment/other')
  })
})

describe('what it costs to change one’s mind', () => {
  const line = (
    now: string,
    part: Partial<typeof nacre.rules> = {},
    hold: Parameters<typeof TermsLine>[0]['hold'] = null,
    locale: 'en' | 'fr' = 'en',
  ) => {
    vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })
    const institute = { ...nacre, rules: { ...nacre.rules, ...part } }
    return renderPart(<TermsLine institute={institute} at={at} total="€38" hold={hold} />, { locale }).container.textContent
  }

  it('is said with the exact hour before the click', () => {
    expect(line('2031-03-10T10:00:00Z')).toMatch(/Until .*18 March.* at 14:40Cancel or move for freeAfter thatChanges by phone only/)
  })

  it.each([
    ['2031-03-18T09:00:00Z', 'Until 14:40 today'],
    ['2031-03-17T09:00:00Z', 'Until 14:40 tomorrow'],
    // In Paris it is the 18th already.
    ['2031-03-17T23:30:00Z', 'Until 14:40 today'],
  ])('at %s it reads %s', (now, text) => {
    expect(line(now)).toContain(text)
  })

  it.each([
    ['2031-03-18T09:00:00Z', 'Jusqu’à 14:40 aujourd’hui'],
    ['2031-03-17T09:00:00Z', 'Jusqu’à demain, 14:40'],
    ['2031-03-10T09:00:00Z', 'Jusqu’au mardi 18 mars à 14:40'],
  ])('at %s it reads %s in French', (now, text) => {
    expect(line(now, {}, null, 'fr')).toContain(text)
  })

  it('an hour that is over is not offered', () => {
    const text = line('2031-03-18T15:00:00Z')
    expect(text).not.toContain('Until')
    expect(text).toContain('From now onChanges by phone only')
  })

  it('an institute that never lets change online says so from the start', () => {
    expect(line('2031-03-10T10:00:00Z', { cancelWindowHours: null })).toContain('From now on')
    expect(freeUntilOf(at, null)).toBeNull()
    expect(freeUntilOf(at, 0)).toBe(at)
  })

  it('the terms of the hold count, not what the page knew before', () => {
    const hold = holdAt(at, hour, { terms: { cancelWindowHours: 24, rescheduleWindowHours: 24, freeUntil: '2031-03-17T15:40:00.000Z' } })
    expect(line('2031-03-10T10:00:00Z', {}, hold)).toMatch(/Until .*17 March.* at 16:40/)
  })

  it('what is to pay stands there in any case', () => {
    expect(line('2031-03-18T15:00:00Z')).toContain('At the salon€38 to pay')
  })
})

describe('a guest', () => {
  it('[R-18] is led to both doors and comes back to this very page', () => {
    renderPart(<SignInStep at={at} timeZone="Europe/Paris" check={<p>Gel manicure with Inès</p>} />, {
      at: '/salon/atelier-nacre/book?service=s1&at=2031',
    })
    expect(screen.getByText('Log in and we’ll hold 16:40 for ten minutes.')).toBeTruthy()
    expect(screen.getByText('Gel manicure with Inès')).toBeTruthy()
    for (const name of ['Sign up', 'Login']) {
      const from = new URL(screen.getByRole('link', { name }).getAttribute('href') ?? '', 'http://soigne.test').searchParams.get('from')
      expect(from).toBe('/salon/atelier-nacre/book?service=s1&at=2031')
    }
  })
})
