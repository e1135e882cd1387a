/** The address of a visit at home that is typed before the scripts have come. */
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { hydrateRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, expect, it, vi } from 'vitest'
import { makeQueryClient } from '#/platform/query-client.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { AddressForm } from './address-form.tsx'

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const field = (role: 'textbox' | 'combobox', name: string): HTMLInputElement => screen.getByRole(role, { name })

it('stays when more is typed after', async () => {
  fakeServer({ places: () => ({ items: [] }) })
  const page = (
    <I18nextProvider i18n={serverTranslator('en')}>
      <QueryClientProvider client={makeQueryClient()}>
        <AddressForm institute={nacre} before={null} onKeep={() => {}} />
      </QueryClientProvider>
    </I18nextProvider>
  )
  const place = document.body.appendChild(document.createElement('div'))
  place.innerHTML = renderToString(page)
  field('textbox', 'Street and number').value = '4 rue des Genêts'
  field('combobox', 'Town').value = 'Ly'
  await act(async () => void hydrateRoot(place, page))
  await userEvent.type(field('combobox', 'Town'), 'on')
  expect(field('textbox', 'Street and number').value).toBe('4 rue des Genêts')
  expect(field('combobox', 'Town').value).toBe('Lyon')
})
