import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { Place } from '@soigne/contract/places'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { CardPreview } from './card-preview.tsx'
import { initialDraft, type OpeningHours, type SetupDraft } from './draft/draft.ts'
import { GeneralStep } from './general-step.tsx'
import { PlacePart } from './place-part.tsx'
import { OpeningHoursField } from './week-field.tsx'

const auckland: Place = {
  _id: 'p1',
  kind: 'town',
  name: 'Auckland',
  region: 'Auckland',
  country: 'New Zealand',
  countryCode: 'NZ',
  lat: -36.85,
  lon: 174.76,
  radiusKm: 20,
  timeZone: 'Pacific/Auckland',
}

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the opening hours', () => {
  let hours: OpeningHours
  function Week({ initial }: { initial: Partial<OpeningHours> }) {
    const [now, setNow] = useState<OpeningHours>({ ...initialDraft('u').openingHours, ...initial })
    useEffect(() => void (hours = now), [now])
    return <OpeningHoursField hours={now} onChange={setNow} />
  }
  const open = (initial: Partial<OpeningHours> = {}) => renderPart(<Week initial={initial} />)
  const range = (opensAt: string, closesAt: string) => ({ opensAt, closesAt })

  it('[E-13] begin closed, and a day that opens has the usual hours', async () => {
    open()
    expect(screen.getAllByText('Closed')).toHaveLength(7)
    await userEvent.click(screen.getByRole('switch', { name: 'Tuesday' }))
    expect(hours.Tuesday).toEqual([range('09:00', '18:00')])
    expect(screen.getAllByText('Closed')).toHaveLength(6)
    await userEvent.click(screen.getByRole('switch', { name: 'Tuesday' }))
    expect(hours.Tuesday).toEqual([])
  })

  it('an empty week is filled with the usual hours by one tap, and says so only while it is empty', async () => {
    open()
    await userEvent.click(screen.getByRole('button', { name: 'Fill in these hours' }))
    expect(Object.entries(hours).filter(([, ranges]) => ranges.length > 0)).toEqual(
      ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((weekday) => [weekday, [range('09:00', '18:00')]]),
    )
    expect(screen.queryByText('When are you open?')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Opening hours' }))
    for (const [weekday, ranges] of Object.entries(hours))
      if (ranges.length > 0) await userEvent.click(screen.getByRole('switch', { name: weekday }))
    expect(screen.getByText('When are you open?')).toBeDefined()
  })

  it('take a midday break: a second range follows the first', async () => {
    open({ Friday: [range('09:00', '12:00')] })
    await userEvent.click(screen.getByRole('button', { name: 'Add a range on Friday' }))
    expect(hours.Friday).toEqual([range('09:00', '12:00'), range('13:00', '16:00')])
    await userEvent.selectOptions(screen.getAllByRole('combobox', { name: 'Friday, closes at' })[1]!, '20:00')
    expect(hours.Friday[1]).toEqual(range('13:00', '20:00'))
    await userEvent.click(screen.getByRole('button', { name: 'Remove this range on Friday' }))
    expect(hours.Friday).toEqual([range('09:00', '12:00')])
  })

  it('have three ranges a day at most', async () => {
    open({ Monday: [range('08:00', '10:00'), range('11:00', '13:00'), range('14:00', '16:00')] })
    expect(screen.queryByRole('button', { name: 'Add a range on Monday' })).toBeNull()
  })

  it('offer no further range where the day has no room for it', () => {
    open({ Monday: [range('09:00', '23:00')], Tuesday: [range('18:00', '24:00')], Wednesday: [range('09:00', '22:45')] })
    expect(screen.queryByRole('button', { name: 'Add a range on Monday' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add a range on Tuesday' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Add a range on Wednesday' })).toBeTruthy()
  })

  it('a range that is added is never wrong from the start', async () => {
    open({ Wednesday: [range('09:00', '22:45')] })
    await userEvent.click(screen.getByRole('button', { name: 'Add a range on Wednesday' }))
    expect(hours.Wednesday[1]).toEqual(range('23:00', '24:00'))
    expect(screen.queryByText(/Each range ends/)).toBeNull()
  })

  it('[E-13] are copied to other days in two taps: the usual days are chosen beforehand', async () => {
    open({ Tuesday: [range('09:00', '12:20'), range('13:10', '19:00')] })
    await userEvent.click(screen.getByRole('button', { name: 'Copy Tuesday to other days' }))
    await userEvent.click(screen.getByRole('button', { name: 'Copy' }))
    for (const day of ['Wednesday', 'Thursday', 'Friday', 'Saturday'] as const) expect(hours[day]).toEqual(hours.Tuesday)
    expect(hours.Monday).toEqual([])
  })

  it('say what is wrong with ranges out of order and keep what was chosen', async () => {
    open({ Monday: [range('09:00', '18:00')] })
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Monday, closes at' }), '8:00')
    expect(screen.getByText('Each range ends after it begins, and before the next one.')).toBeTruthy()
    expect(hours.Monday).toEqual([range('09:00', '08:00')])
  })

  it('offer tens and quarters of an hour to the end of the day, without AM and PM', () => {
    open({ Monday: [range('09:00', '18:00')] })
    const options = within(screen.getByRole('combobox', { name: 'Monday, opens at' })).getAllByRole('option')
    expect([options.length, options[0]?.textContent, options.at(-1)?.textContent]).toEqual([193, '0:00', '24:00'])
  })
})

