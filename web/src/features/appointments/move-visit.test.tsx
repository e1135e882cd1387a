import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { ines, maud, nacre } from '#/testing/institutes.ts'
import { visitAt } from '#/testing/visits.ts'
import { confirmStore } from '#/ui/confirms.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { moveTimes, othersFor } from './move-times.ts'
import { MoveVisit } from './move-visit.tsx'

const at = '2031-03-18T15:40:00.000Z'
const setNow = (now: string) => vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })

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

describe('moving a visit', () => {
  const later = '2031-03-19T09:00:00.000Z'
  const nearest = '2031-03-19T10:00:00.000Z'
  type Handlers = Parameters<typeof fakeServer>[0]
  function open(
    rescheduleAppointment: NonNullable<Handlers['rescheduleAppointment']> = () => visitAt(later),
    handlers: Handlers = {},
    part: Parameters<typeof visitAt>[1] = {},
  ) {
    const seen = fakeServer({
      reschedulePlan: ({ query }) => ({ ...visitAt(query.get('startsAt') ?? later), staff: [ines] }),
      ...handlers,
      rescheduleAppointment,
      me: () => refused(401, { code: 'unauthenticated', message: 'Who?' } as never),
    })
    const onClose = vi.fn<() => void>()
    renderPart(
      <MoveVisit
        appointment={visitAt(at, part)}
        onClose={onClose}
        renderChooser={({ onChoose, staff }): ReactNode => (
          <>
            <output>times of {staff === 'any' ? 'anyone' : staff === maud ? 'Maud' : 'Inès'}</output>
            <button onClick={() => onChoose(at)}>the same</button>
            <button onClick={() => onChoose(later)}>later</button>
          </>
        )}
        renderNearest={(_error, onChoose) => <button onClick={() => onChoose(nearest)}>nearest</button>}
      />,
    )
    return { onClose, calls: () => seen.filter(({ name }) => name === 'rescheduleAppointment') }
  }
  const change = () => screen.getAllByRole('status').find(({ textContent }) => textContent.includes('Current time'))?.textContent
  const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))

  it('begins at its heading, so that the keyboard and the ear are there', () => {
    setNow('2031-03-10T08:00:00Z')
    open()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'When would suit you better?' }))
  })

  it('says before the click which other visit it would come too late or too early for, and nothing while it is in time', async () => {
    setNow('2031-03-10T08:00:00Z')
    const [{ serviceId: testId }, end] = [visitAt(at).segments[0]!, '2031-03-19T10:00:00.000Z']
    const colour = { _id: 'colour', serviceName: 'Root colour', startsAt: '2031-03-21T09:00:00.000Z', testId }
    async function moving(from: string, by: string) {
      cleanup()
      open(undefined, {}, { neededBy: [{ ...colour, from, by }] })
      await press('later')
      await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Move to/ }).disabled).toBe(false))
      return screen.queryByText(/needs this visit/)?.textContent
    }
    expect(await moving(later, '2031-03-19T09:59:00.000Z')).toMatch(/^Root colour, .*21 March.*, needs this visit to be over by/)
    expect(await moving('2031-03-19T23:00:00Z', '2031-03-20T12:00:00Z')).toMatch(/needs this visit on .*20 March or later/)
    expect(await moving(end, end)).toBeUndefined()
  })

  it('is closed by Escape, unless a dialog is open above it', async () => {
    setNow('2031-03-10T08:00:00Z')
    const { onClose } = open()
    const dialog = document.createElement('dialog')
    dialog.setAttribute('open', '')
    document.body.append(dialog)
    await userEvent.keyboard('{Escape}')
    expect(onClose).not.toHaveBeenCalled()
    dialog.remove()
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('[E-18] shows the old and the new time before anything changes', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { calls } = open()
    expect(change()).toContain('Current timeToday at 16:40')
    await press('later')
    expect(change()).toContain('New timeTomorrow at 10:00')
    expect(calls()).toHaveLength(0)
  })

  const withMaud = visitAt(later, {
    segments: [{ ...visitAt(later).segments[0]!, staffId: maud, staffName: 'Maud', price: { amount: 4400, currency: 'EUR' } }],
    total: { amount: 4400, currency: 'EUR' },
  })
  const plan = { ...withMaud, staff: [maud] }

  it('stays with who does it now, and says so', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { calls } = open()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'With Inès' }).checked).toBe(true)
    expect(screen.getByText('times of Inès')).toBeTruthy()
    await press('later')
    expect(change()).toMatch(/Current time.*with Inès · €38.*New time.*with Inès · €38/)
    await press(/^Move to/)
    await waitFor(() => expect(calls()[0]?.body).toEqual({ startsAt: later }))
  })

  it('goes to another only once the client says anyone, and tells who and for how much before the click', async () => {
    setNow('2031-03-18T08:00:00Z')
    const answer = Promise.withResolvers<typeof plan>()
    const { calls } = open(() => withMaud, { reschedulePlan: () => answer.promise })
    await userEvent.click(screen.getByRole('radio', { name: 'Anyone free' }))
    expect(screen.getByText('times of anyone')).toBeTruthy()
    await press('later')
    const move = screen.getByRole<HTMLButtonElement>('button', { name: /^(Move to|Choose another)/ })
    expect(move.disabled).toBe(true)
    await act(async () => answer.resolve(plan))
    await waitFor(() => expect(change()).toMatch(/with Inès · €38.*with Maud · €44/))
    await press(/^Move to/)
    await waitFor(() => expect(calls()[0]?.body).toEqual({ startsAt: later, staff: [maud] }))
  })

  it('goes to the person the client names: her times, her price, and nobody else’s', async () => {
    setNow('2031-03-18T08:00:00Z')
    const asked: (string | null)[] = []
    const { calls } = open(() => withMaud, {
      institute: () => nacre,
      reschedulePlan: ({ query }) => {
        asked.push(query.get('staff'))
        return plan
      },
    })
    await userEvent.click(await screen.findByRole('radio', { name: 'With Maud' }))
    expect(screen.getByText('times of Maud')).toBeTruthy()
    await press('later')
    await waitFor(() => expect(change()).toMatch(/with Inès · €38.*with Maud · €44/))
    await press(/^Move to/)
    await waitFor(() => expect(calls()[0]?.body).toEqual({ startsAt: later, staff: [maud] }))
    expect(new Set(asked)).toEqual(new Set([maud]))
    expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual(['With Inès', 'Anyone free', 'With Maud'])
  })

  it('only who does everything of the visit and can be booked online is named', () => {
    const { segments } = visitAt(at)
    const names = (institute: typeof nacre, lines = segments) => othersFor({ segments: lines }, institute).map(({ name }) => name)
    expect(names(nacre)).toEqual(['Maud'])
    expect(names({ ...nacre, team: nacre.team.map((one) => ({ ...one, bookableOnline: false })) })).toEqual([])
    const alone = nacre.services.map((service) => ({
      ...service,
      performers: service.performers.filter(({ staffId }) => staffId !== maud),
    }))
    expect(names({ ...nacre, services: alone })).toEqual([])
    expect(names({ ...nacre, services: nacre.services.map((service) => ({ ...service, capacity: 6 })) })).toEqual([])
    expect(names({ ...nacre, services: [] })).toEqual([])
  })

  it('a time whose plan is refused is not moved to, and changing one’s mind about who lets the time go', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { calls } = open(undefined, { reschedulePlan: () => refused(409, { code: 'slot_taken', message: 'Taken.' }) })
    await userEvent.click(screen.getByRole('radio', { name: 'Anyone free' }))
    await press('later')
    expect(await screen.findByText('That time was just taken.')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'With Inès' }))
    expect(screen.queryByText('That time was just taken.')).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Choose another time' }).disabled).toBe(true)
    expect(calls()).toHaveLength(0)
  })

  it('the time it has already is no move', async () => {
    setNow('2031-03-10T08:00:00Z')
    const { calls } = open()
    await press('the same')
    const button = screen.getByRole('button', { name: 'Choose another time' })
    await userEvent.click(button)
    expect(calls()).toHaveLength(0)
  })

  it('a new time moves it once, however often it is pressed', async () => {
    setNow('2031-03-18T08:00:00Z')
    const answer = Promise.withResolvers<ReturnType<typeof visitAt>>()
    const { calls, onClose } = open(() => answer.promise)
    await press('later')
    await userEvent.dblClick(screen.getByRole('button', { name: 'Move to 10:00 tomorrow' }))
    await waitFor(() => expect(calls()).toHaveLength(1))
    await act(async () => answer.resolve(visitAt(later)))
    expect(await screen.findByText('Moved to 10:00 tomorrow.')).toBeTruthy()
    expect(onClose).toHaveBeenCalledOnce()
    expect(calls()).toHaveLength(1)
  })

  it('one that was just taken offers the nearest, and the visit stays', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { onClose, calls } = open(({ body }) =>
      JSON.stringify(body).includes(later) ? refused(409, { code: 'slot_taken', message: 'Taken.' }) : visitAt(nearest),
    )
    await press('later')
    await press(/^Move to/)
    expect(await screen.findByText('That time was just taken.')).toBeTruthy()
    expect(onClose).not.toHaveBeenCalled()
    await press('nearest')
    expect(screen.queryByText('That time was just taken.')).toBeNull()
    await press(/^Move to 11:00/)
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(new Set(calls().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
  })

  it('where nothing is free it says so, and whom to ring', async () => {
    setNow('2031-03-18T08:00:00Z')
    open(() => refused(409, { code: 'slot_taken', message: 'Taken.', details: { nearest: [] } }))
    await press('later')
    await press(/^Move to/)
    expect((await screen.findByText('No other time is free online.')).closest('[role]')?.textContent).toContain('+33 4 00 00 10 18')
    expect(screen.queryByRole('button', { name: 'nearest' })).toBeNull()
  })

  it('too late says whom to ring', async () => {
    setNow('2031-03-18T08:00:00Z')
    open(() => refused(422, { code: 'too_late', message: 'Too late.' }))
    await press('later')
    await press(/^Move to/)
    expect(await screen.findByText('It’s too late to change this online.')).toBeTruthy()
    expect(screen.getByRole('link').getAttribute('href')).toBe('tel:+33400001018')
  })

  it('can be left as it is', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { onClose, calls } = open()
    await press('Keep it as it is')
    expect([onClose.mock.calls.length, calls().length]).toEqual([1, 0])
  })
})

