import type { InstituteCard as Card } from '@soigne/contract/institutes'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cardOf, cardsNow, nacreCard } from '#/testing/cards.ts'
import { queryOf, renderPart } from '#/testing/render-part.tsx'
import { coverOf, coversOf, onSheets } from './card-cover.ts'
import { InstituteCard } from './institute-card.tsx'
import { InstituteRow } from './institute-row.tsx'
import { MapCard } from './map-card.tsx'
import { NextTimes } from './next-times.tsx'
import { ResultsHeading, type HeadingFacts } from './results-heading.tsx'
import { OpenDataNote, ResultsList } from './results-list.tsx'

const listed: Card = {
  ...nacreCard,
  _id: 'listed',
  slug: 'chez-nous',
  name: 'Chez nous',
  claimed: false,
  service: null,
  nextTimes: [],
  rating: { average: 0, count: 0 },
  priceFrom: null,
}
const fresh: Card = { ...nacreCard, rating: { average: 0, count: 0 }, distanceKm: null, quarter: null, priceFrom: null, service: null }

const shows: [name: string, draw: (card: Card) => ReactNode][] = [
  ['a card', (card) => <InstituteCard card={card} cover={coverOf(card)} now={cardsNow} />],
  ['a row', (card) => <InstituteRow card={card} cover={coverOf(card)} now={cardsNow} eager={false} highlighted={false} />],
  ['the card of a pin', (card) => <MapCard card={card} cover={coverOf(card)} onClose={() => {}} />],
]

afterEach(cleanup)

it('the cover of the card that is followed grows into its page', async () => {
  renderPart(<InstituteRow card={nacreCard} cover={coverOf(nacreCard)} now={cardsNow} eager={false} highlighted={false} />)
  const name = vi.spyOn(CSSStyleDeclaration.prototype, 'setProperty')
  await userEvent.click(screen.getByRole('link', { name: 'Atelier Nacre' }))
  expect(name).toHaveBeenCalledWith('view-transition-name', 'cover')
})

describe.each(shows)('an institute as %s', (_, draw) => {
  const text = () => screen.getByRole('article').textContent

  it('[R-07] leads to its page and says what it is, where, how it is rated, and what its signature costs', () => {
    renderPart(draw(nacreCard))
    expect(screen.getByRole('link', { name: 'Atelier Nacre' }).getAttribute('href')).toBe('/salon/atelier-nacre')
    expect(text()).toContain('Nails · Croix-Rousse')
    expect(text()).toContain('Gel manicure · €28')
    expect(text()).toContain('4.9')
  })

  it('says from which price on, or between which prices, where that depends', () => {
    const price = (amount: number) => ({ amount, currency: 'EUR' })
    const service = nacreCard.service
    renderPart(draw({ ...nacreCard, service: service && { ...service, priceTo: null } }))
    expect(text()).toContain('Gel manicure · from €28')
    cleanup()
    renderPart(draw({ ...nacreCard, service: service && { ...service, priceTo: price(3400) } }))
    expect(text()).toMatch(/Gel manicure · €28\W+€?34/)
  })

  it('one that nobody has rated yet is new, not bad', () => {
    renderPart(draw(fresh))
    expect(text()).toContain('New here')
    expect(text()).not.toContain('0.0')
  })

  it('names the town beside the quarter where no place was asked', () => {
    renderPart(draw({ ...nacreCard, distanceKm: null }))
    expect(text()).toContain('Nails · Croix-Rousse, Lyon')
    cleanup()
    renderPart(draw(nacreCard))
    expect(text()).not.toContain(', Lyon')
  })

  it('without a quarter it names the town, and neither distance nor price where none is known', () => {
    renderPart(draw(fresh))
    expect(text()).toContain('Nails · Lyon')
    expect(text()).not.toContain('km')
    expect(text()).not.toContain('from')
  })

  it('one that is only listed says so', () => {
    renderPart(draw(listed))
    expect(text()).toContain('From open data')
  })
})

describe('a row of the list', () => {
  const row = (card: Card) =>
    renderPart(<InstituteRow card={card} cover={coverOf(card)} now={cardsNow} eager={false} highlighted={false} />)

  it('says how far it is, for whom, in which languages, and whether it comes to people’s homes', () => {
    row(nacreCard)
    expect(screen.getByRole('article').textContent).toContain('0.4 km')
    const tags = within(screen.getByRole('list', { name: 'Good to know' })).getAllByRole('listitem')
    expect(tags.map(({ textContent }) => textContent)).toEqual(['All', 'English and French', 'At home'])
  })

  it('two of its categories are named', () => {
    row({ ...nacreCard, categories: ['nails', 'massage', 'body'] })
    expect(screen.getByRole('article').textContent).toContain('Nails · Massage · Croix-Rousse')
  })

  it('names the service its times are for', () => {
    row(nacreCard)
    expect(screen.getByText(/^Gel manicure ·/)).toBeTruthy()
  })

  it('one that is only listed claims nothing of itself', () => {
    row(listed)
    expect(screen.queryByRole('list', { name: 'Good to know' })).toBeNull()
    expect(screen.getByText('Not bookable here yet')).toBeTruthy()
  })
})

