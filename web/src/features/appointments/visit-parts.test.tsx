import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { confirmStore } from '#/ui/confirms.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { CalendarFileButton } from './calendar-file-button.tsx'
import { CancelVisit } from './cancel-visit.tsx'
import { VisitRow } from './visit-row.tsx'
import { VisitTerms } from './visit-terms.tsx'

const at = '2031-03-18T15:40:00.000Z'
const setNow = (now: string) => vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })
const [segment] = visitAt(at).segments

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  act(() => {
    dismissAllToasts()
    confirmStore.set([])
  })
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a visit of the list', () => {
  const row = (now: string, part: Parameters<typeof visitAt>[1] = {}) => {
    setNow(now)
    renderPart(
      <ul>
        <VisitRow visit={visitAt(at, part)} />
      </ul>,
    )
    return screen.getByRole('listitem')
  }

  it('says its day in figures, what, when, where and with whom', () => {
    expect(row('2031-03-10T08:00:00Z').textContent).toMatch(/^18.*Gel manicure16:40 · Atelier Nacre · with Inès/)
  })

  it('its way to the details is named in full for those who hear it', () => {
    row('2031-03-18T08:00:00Z')
    expect(screen.getByRole('link', { name: 'See details: Gel manicure, Today at 16:40' })).toBeTruthy()
  })

  it('one that lies ahead cannot be booked again', () => {
    row('2031-03-18T08:00:00Z')
    expect(screen.queryByRole('link', { name: 'Book again' })).toBeNull()
  })

  it('[R-13] one that is over can, with the same services', () => {
    row('2031-03-19T08:00:00Z')
    expect(screen.getByRole('link', { name: 'Book again' }).getAttribute('href')).toBe(
      `/salon/atelier-nacre/book?service=${segment?.serviceId}&staff=${segment?.staffId}`,
    )
  })
})

describe('if plans change', () => {
  const text = (now: string, part: Parameters<typeof visitAt>[1] = {}) => {
    setNow(now)
    renderPart(<VisitTerms appointment={visitAt(at, part)} />)
    return screen.getByRole('heading', { name: 'If plans change' }).parentElement?.textContent ?? ''
  }

  it('it is free until the hour that was accepted, then by phone until it starts', () => {
    expect(text('2031-03-18T08:00:00Z')).toMatch(
      /Free until 14:40 today.*From then until 16:40 today.*Call Atelier Nacre: \+33 4 00 00 10 18/,
    )
    expect(screen.getByRole('link').getAttribute('href')).toBe('tel:+33400001018')
  })

  const costs = { amount: 2100, currency: 'EUR' }
  it.each([
    ['2031-03-18T08:00:00Z', 'until it starts', at, /From then until 16:40 today.*Cancelling costs €21\.00\. Moving stays free/, /Call/],
    [
      '2031-03-18T14:00:00Z',
      'until an hour before',
      '2031-03-18T14:40:00.000Z',
      /From then until 15:40 today.*Cancelling costs.*From then until 16:40 today.*Call/,
      /^$/,
    ],
  ])('[E-10] at %s one that costs something is told with its price, %s', (now, _, until, said, unsaid) => {
    setNow(now)
    renderPart(<VisitTerms appointment={visitAt(at)} late={{ costs, until }} />)
    const text = screen.getByRole('heading', { name: 'If plans change' }).parentElement?.textContent ?? ''
    expect(text).toMatch(said)
    expect(text).not.toMatch(unsaid)
  })

  it.each([0, 2100])('where a session of a package pays for it, going late costs that, and %i beside it', (amount) => {
    setNow('2031-03-18T14:00:00Z')
    renderPart(<VisitTerms appointment={visitAt(at)} late={{ costs: { ...costs, amount }, until: at }} hasSession />)
    const text = screen.getByRole('heading', { name: 'If plans change' }).parentElement?.textContent ?? ''
    expect(text).toContain('The session of your package is gone.')
    expect(text.includes('Cancelling costs €21.00')).toBe(amount > 0)
  })

  it('where it is never free there is only the phone', () => {
    const said = text('2031-03-18T08:00:00Z', { terms: { cancelWindowHours: null, rescheduleWindowHours: null, freeUntil: null } } as never)
    expect(said).not.toContain('Free until')
    expect(said).toContain('Until 16:40 today')
  })

  it('an institute without a number is to be asked directly', () => {
    const { institute } = visitAt(at)
    expect(text('2031-03-18T08:00:00Z', { institute: { ...institute, phone: null } })).toContain('Ask Atelier Nacre directly')
    expect(screen.queryByRole('link')).toBeNull()
  })
})

