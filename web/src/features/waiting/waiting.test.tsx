import type { WaitingEntry } from '@soigne/contract/waiting'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, ines, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { useWaiting } from './use-waiting.ts'
import { WaitingButton } from './waiting-button.tsx'
import { OwnProposals, useOwnProposals } from './proposals-section.tsx'
import { WaitingOffers, WaitingRows } from './waiting-section.tsx'
import type { WaitingWish } from './waiting-sheet.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

/** Noon in Paris on a Tuesday. */
const now = Date.parse('2031-03-18T11:00:00.000Z')
const fourPm = '2031-03-20T15:00:00.000Z'

const entryAt = (more: Partial<WaitingEntry> = {}): WaitingEntry => ({
  _id: '019b0000-0000-7000-8000-00000000cccc',
  institute: { _id: nacre._id, slug: nacre.slug, name: nacre.name, timeZone: nacre.timeZone },
  services: [{ serviceId: gelManicure, name: 'Gel manicure', staffId: null, staffName: null }],
  fromDay: '2031-03-18',
  toDay: '2031-03-20',
  part: 'evening',
  hours: null,
  visit: null,
  createdAt: '2031-03-17T11:00:00.000Z',
  offer: null,
  ...more,
})
const { segments, total, endsAt } = visitAt(fourPm)
const offered = (more: Partial<WaitingEntry> = {}) =>
  entryAt({ offer: { startsAt: fourPm, endsAt, until: new Date(Date.now() + 15 * 60_000).toISOString(), total, segments }, ...more })

function openSheet(more: Partial<WaitingWish> = {}, handlers: Handlers = {}, isSignedIn = true) {
  if (isSignedIn) localStorage.setItem('AuthToken', 't')
  const seen = fakeServer({ me: () => client, joinWaitingList: () => entryAt(), ...handlers })
  const wish = { institute: nacre, items: [{ serviceId: gelManicure, staffId: null }], day: '2031-03-19', now, ...more }
  const site = renderSite('/terms?step=time', { '/terms': <WaitingButton label="Tell me" wish={wish} /> })
  return { ...site, joined: () => seen.filter(({ name }) => name === 'joinWaitingList').map(({ body }) => body) }
}
const sheet = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Tell me' }))
  return within(await screen.findByRole('dialog'))
}

