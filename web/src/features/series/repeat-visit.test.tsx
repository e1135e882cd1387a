import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Occurrence } from '@soigne/contract/series'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { confirmStore } from '#/ui/confirms.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { RepeatVisit } from './repeat-visit.tsx'
import { SeriesPart } from './series-part.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

// Tuesdays at 16:40 in Paris: summer time begins in between.
const first = '2031-03-18T15:40:00.000Z'
const second = '2031-03-25T15:40:00.000Z'
const third = '2031-04-01T14:40:00.000Z'
const near = '2031-03-26T15:40:00.000Z'
const visit = visitAt(first)

const occurrence = (startsAt: string, part: Partial<Occurrence> = {}): Occurrence => ({
  startsAt,
  endsAt: startsAt,
  conflict: null,
  nearest: [],
  segments: visit.segments,
  total: visit.total,
  ...part,
})
const closed = occurrence(second, {
  conflict: 'The institute is closed that day.',
  nearest: [
    { startsAt: near, endsAt: near },
    { startsAt: '2031-03-26T16:00:00.000Z', endsAt: near },
  ],
  segments: [],
  total: null,
})

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  Element.prototype.scrollIntoView = () => {}
})
afterEach(() => {
  cleanup()
  act(() => {
    dismissAllToasts()
    confirmStore.set([])
  })
  vi.unstubAllGlobals()
})

function openSheet(handlers: Handlers = {}) {
  const onClose = vi.fn<() => void>()
  const seen = fakeServer({
    me: () => client,
    seriesPlan: () => ({ timeZone: 'Europe/Paris', items: [closed, occurrence(third)] }),
    ...handlers,
  })
  renderPart(<RepeatVisit appointment={visit} onClose={onClose} />)
  return { onClose, calls: (name: string) => seen.filter((one) => one.name === name) }
}