describe('the place', () => {
  const lyon = { name: 'Lyon', lat: 45.7, lon: 4.8, timeZone: 'Europe/Paris', countryCode: 'FR', currency: 'EUR' }
  const inAuckland = {
    city: 'Auckland',
    countryCode: 'NZ',
    country: 'New Zealand',
    timeZone: 'Pacific/Auckland',
    currency: 'NZD',
    today: '2026-11-27',
  }
  let draft: SetupDraft
  function Place({ initial }: { initial: Partial<SetupDraft> }) {
    const [now, setNow] = useState<SetupDraft>({ ...initialDraft('u'), ...initial })
    useEffect(() => void (draft = now), [now])
    return <PlacePart draft={now} change={(part) => setNow((before) => ({ ...before, ...part }))} />
  }
  function open(initial: Partial<SetupDraft> = {}, more: Parameters<typeof fakeServer>[0] = {}) {
    const seen = fakeServer({
      places: () => ({ items: [auckland] }),
      setupPlace: () => inAuckland,
      setupListings: () => ({ items: [] }),
      ...more,
    })
    renderPart(<Place initial={initial} />)
    return { seen, field: screen.getByRole<HTMLInputElement>('combobox', { name: 'Town' }) }
  }

  it('is chosen from the gazetteer and brings its zone and currency unasked', async () => {
    const { field } = open()
    await userEvent.type(field, 'auck')
    await userEvent.click(await screen.findByRole('option', { name: 'Auckland, Auckland, New Zealand' }))
    await waitFor(() =>
      expect(draft.place).toEqual({
        name: 'Auckland',
        lat: -36.85,
        lon: 174.76,
        timeZone: 'Pacific/Auckland',
        countryCode: 'NZ',
        currency: 'NZD',
      }),
    )
    expect(field.value).toBe('Auckland')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Town in the address' }).value).toBe('Auckland')
  })

  it('one letter asks for nothing yet', async () => {
    const { seen, field } = open()
    await userEvent.type(field, 'a')
    expect(screen.queryByRole('option')).toBeNull()
    expect(seen).toEqual([])
  })

  it('typing on takes the place away, since another one is meant', async () => {
    const { field } = open({ place: lyon })
    await userEvent.type(field, 's')
    expect(draft.place).toBeNull()
  })

  it('a listed institute of a like name fills in what it tells, and can be left alone', async () => {
    const week = { ...initialDraft('u').openingHours, Friday: [{ opensAt: '10:00', closesAt: '18:00' }] }
    const listed = {
      _id: 'l-1',
      name: 'Salon Vaise',
      categories: ['hair' as const],
      phone: '+33 4',
      address: { line: '1 rue', quarter: null, postalCode: '69009', city: 'Lyon', countryCode: 'FR' },
      location: { lat: 45.78, lon: 4.81 },
      openingHours: week,
      attribution: '© OpenStreetMap contributors',
    }
    open({ place: lyon, name: 'Salon Vaise' }, { setupListings: () => ({ items: [listed] }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, claim it' }))
    expect(draft).toMatchObject({ claims: { id: 'l-1', name: 'Salon Vaise' }, address: '1 rue', categories: ['hair'], openingHours: week })
    expect(draft.place).toMatchObject({ lat: 45.78, timeZone: 'Europe/Paris' })
    await userEvent.click(screen.getByRole('button', { name: 'This isn’t us' }))
    expect(draft.claims).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'No' }))
    expect(screen.queryByText('Is this you?')).toBeNull()
  })
})

