import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Institute } from '@soigne/contract/institutes'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { priceCart } from '#/features/cart/priced-cart.ts'
import { BookingPanel } from '#/features/institute/booking-panel.tsx'
import { ServiceMenu } from '#/features/institute/service-menu.tsx'
import { fakeServer } from '#/testing/fake-server.ts'
import { gelManicure, handMassage, nacre } from '#/testing/institutes.ts'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import { CartBar } from './cart-bar.tsx'
import { askedOf, useCart, type LoadedTimes } from './use-cart.ts'

const now = Date.parse('2031-03-18T08:00:00Z')
const at = '2031-03-18T15:40:00.000Z'
const later = '2031-03-18T16:40:00.000Z'
const timesOf = (...starts: string[]) =>
  starts.map((startsAt) => ({ startsAt, endsAt: new Date(Date.parse(startsAt) + 3_600_000).toISOString() }))
const loaded: LoadedTimes = { next: { times: timesOf(at, later), services: [handMassage] }, service: [], now }

/** The parts of the page that share a cart. */
function Page({ institute = nacre, times = loaded }: { institute?: Institute; times?: LoadedTimes }) {
  const cart = useCart(institute, times)
  const priced = priceCart(institute, cart.choice.items)
  const chosen = new Set(cart.choice.items.map(({ serviceId }) => serviceId))
  return (
    <>
      <ServiceMenu institute={institute} chosen={chosen} togglePath={cart.togglePath} />
      <BookingPanel
        institute={institute}
        now={now}
        times={cart.times}
        isPending={cart.isPending}
        selected={cart.selected}
        suggestion={cart.suggestion}
        hasCart={cart.hasCart}
        timePath={cart.timePath}
        onTime={cart.chooseTime}
        allTimesPath={cart.allTimesPath}
        bookPath={cart.bookPath}
        lines={<p>lines</p>}
        total={<b>{priced.total.least?.amount}</b>}
        durationMinutes={priced.durationMinutes}
      />
      <CartBar institute={institute} now={now} cart={cart} priced={priced} />
    </>
  )
}

const salon = '/salon/atelier-nacre'
const panel = () => within(screen.getByRole('complementary', { name: 'Book a visit' }))
const paramsOf = (link: HTMLElement) => new URL(link.getAttribute('href') ?? '', 'http://soigne.test').searchParams

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('before anything is chosen', () => {
  it('[P-01] the next times are those of the service that is free earliest, named with its price, and each starts its booking', () => {
    const seen = fakeServer({})
    renderPart(<Page />, { at: salon })
    expect(panel().getByText(/^Next free for Hand massage · €/)).toBeTruthy()
    const [first] = within(panel().getByRole('list', { name: 'Next free times' })).getAllByRole('link')
    expect(first?.getAttribute('aria-label')).toBe('Today at 16:40')
    expect(queryOf(first as HTMLElement)).toEqual({ service: handMassage, at })
    expect(seen).toEqual([])
  })

  it('the buttons lead to choosing', () => {
    fakeServer({})
    renderPart(<Page />, { at: salon })
    expect(screen.getByRole('link', { name: 'Choose what to book' }).getAttribute('href')).toBe(`${salon}/book`)
    expect(screen.getByRole('link', { name: 'Choose' }).getAttribute('href')).toBe(`${salon}/book`)
    expect(paramsOf(screen.getByRole('link', { name: 'See all times' })).get('step')).toBe('time')
  })

  it('no time ahead is said in words', () => {
    fakeServer({})
    renderPart(<Page times={{ ...loaded, next: { times: [], services: [] } }} />, { at: salon })
    expect(panel().getByText('No free times')).toBeTruthy()
    expect(panel().queryByRole('list')).toBeNull()
  })

  it('the terms stand beside the button', () => {
    fakeServer({})
    renderPart(<Page />, { at: salon })
    expect(panel().getByText('Free to cancel up to 2 hours before')).toBeTruthy()
    cleanup()
    renderPart(<Page institute={{ ...nacre, rules: { ...nacre.rules, cancelWindowHours: 0 } }} />, { at: salon })
    expect(panel().getByText('Free to cancel until it starts')).toBeTruthy()
    cleanup()
    renderPart(<Page institute={{ ...nacre, rules: { ...nacre.rules, cancelWindowHours: null } }} />, { at: salon })
    expect(panel().getByText('You pay at the salon')).toBeTruthy()
    cleanup()
    renderPart(<Page institute={{ ...nacre, rules: { ...nacre.rules, cancelWindowHours: null, payAtSalon: false } }} />, { at: salon })
    expect(panel().queryByText('You pay at the salon')).toBeNull()
  })

  it('a place that takes no bookings asks for no times', () => {
    expect(askedOf({ ...nacre, claimed: false }, [])).toBeNull()
    const seen = fakeServer({})
    renderPart(<Page institute={{ ...nacre, claimed: false }} times={{ next: null, service: [], now }} />, { at: salon })
    expect(screen.queryByRole('link', { name: 'Add Gel manicure' })).toBeNull()
    expect(screen.getAllByRole('link', { name: /^Call Atelier Nacre about/ })).toHaveLength(2)
    expect(seen).toEqual([])
  })
})

