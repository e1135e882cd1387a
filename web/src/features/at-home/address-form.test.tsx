// The address of a visit at home: which place a typed or chosen town is, what is refused, and what is kept of it.
import type { Institute } from '@soigne/contract/institutes'
import type { Place } from '@soigne/contract/places'
import type { Locale } from '@soigne/contract/wire'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { AddressForm } from './address-form.tsx'
import { homeText, isWithinReach, keepHomeAddress, kilometres, type HomeAddressDraft } from './home-address.ts'
import { WherePart } from './where-part.tsx'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const institute: Institute = { ...nacre, atHome: true, atHomeRadiusKm: 10 }
const place = (name: string, lat: number, lon: number, more: Partial<Place> = {}): Place => ({
  _id: `${name} ${lat}`,
  kind: 'town',
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
const bron: HomeAddressDraft = { line: '3 rue du Parc', postalCode: '69500', city: 'Bron', lat: 45.73, lon: 4.91 }

function open(items: Place[] | (() => never), { before = null as HomeAddressDraft | null, locale = 'en' as Locale } = {}) {
  const onKeep = vi.fn()
  const seen = fakeServer({ places: () => (typeof items === 'function' ? items() : { items }) })
  renderPart(<AddressForm institute={institute} before={before} onKeep={onKeep} />, { locale })
  return { onKeep, asked: () => seen.filter(({ name }) => name === 'places') }
}
const line = () => screen.findByLabelText<HTMLInputElement>('Street and number')
const postcode = () => screen.getByLabelText<HTMLInputElement>('Postcode')
const town = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Town' })
const seeTimes = () => userEvent.click(screen.getByRole('button', { name: 'See times' }))

describe('the address of a visit at home', () => {
  it('is in the town of a quarter or of a postcode that was chosen, which fills its field', async () => {
    const { onKeep } = open([
      place('69008', 45.73, 4.87, { kind: 'postcode', region: 'Lyon' }),
      place('Monplaisir', 45.74, 4.87, { region: 'Lyon' }),
    ])
    await userEvent.type(await line(), '  5 avenue des Frères  ')
    await userEvent.type(town(), '690')
    await userEvent.click(await screen.findByRole('option', { name: '69008, Lyon, France' }))
    expect([town().value, postcode().value]).toEqual(['Lyon', '69008'])
    await seeTimes()
    await waitFor(() => expect(onKeep).toHaveBeenCalledOnce())
    expect(onKeep).toHaveBeenCalledWith({ line: '5 avenue des Frères', postalCode: '69008', city: 'Lyon', lat: 45.73, lon: 4.87 })
  })

  it('that was only typed is in the nearest place of that name, written with or without accents', async () => {
    const { onKeep, asked } = open([place('Écully-le-Haut', 45.771, 4.831), place('Écully', 48.85, 2.35), place('Écully', 45.775, 4.78)])
    await userEvent.type(await line(), '1 place Ampère')
    await userEvent.type(town(), 'ecully')
    await seeTimes()
    await waitFor(() => expect(onKeep).toHaveBeenCalledWith(expect.objectContaining({ city: 'ecully', lat: 45.775, lon: 4.78 })))
    const near = asked().map(({ query }) => [query.get('lat'), query.get('lon')])
    expect(new Set(near.map(String))).toEqual(new Set(['45.77,4.83']))
  })

  it('forgets where a chosen town is as soon as another is typed', async () => {
    const { onKeep } = open([place('Vienne', 45.53, 4.87)], { before: bron })
    expect((await line()).value).toBe('3 rue du Parc')
    await userEvent.clear(town())
    await userEvent.type(town(), 'Vienne')
    await seeTimes()
    expect(await screen.findByText('That is 27 km away. The salon comes as far as 10 km.')).toBeTruthy()
    expect([(await line()).value, postcode().value, town().value]).toEqual(['3 rue du Parc', '69500', 'Vienne'])
    await userEvent.type(town(), 'x')
    expect(screen.queryByText(/That is 27 km away/)).toBeNull()
    expect(onKeep).not.toHaveBeenCalled()
  })

  it('needs its own street and town: spaces are none', async () => {
    const { onKeep, asked } = open([])
    await userEvent.type(await line(), '   ')
    await userEvent.type(town(), ' ')
    await seeTimes()
    expect(screen.getAllByText('Please fill this in.')).toHaveLength(2)
    await userEvent.type(town(), 'Bron')
    await seeTimes()
    expect(screen.getAllByText('Please fill this in.')).toHaveLength(1)
    expect(asked().every(({ query }) => query.get('q') !== '')).toBe(true)
    expect(onKeep).not.toHaveBeenCalled()
  })

  it('says at the town that places could not be asked, keeps what was typed, and can be sent again', async () => {
    const { onKeep } = open(() => {
      throw new Error('The connection is gone.')
    })
    await userEvent.type(await line(), '9 quai Saint-Vincent')
    await userEvent.type(town(), 'Bron')
    await seeTimes()
    expect(await screen.findByText('The connection is gone.')).toBeTruthy()
    expect([(await line()).value, town().value]).toEqual(['9 quai Saint-Vincent', 'Bron'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'See times' }).disabled).toBe(false)
    expect(onKeep).not.toHaveBeenCalled()
  })

  it('[E-10] speaks Arabic', async () => {
    open([], { locale: 'ar' })
    await userEvent.click(await screen.findByRole('button', { name: 'عرض الأوقات' }))
    expect(screen.getAllByText('هذه الخانة مطلوبة.')).toHaveLength(2)
    expect(screen.getByText(/حتى 10 كم/)).toBeTruthy()
  })
})

describe('where a visit is', () => {
  const part = (venue: 'salon' | 'home' | 'either' | 'apart', atHome: boolean) => {
    const onChange = vi.fn()
    fakeServer({ places: () => ({ items: [] }) })
    renderPart(<WherePart institute={institute} choice={{ venue, atHome }} onChange={onChange} />)
    return onChange
  }

  it('is chosen where both can be, without an address until it is at home', async () => {
    const onChange = part('either', false)
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'At the salon' })).checked).toBe(true)
    expect(screen.queryByLabelText('Street and number')).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'At your home' }))
    expect(onChange.mock.calls).toEqual([[true]])
  })

  it('shows the address that is kept, and tells once another was given', async () => {
    keepHomeAddress(bron)
    const onChange = part('home', true)
    expect(await screen.findByText('3 rue du Parc, 69500 Bron')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Change' }))
    await userEvent.clear(await line())
    await userEvent.type(await line(), '4 rue du Parc')
    await seeTimes()
    expect(await screen.findByText('4 rue du Parc, 69500 Bron')).toBeTruthy()
    expect(onChange.mock.calls).toEqual([[true]])
    expect(JSON.parse(sessionStorage.getItem('homeAddress') ?? '')).toEqual({ ...bron, line: '4 rue du Parc' })
  })
})