describe('repeating a visit', () => {
  it('asks how often and how many, and shows each visit with its date before anything is booked [day 5.23]', async () => {
    const { calls } = openSheet()
    expect(await screen.findByRole('checkbox', { name: 'Tuesday 1 April 2031 at 16:40' })).toHaveProperty('checked', true)
    expect(screen.getByText(/Tuesday 25 March 2031 at 16:40: The institute is closed that day\./)).toBeTruthy()
    await userEvent.selectOptions(screen.getByLabelText('How often'), 'Every 2 weeks')
    await userEvent.selectOptions(screen.getByLabelText('How many visits'), '3 visits')
    await waitFor(() => {
      const query = calls('seriesPlan').at(-1)?.query
      expect([query?.get('everyWeeks'), query?.get('times')]).toEqual(['2', '3'])
    })
    expect(calls('makeSeries')).toHaveLength(0)
  })

  it('proposes a free time near to one that cannot be had; another may be chosen, or none', async () => {
    const { calls } = openSheet({ makeSeries: () => ({ made: [visitAt(third)], missed: [] }) })
    const proposal = await screen.findByRole('checkbox', { name: 'Wednesday 26 March 2031 at 16:40' })
    expect(screen.getByRole('button', { name: 'Book 2 more visits' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Wed 26 Mar 2031 17:00' }))
    expect(screen.getByRole('checkbox', { name: 'Wednesday 26 March 2031 at 17:00' })).toBeTruthy()
    await userEvent.click(proposal)
    await userEvent.click(screen.getByRole('button', { name: 'Book one more visit' }))
    await waitFor(() => expect(calls('makeSeries')[0]?.body).toEqual({ everyWeeks: 4, startsAt: [third] }))
    expect(calls('makeSeries')[0]?.headers.get('idempotency-key')).toBeTruthy()
    expect(await screen.findByRole('heading', { name: 'One more visit is booked.' })).toBe(document.activeElement)
  })

  it('names what somebody else was faster with, and books a free time near to it with one tap', async () => {
    const nearest = [{ startsAt: near, endsAt: near }]
    const { calls, onClose } = openSheet({
      makeSeries: ({ body }) =>
        (body as { startsAt: string[] }).startsAt.length > 1
          ? { made: [visitAt(third)], missed: [{ startsAt: near, conflict: 'This time is taken.', nearest }] }
          : { made: [visitAt(near, { _id: 'other' })], missed: [] },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Book 2 more visits' }))
    expect(await screen.findByText(/One time was taken meanwhile/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Wed 26 Mar 2031 16:40' }))
    expect(await screen.findByRole('heading', { name: '2 more visits are booked.' })).toBeTruthy()
    expect(screen.queryByText(/taken meanwhile/)).toBeNull()
    expect(calls('makeSeries')).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Done' }))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('keeps the choice when it cannot be booked, and sends it again under the same key', async () => {
    const { calls } = openSheet({ makeSeries: () => refused(503, { code: 'unavailable', message: 'Back in a moment.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Book 2 more visits' }))
    expect(await screen.findByText('Back in a moment.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Book 2 more visits' }))
    await waitFor(() => expect(calls('makeSeries')).toHaveLength(2))
    const keys = calls('makeSeries').map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toBe(keys[1])
  })
})

describe('a visit of a series that cannot be had', () => {
  it('with nothing free near to it is named, and not counted', async () => {
    const { calls } = openSheet({
      seriesPlan: () => ({ timeZone: 'Europe/Paris', items: [{ ...closed, nearest: [] }, occurrence(third)] }),
      makeSeries: () => ({ made: [visitAt(third)], missed: [] }),
    })
    expect(await screen.findByText(/Nothing free near this day/)).toBeTruthy()
    expect(screen.getAllByRole('checkbox')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Book one more visit' }))
    await waitFor(() => expect(calls('makeSeries')[0]?.body).toEqual({ everyWeeks: 4, startsAt: [third] }))
  })

  it('leaves nothing to book when all are left out', async () => {
    openSheet({ seriesPlan: () => ({ timeZone: 'Europe/Paris', items: [occurrence(third)] }) })
    await userEvent.click(await screen.findByRole('checkbox'))
    expect(screen.getByRole('button', { name: 'Choose a time' })).toHaveProperty('disabled', true)
  })

  it('the question itself can fail, and is asked again', async () => {
    const state = { fails: true }
    openSheet({
      seriesPlan: () =>
        state.fails
          ? refused(503, { code: 'unavailable', message: 'Back in a moment.' })
          : { timeZone: 'Europe/Paris', items: [occurrence(third)] },
    })
    expect(await screen.findByText('Back in a moment.')).toBeTruthy()
    state.fails = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('checkbox')).toBeTruthy()
  })

  it('says so when none could be booked, and keeps the way to another time', async () => {
    openSheet({
      makeSeries: () => ({
        made: [],
        missed: [{ startsAt: third, conflict: 'This time is taken.', nearest: [{ startsAt: near, endsAt: near }] }],
      }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Book 2 more visits' }))
    expect(await screen.findByRole('heading', { name: 'None of these times could be booked.' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Wed 26 Mar 2031 16:40' })).toBeTruthy()
  })
})

describe('a visit that comes again', () => {
  const visits = [visit, visitAt(second, { _id: 'second' }), visitAt(third, { _id: 'third', canCancel: false })]
  const series = visits.map((one) => ({ ...one, movedFrom: null }))
  const nothing = { amount: 0, currency: 'EUR' }
  const rest = { count: 2, startsAt: first, late: 1, refunded: nothing, sessions: 0 }
  const restNow: { value: NonNullable<Answer<Calls['series']>['rest']> } = { value: rest }
  beforeEach(() => {
    restNow.value = rest
  })
  function openPart(handlers: Handlers = {}) {
    const seen = fakeServer({ me: () => client, series: () => ({ everyWeeks: 1, items: series, rest: restNow.value }), ...handlers })
    renderPart(<SeriesPart appointment={visit} />)
    return (name: string) => seen.filter((one) => one.name === name)
  }

  it('says its rhythm, and leads to the others', async () => {
    openPart()
    expect(await screen.findByRole('heading', { name: 'Every week' })).toBeTruthy()
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    expect(links).toEqual([
      ['Tuesday 25 March 2031 at 16:40', '/appointment/second'],
      ['Tuesday 1 April 2031 at 16:40', '/appointment/third'],
    ])
  })

  it('lets go this one and what follows, after a question that says how many, and what stays', async () => {
    const calls = openPart({ cancelSeries: () => ({ cancelled: [visit, visitAt(second, { _id: 'second' })], kept: [] }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel this and later' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Let these hours go?' })
    expect(within(dialog).getByText('2 visits at Atelier Nacre, from Tuesday 18 March 2031 on.')).toBeTruthy()
    expect(within(dialog).getByText('One of them is no longer free to cancel and stays.')).toBeTruthy()
    expect(dialog.textContent).not.toContain('goes back')
    expect(calls('cancelSeries')).toHaveLength(0)
    await userEvent.click(within(dialog).getByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('2 visits are cancelled.')).toBeTruthy()
  })

  it('says before the click what goes back, as it is reckoned then', async () => {
    openPart()
    const button = await screen.findByRole('button', { name: 'Cancel this and later' })
    restNow.value = {
      count: 3,
      startsAt: second,
      late: 0,
      refunded: { amount: 7000, currency: 'EUR' },
      atSalon: { amount: 4200, currency: 'EUR' },
      sessions: 2,
    }
    await userEvent.click(button)
    const dialog = await screen.findByRole('alertdialog', { name: 'Let these hours go?' })
    for (const line of [
      '3 visits at Atelier Nacre, from Tuesday 25 March 2031 on.',
      '€70.00 goes back to you.',
      'The €42.00 you paid is settled at the salon.',
      '2 sessions go back to your packages.',
    ])
      expect(within(dialog).getByText(line)).toBeTruthy()
  })

  it.each([
    { count: 0, late: 2 },
    { count: 1, late: 0 },
  ])('offers nothing where %j', async (few) => {
    restNow.value = { ...rest, ...few }
    openPart()
    expect(await screen.findByRole('heading', { name: 'Every week' })).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('that stands alone shows nothing', async () => {
    const calls = openPart({ series: () => ({ everyWeeks: null, items: [] }) })
    await waitFor(() => expect(calls('series')).toHaveLength(1))
    expect(screen.queryByRole('heading')).toBeNull()
  })
})