describe('the next times', () => {
  const times = (card: Card, layout: 'spread' | 'loose' = 'loose') => renderPart(<NextTimes card={card} now={cardsNow} layout={layout} />)

  it('[P-01] are links into the booking with service and time, on the clock of the institute', () => {
    times(nacreCard)
    const links = within(screen.getByRole('list', { name: 'Next times for Gel manicure at Atelier Nacre' })).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/Today.*14:20|14:20.*Today/),
      expect.stringMatching(/16:40/),
      expect.stringMatching(/9:20/),
      'More times',
    ])
    expect(links[0]?.getAttribute('href')).toMatch(/^\/salon\/atelier-nacre\/book\?/)
    expect(queryOf(links[0] as HTMLElement)).toEqual({ service: nacreCard.service?._id, at: '2026-11-19T13:20:00Z' })
    expect(queryOf(links[3] as HTMLElement)).toEqual({ service: nacreCard.service?._id, step: 'time' })
  })

  it('elsewhere in the world they stand on that place’s clock and day', () => {
    times({ ...nacreCard, timeZone: 'Pacific/Auckland' })
    const [first] = screen.getAllByRole('link')
    expect(first?.textContent).toMatch(/2:20/)
    expect(first?.textContent).toMatch(/Tomorrow/)
  })

  it('are three at most, and the way to more is no part of a narrow card', () => {
    times({ ...nacreCard, nextTimes: [13, 14, 15, 16, 17].map((hour) => ({ startsAt: `2026-11-19T${hour}:20:00Z` })) }, 'spread')
    expect(screen.getAllByRole('link')).toHaveLength(3)
  })

  it('none ahead is said in words', () => {
    times({ ...nacreCard, nextTimes: [] })
    expect(screen.getByText('No free time in the coming weeks')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('those of a visit at home lead into a booking at home', () => {
    times({ ...nacreCard, service: nacreCard.service && { ...nacreCard.service, atHome: true } })
    const asked = screen.getAllByRole('link').map((link) => queryOf(link))
    expect(asked[0]).toEqual({ service: nacreCard.service?._id, at: '2026-11-19T13:20:00Z', home: '1' })
    expect(asked[3]).toEqual({ service: nacreCard.service?._id, step: 'time', home: '1' })
  })
})

describe('the pictures of a list', () => {
  it('a real one is shown as it is, cut paper is drawn from its address', () => {
    expect(coverOf({ ...nacreCard, coverUrl: '/files/pictures/a.webp' })).toEqual({
      category: 'nails',
      seed: nacreCard._id,
      photoUrl: '/files/pictures/a.webp',
    })
    expect(coverOf({ ...nacreCard, coverUrl: '/art/cover/hair/bleu%20volet.svg?shape=wide' })).toEqual({
      category: 'hair',
      seed: 'bleu volet',
    })
    expect(coverOf({ ...nacreCard, categories: [], coverUrl: '/files/x.webp' }).category).toBe('hair')
  })

  it('there is one for each card, in order', () => {
    const cards = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => cardOf('nails', '2026-11-19T13:20:00Z', name))
    expect(coversOf(cards, 1).map(({ category }) => category)).toEqual(cards.map(() => 'nails'))
  })
})