describe('as far as the institute comes', () => {
  it('is measured on the globe, the same both ways', () => {
    const [lyon, paris] = [
      { lat: 45.764, lon: 4.8357 },
      { lat: 48.8566, lon: 2.3522 },
    ]
    expect(kilometres(lyon, lyon)).toBe(0)
    expect(Math.round(kilometres(lyon, paris))).toBeGreaterThan(388)
    expect(Math.round(kilometres(lyon, paris))).toBeLessThan(396)
    expect(kilometres(paris, lyon)).toBeCloseTo(kilometres(lyon, paris), 9)
    expect(kilometres({ lat: 60, lon: 0 }, { lat: 60, lon: 1 })).toBeCloseTo(kilometres({ lat: 0, lon: 0 }, { lat: 0, lon: 1 }) / 2, 3)
  })

  it('is nowhere for one that does not come at all', () => {
    expect(isWithinReach(institute, bron)).toBe(true)
    expect(isWithinReach({ ...nacre, atHomeRadiusKm: undefined } as unknown as Institute, bron)).toBe(false)
  })

  it('is written on one line, with no gap where there is no postcode', () => {
    expect(homeText(bron)).toBe('3 rue du Parc, 69500 Bron')
    expect([homeText({ ...bron, postalCode: '' }), homeText({ line: 'Villa 4', postalCode: null, city: 'Hammamet' })]).toEqual([
      '3 rue du Parc, Bron',
      'Villa 4, Hammamet',
    ])
  })
})
