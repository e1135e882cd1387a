import type { Place } from '@soigne/contract/places'
import type { Locale } from '@soigne/contract/wire'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { I18nextProvider } from 'react-i18next'
import { createRoutesStub } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PlacePrediction } from '#/platform/google-maps.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import { forgetGoogle, googleArrives, googleScript, holdScripts } from '#/testing/fake-google.ts'
import { fakeServer } from '#/testing/fake-server.ts'

const key = 'AIza_made-up-0123456789'
const lyon: Place = {
  kind: 'town',
  radiusKm: 25,
  _id: 'g1',
  name: 'Lyon',
  region: 'Auvergne-Rhône-Alpes',
  country: 'France',
  countryCode: 'FR',
  lat: 45.7485,
  lon: 4.8467,
  timeZone: 'Europe/Paris',
}

beforeEach(() => {
  // Whether Google came is remembered for a visit; each test is a visit of its own.
  vi.resetModules()
  holdScripts()
})
afterEach(() => {
  cleanup()
  forgetGoogle()
  vi.unstubAllGlobals()
})

function prediction(name: string, fetchFields: () => Promise<unknown> = async () => undefined): PlacePrediction {
  const location = { lat: () => 45.7702, lng: () => 4.8321 }
  return {
    placeId: `google-${name}`,
    text: { text: `${name}, Lyon, France` },
    mainText: { text: name },
    secondaryText: { text: 'Lyon, France' },
    toPlace: () => ({ fetchFields, location }),
  }
}

async function open(googleKey: string | null = key, locale: Locale = 'en', found: Place = lyon) {
  const seen = fakeServer({ places: () => ({ items: [found] }) })
  const { PlaceField } = await import('./place-field.tsx')
  const settings = { locale, publicUrl: '', map: { styleUrl: null, googleKey }, development: false }
  const Site = createRoutesStub([
    {
      id: 'root',
      path: '/',
      loader: () => settings,
      Component: () => (
        <form aria-label="Search">
          <PlaceField filters={{}} variant="field" />
        </form>
      ),
    },
  ])
  render(
    <I18nextProvider i18n={serverTranslator(locale)}>
      <Site hydrationData={{ loaderData: { root: settings } }} />
    </I18nextProvider>,
  )
  fireEvent.focus(screen.getByLabelText({ en: 'Where', fr: 'Où', ar: 'أين' }[locale]))
  const field = await screen.findByRole('combobox')
  return { seen, user: userEvent.setup(), field }
}

function sent() {
  return Object.fromEntries(new FormData(screen.getByRole('form')))
}

describe('places of Google', () => {
  it('[C-29] are not asked for by somebody who did not choose Google', async () => {
    const { seen, user, field } = await open()
    await user.type(field, 'lyo')
    expect(await screen.findByRole('option', { name: /Lyon Auvergne/ })).toBeTruthy()
    expect(googleScript()).toBeNull()
    expect(seen.at(-1)?.query.get('q')).toBe('lyo')
  })

  it('[C-29] of the gazetteer are written with the comma of Arabic', async () => {
    const gueliz: Place = { ...lyon, kind: 'quarter', name: 'جليز', region: 'مراكش', country: 'المغرب' }
    const { user, field } = await open(null, 'ar', gueliz)
    await user.type(field, 'جليز')
    await user.click(await screen.findByRole('option', { name: /جليز، مراكش المغرب/ }))
    expect(sent()).toEqual({ place: 'جليز، مراكش' })
  })

  it('[C-29] are suggested in one session, named as theirs, and give the point of the one chosen', async () => {
    document.cookie = 'map=google; path=/'
    const { seen, user, field } = await open()
    await waitFor(() => expect(googleScript()).not.toBeNull())
    const fake = googleArrives({ suggest: async () => ({ suggestions: [{ placePrediction: prediction('Croix-Rousse') }] }) })
    await act(async () => undefined)
    await user.type(field, 'cro')
    const option = await screen.findByRole('option', { name: /Croix-Rousse Lyon, France/ })
    expect(option.textContent).toContain('Google Maps')
    await user.type(field, 'i')
    await waitFor(() => expect(fake.asked.at(-1)).toMatchObject({ input: 'croi', includedPrimaryTypes: ['(regions)'], language: 'en' }))
    expect(new Set(fake.asked.map(({ sessionToken }) => sessionToken)).size).toBe(1)
    await user.click(await screen.findByRole('option', { name: /Croix-Rousse/ }))
    await waitFor(() => expect(sent()).toEqual({ place: 'Croix-Rousse', lat: '45.7702', lon: '4.8321' }))
    expect(seen).toEqual([])
  })

  it('[C-29] give way to the gazetteer once they are refused, such as by a spent quota', async () => {
    document.cookie = 'map=google; path=/'
    const { user, field } = await open()
    await waitFor(() => expect(googleScript()).not.toBeNull())
    const fake = googleArrives({ suggest: () => Promise.reject(new Error('OVER_QUERY_LIMIT')) })
    await act(async () => undefined)
    await user.type(field, 'lyo')
    await user.click(await screen.findByRole('option', { name: /Lyon Auvergne/ }))
    await waitFor(() => expect(sent()).toEqual({ place: 'Lyon', lat: '45.7485', lon: '4.8467' }))
    const asked = fake.asked.length
    await user.type(field, 'x')
    await screen.findByRole('option', { name: /Lyon Auvergne/ })
    expect(fake.asked).toHaveLength(asked)
  })

  it('[C-29] give way to the gazetteer when the script cannot be reached', async () => {
    document.cookie = 'map=google; path=/'
    const { user, field } = await open()
    await waitFor(() => expect(googleScript()).not.toBeNull())
    act(() => void googleScript()?.dispatchEvent(new Event('error')))
    await user.type(field, 'lyo')
    expect(await screen.findByRole('option', { name: /Lyon Auvergne/ })).toBeTruthy()
  })

  it('[C-29] leave the name to search by when their point does not come', async () => {
    document.cookie = 'map=google; path=/'
    const { user, field } = await open()
    await waitFor(() => expect(googleScript()).not.toBeNull())
    googleArrives({
      suggest: async () => ({ suggestions: [{ placePrediction: prediction('Croix-Rousse', () => Promise.reject(new Error('gone'))) }] }),
    })
    await act(async () => undefined)
    await user.type(field, 'cro')
    await user.click(await screen.findByRole('option', { name: /Croix-Rousse/ }))
    expect(sent()).toEqual({ place: 'Croix-Rousse' })
  })
})
