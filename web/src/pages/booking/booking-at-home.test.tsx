import type { Institute } from '@soigne/contract/institutes'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepHomeAddress } from '#/features/at-home/home-address.ts'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { readChoice } from '#/features/cart/choice.ts'
import { HomePart } from '#/features/diary-visit/home-part.tsx'
import { diaryVisit } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, handMassage, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { renderSite } from '#/testing/render-site.tsx'
import { holdAt } from '#/testing/visits.ts'
import { BookingFlow } from './booking-flow.tsx'

const at = '2031-03-18T15:40:00.000Z'
const venues = (gel: 'either' | 'home' | undefined, massage?: 'either' | 'home'): Institute => ({
  ...nacre,
  atHome: true,
  atHomeRadiusKm: 10,
  services: nacre.services.map((one) => {
    const venue = one._id === gelManicure ? gel : massage
    return venue ? { ...one, venue } : one
  }),
})

const place = (name: string, lat: number, lon: number, more: object = {}) => ({
  _id: name,
  kind: 'town' as const,
  name,
  region: null,
  country: 'France',
  countryCode: 'FR',
  lat,
  lon,
  radiusKm: 25,
  timeZone: 'Europe/Paris',
  ...more,
})
const places = [place('Villeurbanne', 45.77, 4.88), place('Vienne', 45.53, 4.87)]

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function openTimes(institute: Institute, query = `service=${gelManicure}&staff=any&step=time`) {
  const free = { day: '2031-03-18', times: [{ startsAt: at, endsAt: at }], taken: [] }
  const seen = fakeServer({
    me: () => client,
    places: ({ query: asked }) => ({ items: places.filter(({ name }) => name.startsWith(String(asked.get('q')).slice(0, 3))) }),
    availability: () => ({ timeZone: 'Europe/Paris', days: [free] }),
    monthMap: () => ({ timeZone: 'Europe/Paris', days: [] }),
    nextTimes: () => ({ timeZone: 'Europe/Paris', times: [], services: [] }),
    currentHolds: () => ({ items: [] }),
    makeHold: () => holdAt(at, 600_000, { atHome: true }),
    joinWaitingList: () => refused(409, { code: 'too_many_waiting', message: 'You wait for ten things already.' }),
    releaseHold: () => ({ message: 'Let go.' }),
  })
  const page = <BookingFlow institute={institute} now={Date.parse('2031-03-18T08:00:00Z')} />
  const site = renderSite(`/salon/atelier-nacre/book?${query}`, { '/salon/:slug/book': page })
  return { ...site, calls: (name: string) => seen.filter((one) => one.name === name) }
}
const type = async (label: string, text: string) => {
  // A list of suggestions has the name of its field.
  const [field] = await screen.findAllByLabelText(label)
  if (!field) throw new Error(`no field ${label}`)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const seeTimes = () => userEvent.click(screen.getByRole('button', { name: 'See times' }))

describe('a visit at home', () => {
  it('asks for the address before any time, says what is wrong with it there, and holds with it', async () => {
    const { calls, place: address } = openTimes(venues('either'))
    await userEvent.click(await screen.findByRole('radio', { name: 'At your home' }))
    await screen.findByLabelText('Street and number')
    expect(screen.queryByRole('radio', { name: /16:40/ })).toBeNull()
    await seeTimes()
    expect(screen.getAllByText('Please fill this in.')).toHaveLength(2)
    await type('Street and number', '8 rue des Acacias')
    await type('Town', 'Qwrtzk')
    await seeTimes()
    await screen.findByText('We don’t know this place. Choose one from the list.')
    await type('Town', 'Vienne')
    await seeTimes()
    await screen.findByText('That is 27 km away. The salon comes as far as 10 km.')
    await type('Town', 'Ville')
    await userEvent.click(await screen.findByRole('option', { name: /Villeurbanne/ }))
    await seeTimes()
    await userEvent.click(await screen.findByRole('radio', { name: /16:40/ }))
    await screen.findByText('We’re holding 16:40 for you.')
    expect(calls('availability').at(-1)?.query.get('atHome')).toBe('true')
    const home = { line: '8 rue des Acacias', postalCode: '', city: 'Villeurbanne', lat: 45.77, lon: 4.88 }
    expect(calls('makeHold')[0]?.body).toMatchObject({ startsAt: at, home })
    expect(address()).toContain('home=1')
    expect(address()).not.toContain('Acacias')
  })

  it('knows the address again in this window, and asks for another where the institute does not come so far', async () => {
    keepHomeAddress({ line: '1 place Carnot', postalCode: '38200', city: 'Vienne', lat: 45.53, lon: 4.87 })
    openTimes(venues('home'))
    await screen.findByText('That is 27 km away. The salon comes as far as 10 km.')
    expect((await screen.findByLabelText<HTMLInputElement>('Street and number')).value).toBe('1 place Carnot')
    expect(screen.queryByRole('radio', { name: 'At the salon' })).toBeNull()
  })

  it('is waited for with its address, where no time suits', async () => {
    const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne', lat: 45.77, lon: 4.88 }
    keepHomeAddress(home)
    const { calls } = openTimes(venues('home'))
    await userEvent.click(await screen.findByRole('button', { name: 'Nothing that suits? Tell me when something falls free' }))
    const sheet = within(await screen.findByRole('dialog'))
    expect(sheet.getByText(/At your home/).textContent).toBe('At your home · 8 rue des Acacias, 69100 Villeurbanne')
    await userEvent.click(sheet.getByRole('button', { name: 'Join the waiting list' }))
    await waitFor(() => expect(calls('joinWaitingList')).toHaveLength(1))
    expect(calls('joinWaitingList')[0]?.body).toMatchObject({ services: [{ serviceId: gelManicure }], home })
  })

  it('is for everything of the visit, or for nothing', async () => {
    const both = new URLSearchParams(`service=${gelManicure}&service=${handMassage}&home=1`)
    const read = (institute: Institute) => {
      const { venue, atHome } = readChoice(both, institute)
      return [venue, atHome]
    }
    expect(read(venues('either', 'either'))).toEqual(['either', true])
    expect(read(venues('either', 'home'))).toEqual(['home', true])
    expect(read(venues('either'))).toEqual(['salon', false])
    expect(read(venues('home'))).toEqual(['apart', false])
    openTimes(venues('home'), `service=${gelManicure}&service=${handMassage}&staff=any&step=time`)
    await screen.findByText('These services don’t fit into one visit.')
    await waitFor(() => expect(screen.queryByRole('radio', { name: /16:40/ })).toBeNull())
  })

  it('shows its address to who performs it, and the town to the others', async () => {
    const visit = diaryVisit('v', '09:40', '10:20', { atHome: { city: 'Lyon' } })
    const home = { line: '8 rue des Acacias', postalCode: '69003', city: 'Lyon' }
    const detail = { ...visit, timeZone: 'Europe/Paris', terms: { cancelWindowHours: 2, freeUntil: null }, history: [] }
    renderPart(<HomePart visit={visit} detail={{ ...detail, home }} />)
    expect(await screen.findByText('8 rue des Acacias')).toBeTruthy()
    const way = screen.getByRole<HTMLAnchorElement>('link', { name: 'Directions' })
    expect(new URL(way.href).searchParams.get('to')).toBe('8 rue des Acacias, 69003 Lyon')
    cleanup()
    renderPart(<HomePart visit={visit} detail={detail} />)
    expect(await screen.findByText('Lyon')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Directions' })).toBeNull()
  })
})
