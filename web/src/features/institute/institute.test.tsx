import type { Institute } from '@soigne/contract/institutes'
import { cleanup, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, it } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { Grades } from './grades.tsx'
import { HoursAndPlace } from './hours-and-place.tsx'
import { galleryPictures } from './institute-facts.ts'
import { InstituteHeading } from './institute-heading.tsx'
import { ServiceMenu } from './service-menu.tsx'
import { scriptJson, structuredData } from './structured-data.ts'
import { Team } from './team.tsx'
import { UnclaimedNote } from './unclaimed-note.tsx'

/** A Thursday at 11:00 in Lyon. */
const now = Date.parse('2026-11-19T10:00:00Z')

afterEach(cleanup)

function show(element: ReactNode) {
  return render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <MemoryRouter>{element}</MemoryRouter>
    </I18nextProvider>,
  )
}

describe('the page of an institute', () => {
  it('[E-14] [E-15] says whom it is for and which languages are spoken', () => {
    show(<InstituteHeading institute={nacre} now={now} />)
    expect(screen.getByText('Woman and Kids')).toBeTruthy()
    expect(screen.getByText('English and Arabic')).toBeTruthy()
    expect(screen.getByText(/Open until/).textContent).toContain('19:00')
  })

  it('[E-13] lists the week from Monday to Sunday with today marked', () => {
    show(<HoursAndPlace institute={nacre} now={now} map={null} />)
    expect(screen.getAllByRole('term').map((day) => day.textContent)).toEqual([
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday · today',
      'Friday',
      'Saturday',
      'Sunday',
    ])
    expect(screen.getByText('Thursday · today').closest('div')?.textContent).toContain('9:00–19:00')
    expect(screen.getByText('Friday').closest('div')?.textContent).toContain('9:00–12:00, 14:00–20:00')
    expect(screen.getByText('Closed days ahead')).toBeTruthy()
  })

  it('a closure says why in the words of the institute, apart from ours', () => {
    const closures = [{ fromDay: '2027-03-29', toDay: '2027-03-29', reason: 'Lundi de Pâques' }]
    show(<HoursAndPlace institute={{ ...nacre, closures }} now={now} map={null} />)
    expect(screen.getByText('Lundi de Pâques').tagName).toBe('BDI')
  })

  it('between two ranges of today it says when it opens again', () => {
    const friday = Date.parse('2026-11-20T12:00:00Z')
    show(<InstituteHeading institute={{ ...nacre, openUntil: null }} now={friday} />)
    expect(screen.getByText('Opens at 14:00')).toBeTruthy()
  })

  it('shows who of the team is away, and never why', () => {
    show(<Team team={nacre.team} />)
    expect(screen.getAllByRole('listitem').map((one) => within(one).getByText(/Available|Away/).textContent)).toEqual([
      'Available',
      'Away',
      'Away',
    ])
  })

  it('[E-09] shows the four averages once somebody has rated, and nothing before', () => {
    const { container, unmount } = show(<Grades institute={nacre} />)
    expect(container.textContent).toBe('')
    unmount()
    show(
      <Grades
        institute={{
          ...nacre,
          rating: { average: 4.9, count: 218 },
          averageWelcoming: 5,
          averageHygiene: 4.9,
          averageAtmosphere: 4.8,
          averageServiceQuality: 4.7,
        }}
      />,
    )
    for (const label of ['Welcoming', 'Hygiene', 'Atmosphere', 'Service quality']) expect(screen.getByText(label)).toBeTruthy()
  })

  it('services are added by links, so that the cart works before scripts', () => {
    show(<ServiceMenu institute={nacre} chosen={new Set([gelManicure])} togglePath={(id) => `/salon/atelier-nacre?service=${id}`} />)
    expect(screen.getByRole('link', { name: 'Gel manicure added. Remove' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Add Hand massage' }).getAttribute('href')).toContain('?service=')
    expect(screen.getByText('From 16 years')).toBeTruthy()
  })

  it('a place that takes no bookings has nothing to add', () => {
    show(<ServiceMenu institute={{ ...nacre, claimed: false }} chosen={new Set()} togglePath={() => '/'} />)
    expect(screen.queryByRole('link', { name: /^Add/ })).toBeNull()
  })

  it('a price that depends on the person begins at the least, and what is on request leads to a call', () => {
    const [gel, massage] = nacre.services
    const services = [gel!, { ...massage!, price: null, priceKind: 'on_request' as const, performers: [] }]
    const { unmount } = show(<ServiceMenu institute={{ ...nacre, services }} chosen={new Set()} togglePath={() => '/'} />)
    const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(rows()[0]).toContain('from €38')
    expect(rows()[1]).toContain('on request')
    const call = screen.getByRole('link', { name: 'Call Atelier Nacre about Hand massage' })
    expect(call.getAttribute('href')).toBe('tel:+33400001018')
    expect(screen.queryByRole('link', { name: 'Add Hand massage' })).toBeNull()
    unmount()
    show(<ServiceMenu institute={{ ...nacre, services, phone: null }} chosen={new Set()} togglePath={() => '/'} />)
    expect(rows()[1]).toContain('Ask at the salon')
    expect(screen.queryByRole('link', { name: /^Call/ })).toBeNull()
  })

  it('[P-11] a price to come is said once its day can be booked, and only where it differs', () => {
    const [gel, massage] = nacre.services
    const later = (fromDay: string, amount: number) => ({
      fromDay,
      price: { amount, currency: 'EUR' },
      priceKind: 'fixed' as const,
      performers: [],
    })
    const plain = { ...massage!, price: { amount: 2000, currency: 'EUR' }, priceKind: 'fixed' as const, performers: [] }
    const said = (...laterPrices: ReturnType<typeof later>[]) => {
      const services = [gel!, { ...plain, laterPrices }]
      const { unmount } = show(<ServiceMenu institute={{ ...nacre, services }} chosen={new Set()} togglePath={() => '/'} now={now} />)
      const text = screen.queryByText(/^from \d+ \w+: /)?.textContent
      unmount()
      return text
    }
    expect(said(later('2027-01-01', 2400))).toBe('from 1 Jan: €24')
    expect(said(later('2026-12-01', 2000), later('2027-01-01', 2400))).toBe('from 1 Jan: €24')
    expect(said(later('2027-01-18', 2400))).toBe('from 18 Jan: €24')
    expect(said(later('2027-01-19', 2400))).toBeUndefined()
  })

  it('real pictures are never mixed with cut paper', () => {
    const pictures = [...nacre.pictures, { url: '/files/room.webp', alt: 'The room' }]
    expect(galleryPictures({ ...nacre, pictures }).map(({ url }) => url)).toEqual(['/files/room.webp'])
    expect(galleryPictures(nacre).every(({ isArt }) => isArt)).toBe(true)
    expect(galleryPictures(nacre)).toHaveLength(5)
    expect(galleryPictures({ ...nacre, claimed: false })).toHaveLength(1)
  })

  it('without pictures shows its cover, then rooms and work of its own trades, each once', () => {
    const own = galleryPictures({ ...nacre, pictures: [], categories: ['nails', 'massage'] }).map(({ url }) => url)
    expect(own.map((url) => url.split('/').slice(2, 4).join(' '))).toEqual([
      'cover nails',
      'room nails',
      'work nails',
      'room massage',
      'work massage',
    ])
    expect(new Set(galleryPictures({ ...nacre, categories: ['tatto'] }).map(({ url }) => url)).size).toBe(5)
    // An older release stored rooms that were the same for every trade.
    const older = [...nacre.pictures, { url: '/art/interior/atelier-nacre.svg?kind=shelf', alt: '' }]
    expect(galleryPictures({ ...nacre, pictures: older })).toEqual(galleryPictures(nacre))
  })
})

const openStreetMap = {
  attribution: '© OpenStreetMap contributors',
  attributionUrl: 'https://www.openstreetmap.org/copyright',
  licence: 'ODbL 1.0',
  licenceUrl: 'https://opendatacommons.org/licenses/odbl/1-0/',
}
const closedWeek = nacre.openingHours.map(({ weekday }) => ({ weekday, ranges: [] }))
const listed: Institute = {
  ...nacre,
  claimed: false,
  description: null,
  sources: [openStreetMap],
  services: [],
  team: [],
  audience: ['All'],
  openingHours: closedWeek,
  openUntil: null,
  address: { ...nacre.address, line: '', quarter: null, city: 'Monaco', country: 'Monaco', postalCode: '98000' },
}

describe('the page of a place known from open data', () => {
  it('names the source and its licence, each with a link, and says that it is a sample and takes no bookings', () => {
    const { container } = show(<UnclaimedNote institute={listed} />)
    expect(container.textContent).toContain('A sample listing from open data, not affiliated with us')
    expect(screen.getByRole('link', { name: openStreetMap.attribution }).getAttribute('href')).toBe(openStreetMap.attributionUrl)
    expect(screen.getByRole('link', { name: 'ODbL 1.0' }).getAttribute('href')).toBe(openStreetMap.licenceUrl)
    expect(screen.getByText('This place does not take bookings here yet.')).toBeTruthy()
  })

  it('never calls a place closed whose hours nobody knows, and claims no languages for it', () => {
    const { container, unmount } = show(<InstituteHeading institute={listed} now={now} />)
    expect(container.textContent).toBe('Atelier NacreNails · Monaco')
    unmount()
    show(<HoursAndPlace institute={listed} now={now} map={null} />)
    expect(screen.getByText('Opening hours unknown')).toBeTruthy()
    expect(screen.getByText('98000 Monaco')).toBeTruthy()
    expect(screen.queryByText('Closed')).toBeNull()
  })

  it('shows hours around the clock as such', () => {
    const always = nacre.openingHours.map(({ weekday }) => ({ weekday, ranges: [{ opensAt: '00:00', closesAt: '00:00' }] }))
    show(<InstituteHeading institute={{ ...listed, openingHours: always, openUntil: '00:00' }} now={now} />)
    expect(screen.getByText('Open day and night')).toBeTruthy()
    show(<HoursAndPlace institute={{ ...listed, openingHours: always }} now={now} map={null} />)
    expect(screen.getAllByText('24 hours')).toHaveLength(7)
  })

  it('keeps its sources when its owner has taken it over', () => {
    show(<HoursAndPlace institute={{ ...nacre, sources: [openStreetMap] }} now={now} map={null} />)
    expect(screen.getByRole('link', { name: openStreetMap.attribution })).toBeTruthy()
  })
})

describe('what search engines read', () => {
  it('names the kind of business and its offers, and a rating only when there is one', () => {
    const data = structuredData(nacre, 'https://soigne.test')
    expect(data['@type']).toBe('NailSalon')
    const offers = JSON.stringify(data['makesOffer'])
    expect(offers).toContain('"price":"14.00"')
    expect(offers).toContain('"minPrice":"38.00","maxPrice":"44.00"')
    expect(data['aggregateRating']).toBeUndefined()
    expect(structuredData({ ...nacre, rating: { average: 4.86, count: 12 } }, 'https://soigne.test')['aggregateRating']).toMatchObject({
      ratingValue: '4.8',
      reviewCount: 12,
    })
  })

  it('a name cannot end the script it stands in', () => {
    const json = scriptJson(structuredData({ ...nacre, name: '</script><script>alert(1)</script>' }, 'https://soigne.test'))
    expect(json).not.toContain('<')
    expect(JSON.parse(json)).toMatchObject({ name: '</script><script>alert(1)</script>' })
  })
})