describe('a cart', () => {
  const open = (query: string, starts: string[] = [at, later]) => {
    const seen = fakeServer({ nextTimes: () => ({ timeZone: nacre.timeZone, times: timesOf(...starts) }) })
    return { seen, ...renderPart(<Page />, { at: `${salon}?${query}` }) }
  }

  it('grows and shrinks in the address, service by service', async () => {
    const { place } = open('')
    await userEvent.click(screen.getByRole('link', { name: 'Add Gel manicure' }))
    await userEvent.click(await screen.findByRole('link', { name: 'Add Hand massage' }))
    const services = () => new URLSearchParams(place().split('?')[1]).getAll('service')
    await waitFor(() => expect(services()).toEqual([gelManicure, handMassage]))
    await userEvent.click(await screen.findByRole('link', { name: 'Gel manicure added. Remove' }))
    await waitFor(() => expect(services()).toEqual([handMassage]))
    await userEvent.click(await screen.findByRole('link', { name: 'Hand massage added. Remove' }))
    await waitFor(() => expect(place()).toBe(salon))
  })

  it('asks for the next times of all of it together', async () => {
    const { seen } = open(`service=${gelManicure}&service=${handMassage}`)
    await panel().findByRole('link', { name: 'Today at 16:40' })
    expect(seen.map(({ query }) => [query.getAll('service'), query.get('limit')])).toEqual([[[gelManicure, handMassage], '3']])
    expect(panel().getByText('Next free, with anyone')).toBeTruthy()
  })

  it('takes the first time unless another is chosen, and names its end', async () => {
    const { place } = open(`service=${gelManicure}`)
    const book = await panel().findByRole('link', { name: 'Book 16:40' })
    expect(paramsOf(book).get('at')).toBe(at)
    expect(panel().getByText(/\d+ min, until 17:40/)).toBeTruthy()
    await userEvent.click(panel().getByRole('link', { name: 'Today at 17:40' }))
    await waitFor(() => expect(new URLSearchParams(place().split('?')[1]).get('at')).toBe(later))
    expect(await panel().findByRole('link', { name: 'Book 17:40' })).toBeTruthy()
  })

  it('a chosen time that is free no more gives way to the next one', async () => {
    open(`service=${gelManicure}&at=2031-03-18T10:00:00.000Z`)
    expect(await panel().findByRole('link', { name: 'Book 16:40' })).toBeTruthy()
  })

  it('without a free time it leads to choosing one', async () => {
    open(`service=${gelManicure}`, [])
    const choose = await panel().findByRole('link', { name: 'Choose a time' })
    expect([paramsOf(choose).get('step'), paramsOf(choose).get('at')]).toEqual(['time', null])
  })

  it('the bar of a phone says the sum and the same time', async () => {
    open(`service=${gelManicure}`)
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Book 16:40' })).toHaveLength(2))
    expect(screen.getByText(/^€38\s–\s€44$/)).toBeTruthy()
  })

  it('times that do not come leave the page and its cart', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    renderPart(<Page />, { at: `${salon}?service=${gelManicure}` })
    expect(await panel().findByText('No free times')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Gel manicure added. Remove' })).toBeTruthy()
  })
})

describe('the menu', () => {
  const menu = (institute: Institute) =>
    renderPart(<ServiceMenu institute={institute} chosen={new Set()} togglePath={(id) => `/add/${id}`} />)
  const [gel, massage] = nacre.services

  it('[R-08] stands in its sections, in the order of the institute', () => {
    menu({
      ...nacre,
      services: [
        { ...gel!, section: 'Feet' },
        { ...massage!, section: 'Hands' },
        { ...gel!, _id: 'x', section: 'Feet', name: 'Pedicure' },
      ],
    })
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Feet', 'Hands'])
    expect(screen.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent)).toEqual([
      'Gel manicure',
      'Pedicure',
      'Hand massage',
    ])
  })

  it('says for whom a service is and what it asks for', () => {
    menu({ ...nacre, services: [{ ...massage!, audience: 'Kids' }] })
    expect(screen.getByText('Kids · From 16 years')).toBeTruthy()
  })

  it('a price that begins there says from, and none says on request', () => {
    menu({
      ...nacre,
      services: [
        { ...gel!, priceKind: 'from' },
        { ...massage!, price: null, priceKind: 'on_request', performers: [] },
      ],
    })
    expect(screen.getByText('Gel manicure').closest('li')?.textContent).toContain('from €38')
    expect(screen.getByText('Hand massage').closest('li')?.textContent).toContain('on request')
  })
})