describe('letting a visit go', () => {
  function open(
    cancelAppointment: NonNullable<Parameters<typeof fakeServer>[0]['cancelAppointment']>,
    sums: Parameters<typeof CancelVisit>[0]['sums'] = async () => null,
    part: Parameters<typeof visitAt>[1] = {},
  ) {
    const seen = fakeServer({ cancelAppointment, me: () => refused(401, { code: 'unauthenticated', message: 'Who?' } as never) })
    const onTooLate = vi.fn<() => void>()
    const [onStart, onDone] = [vi.fn<() => void>(), vi.fn<() => void>()]
    renderPart(<CancelVisit appointment={visitAt(at, part)} {...{ sums, onStart, onDone, onTooLate }} />)
    return { onStart, onDone, onTooLate, calls: () => seen.filter(({ name }) => name === 'cancelAppointment') }
  }
  const sure = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'confirm' }))
  }

  it('says before the click which other visit needs this one', async () => {
    const colour = { _id: 'colour', serviceName: 'Root colour', startsAt: '2031-03-20T16:00:00.000Z', testId: 'test', from: at, by: at }
    open(
      () => visitAt(at),
      async () => null,
      { neededBy: [colour] },
    )
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText(/^Root colour, .*20 March.* at 17:00, needs this visit first\. It stays booked/)).toBeTruthy()
  })

  it('says before the click what goes back and what is kept', async () => {
    const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })
    open(
      () => visitAt(at),
      async () => ({ refunded: euros(37), kept: euros(15), charged: euros(6) }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText('€37.00 goes back to you.')).toBeTruthy()
    expect(within(question).getByText('€15.00 is kept.')).toBeTruthy()
    expect(await within(question).findByText('€6.00 is charged to your card a day later.')).toBeTruthy()
    expect(within(question).queryByText(/Nothing has been charged/)).toBeNull()
  })

  it.each([
    ['back', 'The session of your package goes back to it.', 1],
    ['gone', 'The session of your package is gone.', 0],
  ] as const)('says before the click that the session of a package that paid for it is %s', async (sessions, words, free) => {
    const nothing = { amount: 0, currency: 'EUR' }
    open(
      () => visitAt(at),
      async () => ({ refunded: nothing, kept: nothing, charged: nothing, sessions }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText(words)).toBeTruthy()
    expect(within(question).queryAllByText(/Nothing has been charged/)).toHaveLength(free)
  })

  it('says before the click that a bank has what would go back', async () => {
    const [nothing, atBank] = [
      { amount: 0, currency: 'EUR' },
      { amount: 1500, currency: 'EUR' },
    ]
    open(
      () => visitAt(at),
      async () => ({ refunded: nothing, kept: nothing, charged: nothing, atBank }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText(/^€15\.00 isn’t sent back to you: your bank took it back from Atelier Nacre/)).toBeTruthy()
    expect(within(question).queryByText(/Nothing has been charged/)).toBeNull()
  })

  it('says before the click what was paid at the counter and is settled there', async () => {
    const nothing = { amount: 0, currency: 'EUR' }
    const atSalon = { amount: 6000, currency: 'EUR' }
    open(
      () => visitAt(at),
      async () => ({ refunded: nothing, kept: nothing, charged: nothing, atSalon, sessions: 'back' }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText('The €60.00 you paid is settled at the salon.')).toBeTruthy()
    expect(within(question).getByText('The session of your package goes back to it.')).toBeTruthy()
    expect(within(question).queryByText(/Nothing has been charged/)).toBeNull()
  })

  it('[U-13] who says no keeps it, and nothing is sent', async () => {
    const { calls } = open(() => visitAt(at))
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('alertdialog', { name: 'Let this hour go?' })
    expect(question.textContent).toContain('Someone else can then book this time')
    await userEvent.click(within(question).getByRole('button', { name: 'cancle' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(calls()).toHaveLength(0)
  })

  it('who says yes is told that it is free again', async () => {
    const { calls, onStart, onDone } = open(() => visitAt(at, { status: 'cancelled' }))
    await sure()
    expect(await screen.findByText('The hour is free again.')).toBeTruthy()
    expect([onStart.mock.calls.length, onDone.mock.calls.length]).toEqual([1, 1])
    expect(calls()).toHaveLength(1)
    expect(calls()[0]?.headers.get('idempotency-key')).toBeTruthy()
  })

  it('a lost answer can be asked for again with the same key', async () => {
    let tries = 0
    const { calls } = open(() => {
      tries += 1
      if (tries === 1) throw new TypeError('Failed to fetch')
      return visitAt(at, { status: 'cancelled' })
    })
    await sure()
    expect(await screen.findByText('Failed to fetch')).toBeTruthy()
    await sure()
    await screen.findByText('The hour is free again.')
    expect(new Set(calls().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })

  it('too late is no failure: the page says whom to ring', async () => {
    const { onTooLate, onDone } = open(() => refused(422, { code: 'too_late', message: 'Too late.' }))
    await sure()
    await waitFor(() => expect(onTooLate).toHaveBeenCalledOnce())
    expect(onDone).not.toHaveBeenCalled()
    expect(screen.queryByText('Too late.')).toBeNull()
  })
})

describe('the calendar file', () => {
  it('[C-26] is saved under the number of the booking', async () => {
    fakeServer({
      appointmentCalendarFile: () => new Blob(['BEGIN:VCALENDAR'], { type: 'text/calendar' }) as never,
      me: () => refused(401, { code: 'unauthenticated', message: '' } as never),
    })
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(`${this.download} ${this.href}`)
    })
    renderPart(<CalendarFileButton appointment={visitAt(at)} label="Add to calendar" />)
    await userEvent.click(screen.getByRole('button', { name: 'Add to calendar' }))
    await waitFor(() => expect(saved).toEqual(['K7QD-4MX.ics blob:file']))
  })

  it('one that does not come is told, and can be asked for again', async () => {
    fakeServer({
      appointmentCalendarFile: () => refused(503, { code: 'unavailable', message: 'Try again in a moment.' }),
      me: () => refused(401, { code: 'unauthenticated', message: '' } as never),
    })
    renderPart(<CalendarFileButton appointment={visitAt(at)} label="Add to calendar" />)
    await userEvent.click(screen.getByRole('button', { name: 'Add to calendar' }))
    expect(await screen.findByText('Try again in a moment.')).toBeTruthy()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add to calendar' }).getAttribute('aria-busy')).not.toBe('true'))
  })
})