describe('the sheet', () => {
  it('asks for the day on show, or for all days between two taps, in a part of the day', async () => {
    const { joined } = openSheet()
    const dialog = await sheet()
    const day = (name: RegExp) => dialog.getByRole('button', { name })
    expect(day(/19 March/).getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(day(/21 March/))
    expect(day(/20 March/).getAttribute('aria-pressed')).toBe('true')
    expect(dialog.getByText(/^Wednesday 19 March to Friday 21 March$/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('radio', { name: 'Evening' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Join the waiting list' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(joined()).toEqual([
      { instituteId: nacre._id, services: [{ serviceId: gelManicure }], fromDay: '2031-03-19', toDay: '2031-03-21', part: 'evening' },
    ])
    expect(await screen.findByText('You’re on the waiting list')).toBeTruthy()
  })

  it('asks for two hours of a day, in steps of half an hour, and a part of the day no more', async () => {
    const { joined } = openSheet()
    const dialog = await sheet()
    await userEvent.click(dialog.getByRole('radio', { name: 'Evening' }))
    expect(dialog.queryByLabelText('From')).toBeNull()
    await userEvent.click(dialog.getByRole('radio', { name: 'Between two times' }))
    const field = (name: string) => dialog.getByLabelText<HTMLSelectElement>(name)
    const offered = (name: string) => [...field(name).options].map(({ value }) => value)
    expect(dialog.getByText('The visit begins and ends between these times.')).toBeTruthy()
    expect([field('From').value, field('To').value]).toEqual(['17:00', '19:00'])
    await userEvent.selectOptions(field('From'), '16:30')
    await userEvent.selectOptions(field('To'), '18:30')
    expect(offered('From').slice(0, 3)).toEqual(['00:00', '00:30', '01:00'])
    expect([...field('From').options].slice(17, 21).map(({ textContent }) => textContent)).toEqual(['8:30', '9:00', '9:30', '10:00'])
    // Nothing ends before it begins, and the day ends at midnight.
    expect([offered('To')[0], offered('To').at(-1), field('To').value]).toEqual(['17:00', '24:00', '18:30'])
    await userEvent.click(dialog.getByRole('button', { name: 'Join the waiting list' }))
    await waitFor(() => expect(joined()).toHaveLength(1))
    expect(joined()[0]).toEqual({
      instituteId: nacre._id,
      services: [{ serviceId: gelManicure }],
      fromDay: '2031-03-19',
      toDay: '2031-03-19',
      hours: { from: '16:30', to: '18:30' },
    })
  })

  it('an end that the beginning has passed goes after it; another choice asks for no hours', async () => {
    const { joined } = openSheet()
    const dialog = await sheet()
    await userEvent.click(dialog.getByRole('radio', { name: 'Between two times' }))
    await userEvent.selectOptions(dialog.getByLabelText('To'), '18:00')
    await userEvent.selectOptions(dialog.getByLabelText('From'), '18:30')
    expect(dialog.getByLabelText<HTMLSelectElement>('To').value).toBe('20:30')
    await userEvent.selectOptions(dialog.getByLabelText('From'), '23:30')
    expect(dialog.getByLabelText<HTMLSelectElement>('To').value).toBe('24:00')
    await userEvent.click(dialog.getByRole('radio', { name: 'Any time' }))
    expect(dialog.queryByLabelText('From')).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Join the waiting list' }))
    await waitFor(() => expect(joined()).toHaveLength(1))
    expect(joined()[0]).not.toHaveProperty('hours')
    expect(joined()[0]).not.toHaveProperty('part')
  })

  it('says what the server refuses, and keeps what was chosen', async () => {
    const { joined } = openSheet({}, { joinWaitingList: () => refused(409, { code: 'too_many_waiting', message: 'Remove one first.' }) })
    const dialog = await sheet()
    await userEvent.click(dialog.getByRole('button', { name: /22 March/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Join the waiting list' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Remove one first.')
    expect(dialog.getByRole('button', { name: /22 March/ }).getAttribute('aria-pressed')).toBe('true')
    expect(joined()).toHaveLength(1)
  })

  it('leads a guest to login and back to what they chose', async () => {
    openSheet({}, {}, false)
    const dialog = await sheet()
    expect(dialog.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login?from=%2Fterms%3Fstep%3Dtime')
    expect(dialog.queryByRole('button', { name: 'Join the waiting list' })).toBeNull()
  })

  it('for a visit asks for a time before it, with who does it or anyone, and says that it is given back', async () => {
    const visit = visitAt(fourPm)
    const { joined } = openSheet({ visit, day: null, items: [{ serviceId: gelManicure, staffId: ines }] })
    const dialog = await sheet()
    expect(dialog.getByRole('heading', { name: 'An earlier time' })).toBeTruthy()
    expect(dialog.getByText(/Thursday 20 March at 16:00 is given back/)).toBeTruthy()
    expect(dialog.queryByRole('button', { name: /21 March/ })).toBeNull()
    const join = () => userEvent.click(dialog.getByRole('button', { name: 'Join the waiting list' }))
    await join()
    await waitFor(() => expect(joined()).toHaveLength(1))
    expect(joined()[0]).toEqual({
      instituteId: nacre._id,
      services: [{ serviceId: gelManicure, staffId: ines }],
      fromDay: '2031-03-18',
      toDay: '2031-03-20',
      visitId: visit._id,
    })
  })
})

function Section() {
  const { isKnown, ...waiting } = useWaiting()
  return isKnown ? (
    <>
      <h1>Visits</h1>
      <WaitingOffers {...waiting} />
      <WaitingRows {...waiting} />
    </>
  ) : null
}
function openSection(items: WaitingEntry[], handlers: Handlers = {}) {
  localStorage.setItem('AuthToken', 't')
  let kept = items
  const drop = () => {
    kept = []
    return { message: 'Done.' }
  }
  const seen = fakeServer({
    me: () => client,
    waitingEntries: () => ({ items: kept, now: new Date().toISOString() }),
    acceptOffer() {
      drop()
      return visitAt(fourPm)
    },
    declineOffer: drop,
    leaveWaitingList: drop,
    ...handlers,
  })
  renderSite('/terms', { '/terms': <Section /> })
  return (name: string) => seen.filter((one) => one.name === name)
}

describe('what is held for somebody', () => {
  it('counts down, and one tap takes it', async () => {
    const asked = openSection([offered({ visit: { _id: 'v', startsAt: '2031-03-27T09:00:00.000Z' } })])
    const offer = within(await screen.findByRole('region', { name: 'Held for you' }))
    expect(offer.getByRole('heading', { name: /Thursday 20 March.* at 16:00/ })).toBeTruthy()
    expect(offer.getByRole('timer').textContent).toMatch(/^1[45]:\d\d$/)
    expect(offer.getByText(/Your visit on Thursday 27 March.* at 10:00 is given back/)).toBeTruthy()
    await userEvent.click(offer.getByRole('button', { name: 'Take it' }))
    expect(await screen.findByText(/^Booked: Thursday 20 March/)).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Held for you' })).toBeNull())
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Visits'))
    expect(asked('acceptOffer')).toHaveLength(1)
    expect(asked('acceptOffer')[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('leads to where it is paid first, and is not said to be booked before', async () => {
    location.hash = ''
    openSection([offered()], { acceptOffer: () => visitAt(fourPm, { payment: { url: '#provider' } }) })
    const offer = within(await screen.findByRole('region', { name: 'Held for you' }))
    await userEvent.click(offer.getByRole('button', { name: 'Take it' }))
    await waitFor(() => expect(location.hash).toBe('#provider'))
    expect(screen.queryByText(/^Booked:/)).toBeNull()
  })

  it('can be let go, and one that ran out meanwhile says so', async () => {
    const late = refused(409, { code: 'hold_expired', message: 'The time we held for you has run out.' })
    const asked = openSection([offered()], { acceptOffer: () => late })
    await userEvent.click(await screen.findByRole('button', { name: 'Take it' }))
    expect(await screen.findByText('The time we held for you has run out.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Let it go' }))
    await waitFor(() => expect(asked('declineOffer')).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Held for you' })).toBeNull())
  })
})

describe('another time that is proposed', () => {
  function Proposals() {
    const { proposed, isKnown } = useOwnProposals()
    return isKnown ? <OwnProposals proposed={proposed} /> : <p>Reading</p>
  }
  const proposal = {
    startsAt: '2031-03-20T15:00:00.000Z',
    endsAt: '2031-03-20T16:00:00.000Z',
    before: { startsAt: '2031-03-19T09:00:00.000Z', endsAt: '2031-03-19T10:00:00.000Z' },
    until: '2031-03-19T07:00:00.000Z',
    isKept: true,
    segments: [],
  }
  function openProposals(handlers: Handlers = {}) {
    localStorage.setItem('AuthToken', 't')
    let isOpen = true
    const close = () => {
      isOpen = false
      return visitAt(fourPm)
    }
    const institute = { name: nacre.name, timeZone: 'Europe/Paris' }
    const seen = fakeServer({
      me: () => client,
      ownProposals: () => ({ now: '2031-03-18T08:00:00.000Z', items: isOpen ? [{ appointmentId: 'v-1', institute, proposal }] : [] }),
      acceptProposal: close,
      declineProposal: close,
      ...handlers,
    })
    renderSite('/terms', { '/terms': <Proposals /> })
    return (name: string) => seen.filter((one) => one.name === name)
  }

  it('stands above the visits, is taken by one tap, and is gone then', async () => {
    const asked = openProposals()
    const card = within(await screen.findByRole('region', { name: 'Another time?' }))
    expect(card.getByText('Your salon proposes another time')).toBeTruthy()
    expect(card.getByRole('heading', { name: /Thursday 20 March.* at 16:00/ })).toBeTruthy()
    expect(card.getByText(/can’t keep .*Wednesday 19 March.* at 10:00/)).toBeTruthy()
    expect(card.getByRole('link', { name: 'See the visit' }).getAttribute('href')).toBe('/appointment/v-1')
    await userEvent.click(card.getByRole('button', { name: 'Take this time' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Another time?' })).toBeNull())
    expect(asked('acceptProposal').map(({ params }) => params)).toEqual([{ id: 'v-1' }])
    expect(asked('declineProposal')).toHaveLength(0)
  })

  it('lets the visit be given up; one that ran out says so and stays', async () => {
    const late = refused(409, { code: 'hold_expired', message: 'The time we held for you has run out.' })
    const asked = openProposals({ acceptProposal: () => late })
    await userEvent.click(await screen.findByRole('button', { name: 'Take this time' }))
    expect(await screen.findByText('The time we held for you has run out.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Give it up, free' }))
    await waitFor(() => expect(asked('declineProposal')).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Another time?' })).toBeNull())
  })
})

describe('what somebody waits for', () => {
  it('is told in days, part of day and hours, and can be removed', async () => {
    const asked = openSection([entryAt({ part: null, hours: { from: '09:30', to: '19:00' } })])
    const section = within(await screen.findByRole('region', { name: 'Waiting' }))
    expect(section.getByText(/Tuesday 18 March.* to Thursday 20 March.* · 9:30–19:00/)).toBeTruthy()
    expect(section.getByRole('link', { name: nacre.name }).getAttribute('href')).toBe(`/salon/${nacre.slug}`)
    await userEvent.click(section.getByRole('button', { name: 'Remove: Gel manicure' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Waiting' })).toBeNull())
    // Whoever uses the keyboard goes on where the list was.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Visits'))
    expect(asked('leaveWaitingList').map(({ params }) => params['id'])).toEqual([entryAt()._id])
  })

  it('says nothing where nobody waits', async () => {
    openSection([])
    expect(await screen.findByRole('heading', { name: 'Visits' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Waiting' })).toBeNull()
  })
})