describe('the first step', () => {
  let draft: SetupDraft
  function Step({ initial }: { initial: Partial<SetupDraft> }) {
    const [now, setNow] = useState<SetupDraft>({ ...initialDraft('u'), ...initial })
    useEffect(() => void (draft = now), [now])
    return (
      <>
        <GeneralStep draft={now} change={(part) => setNow((before) => ({ ...before, ...part }))} />
        <CardPreview draft={now} />
      </>
    )
  }
  const open = (initial: Partial<SetupDraft> = {}) => {
    fakeServer({ places: () => ({ items: [] }) })
    return renderPart(<Step initial={initial} />)
  }
  const press = (group: string, name: string) =>
    userEvent.click(within(screen.getByRole('group', { name: group })).getByRole('button', { name }))

  it('[E-14] All stands alone: another takes its place, and it comes back when none is left', async () => {
    open()
    await press('For', 'Kids')
    expect(draft.clientType).toEqual(['Kids'])
    await press('For', 'Woman')
    expect(draft.clientType).toEqual(['Kids', 'Woman'])
    await press('For', 'All')
    expect(draft.clientType).toEqual(['All'])
    await press('For', 'Men')
    await press('For', 'Men')
    expect(draft.clientType).toEqual(['All'])
  })

  it('[E-15] several languages can be spoken', async () => {
    open()
    await press('Languages spoken', 'Arabic')
    expect(draft.offeredLanguages).toEqual(['English', 'Arabic'])
    await press('Languages spoken', 'English')
    expect(draft.offeredLanguages).toEqual(['Arabic'])
  })

  it('counts the words of the description and takes no more than there is room for', async () => {
    open({ description: 'x'.repeat(399) })
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' })
    expect(screen.getByText('399 of 400 characters')).toBeTruthy()
    expect(field.maxLength).toBe(400)
    await userEvent.type(field, 'y')
    expect(screen.getByText('400 of 400 characters')).toBeTruthy()
  })

  it('the first category gives the cover, and taking it away the next one', async () => {
    const { container } = open()
    const cover = () => container.querySelector('aside img')?.getAttribute('src') ?? ''
    await userEvent.click(screen.getByRole('button', { name: 'Massage' }))
    await userEvent.click(screen.getByRole('button', { name: 'Nails' }))
    expect(draft.categories).toEqual(['massage', 'nails'])
    expect(cover()).toContain('massage')
    await userEvent.click(screen.getByRole('button', { name: 'Massage' }))
    expect(cover()).toContain('nails')
  })

  it('the preview shows what clients will see, as far as it is known', async () => {
    open()
    const preview = screen.getByRole('complementary')
    expect(preview.textContent).toContain('Your nameWhat you do · where you are')
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Petal & Stone')
    await userEvent.click(screen.getByRole('button', { name: 'Nails' }))
    expect(preview.textContent).toContain('Petal & StoneNails')
  })

  it('Enter in a field sends nothing and loses nothing', async () => {
    open()
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Petal{Enter}')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Petal')
  })

  it('coming to people’s homes is a switch of its own', async () => {
    open()
    await userEvent.click(screen.getByRole('switch', { name: 'We also come to people’s homes' }))
    expect(draft.atHomeService).toBe(true)
  })
})