describe('the times a visit can move to', () => {
  const days = (from: string, count: number) =>
    Array.from({ length: count }, (_, ahead) => ({
      day: new Date(Date.parse(from) + ahead * 86_400_000).toISOString().slice(0, 10),
      times: ahead === 3 ? [{ startsAt: `${from}T09:00:00Z`, endsAt: `${from}T10:00:00Z` }] : [],
      taken: [],
    }))
  function source() {
    const seen = fakeServer({
      rescheduleTimes: ({ query }) => ({ timeZone: 'Europe/Paris', days: days(query.get('from') ?? '', Number(query.get('days'))) }),
    })
    const asked = () => seen.map(({ query }) => [query.get('from'), query.get('days'), ...query.getAll('staff')].join(' '))
    return { times: moveTimes('v1', 'Europe/Paris'), anyones: moveTimes('v1', 'Europe/Paris', 'any'), asked }
  }
  const { signal } = new AbortController()

  it('of this month are asked for from today on, to its last day', async () => {
    setNow('2028-02-20T23:30:00Z')
    const { times, asked } = source()
    const month = await times.month('2028-02', signal)
    expect(asked()).toEqual(['2028-02-21 9'])
    expect(month.filter(({ hasRoom }) => hasRoom).map(({ day }) => day)).toEqual(['2028-02-24'])
  })

  it('with anyone are asked for, and kept, apart', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { times, anyones, asked } = source()
    await times.days('2031-03-20', 7, signal)
    await anyones.days('2031-03-20', 7, signal)
    expect(asked()).toEqual(['2031-03-20 7', '2031-03-20 7 any'])
    expect(anyones.key).not.toEqual(times.key)
  })

  it('of another month wholly, and of one that is over not at all', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { times, asked } = source()
    await times.month('2031-12', signal)
    expect(await times.month('2031-02', signal)).toEqual([])
    expect(asked()).toEqual(['2031-12-01 31'])
  })

  it('the next one is the first free start from a day on, or none', async () => {
    setNow('2031-03-18T08:00:00Z')
    const { times } = source()
    expect(await times.next('2031-03-20', signal)).toBe('2031-03-20T09:00:00Z')
    fakeServer({ rescheduleTimes: () => ({ timeZone: 'Europe/Paris', days: [] }) })
    expect(await times.next('2031-03-20', signal)).toBeNull()
  })
})