describe('the list of what was found', () => {
  const cards = [nacreCard, cardOf('hair', '2026-11-19T13:20:00Z', 'Bleu volet'), listed]
  function open(part: Partial<Parameters<typeof ResultsList>[0]> = {}) {
    const onPoint = vi.fn<(id: string | null) => void>()
    renderPart(<ResultsList cards={cards} now={cardsNow} pending={false} highlighted={null} onPoint={onPoint} {...part} />)
    return onPoint
  }

  it('keeps the order of the answer', () => {
    open()
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Atelier Nacre',
      'Bleu volet',
      'Chez nous',
    ])
  })

  it('is busy while another answer is on its way', () => {
    open({ pending: true })
    expect(screen.getByRole('list', { name: 'Institutes found' }).getAttribute('aria-busy')).toBe('true')
  })

  it('tells which row the mouse is over and that it has left', async () => {
    const onPoint = open()
    await userEvent.hover(screen.getByRole('heading', { name: 'Bleu volet' }))
    expect(onPoint).toHaveBeenLastCalledWith('bleu-volet')
    await userEvent.unhover(screen.getByRole('list', { name: 'Institutes found' }))
    expect(onPoint).toHaveBeenLastCalledWith(null)
  })

  it('tells so for the keyboard as well', async () => {
    const onPoint = open()
    await userEvent.tab()
    expect(document.activeElement?.textContent).toBe('Atelier Nacre')
    expect(onPoint).toHaveBeenLastCalledWith(nacreCard._id)
  })

  it('only the first covers are fetched at once', () => {
    open()
    const loading = screen.getAllByRole('article').map((article) => article.querySelector('img')?.getAttribute('loading') ?? 'eager')
    expect(loading.slice(0, 2)).toEqual(['eager', 'eager'])
    expect(loading[2]).toBe('lazy')
  })

  it('names the sources of open data where there is some, and only there', () => {
    renderPart(<OpenDataNote cards={[nacreCard]} />)
    expect(screen.queryByRole('link')).toBeNull()
    cleanup()
    renderPart(<OpenDataNote cards={[nacreCard, listed]} />)
    expect(screen.getByRole('link', { name: '© OpenStreetMap contributors' }).getAttribute('href')).toBe(
      'https://www.openstreetmap.org/copyright',
    )
    for (const link of screen.getAllByRole('link'))
      expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noreferrer'])
  })
})

describe('the first line of the list', () => {
  const facts: HeadingFacts = {
    filters: {},
    total: 12,
    place: null,
    isPlaceUnknown: false,
    now: cardsNow,
    zone: 'Europe/Paris',
    listed: 0,
  }
  it.each<[Partial<HeadingFacts>, string]>([
    [{}, 'Institutes, 12 free soon'],
    [{ total: 1 }, 'Institutes, 1 free soon'],
    [{ place: 'Lyon' }, 'Institutes near Lyon, 12 free soon'],
    [{ filters: { day: '2026-11-19' } }, 'Institutes, 12 free today'],
    [{ filters: { day: '2026-11-20' } }, 'Institutes, 12 free tomorrow'],
    [{ filters: { category: 'nails' } }, 'Nails, 12 free soon'],
    [{ filters: { category: 'nails' }, place: 'Lyon' }, 'Nails near Lyon, 12 free soon'],
    [{ filters: { category: 'garden' } }, 'Institutes, 12 free soon'],
    [{ total: 0 }, 'Institutes, nothing found'],
    [{ total: 0, place: 'Lyon' }, 'Institutes near Lyon, nothing found'],
    [{ total: 0, place: 'Lyon', filters: { day: '2026-11-20' } }, 'Institutes near Lyon, nothing free'],
    [{ total: 0, isPlaceUnknown: true, place: 'Atlantis' }, 'We don’t know “Atlantis”'],
    [{ total: 0, filters: { category: 'hair-removal' } }, 'Hair removal, nothing found'],
    [{ listed: 12 }, 'Institutes, 12 found'],
    [{ listed: 12, filters: { category: 'nails' } }, 'Nails, 12 found'],
  ])('%o reads %s', (part, text) => {
    renderPart(<ResultsHeading {...facts} {...part} />)
    expect(screen.getByRole('heading', { level: 1 }).textContent?.trim()).toBe(text)
  })

  it('counts what is only listed apart from what can be booked', () => {
    renderPart(<ResultsHeading {...facts} total={1869} listed={1849} />)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Institutes, 20 free soon')
    expect(screen.getByText('And 1849 you can’t book here yet')).toBeTruthy()
    cleanup()
    renderPart(<ResultsHeading {...facts} listed={12} />)
    expect(screen.queryByText(/can’t book/)).toBeNull()
  })

  it('today is that of the place, not of who looks', () => {
    const late = Date.parse('2026-11-22T22:50:00Z')
    renderPart(<ResultsHeading {...facts} now={late} zone="Asia/Tokyo" filters={{ day: '2026-11-23' }} />)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('free today')
  })
})

describe('the drawings of many cards', () => {
  it('come in few files, one for each neighbourhood; photos stay their own', () => {
    const drawn = (seed: string) => ({ category: 'hair', seed })
    const photo = { category: 'hair', seed: 'p', photoUrl: '/files/p.webp' }
    const covers = onSheets([drawn('a'), photo, drawn('b'), drawn('c')], 2)
    expect(covers.map(({ artUrl }) => artUrl)).toEqual([
      '/art/sheet/landscape.svg?of=hair%2Fa&of=hair%2Fb#0',
      undefined,
      '/art/sheet/landscape.svg?of=hair%2Fa&of=hair%2Fb#1',
      '/art/sheet/landscape.svg?of=hair%2Fc#0',
    ])
    expect(covers[1]).toBe(photo)
  })
})
