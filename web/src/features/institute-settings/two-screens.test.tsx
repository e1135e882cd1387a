// A part of the settings on two screens: each stores what was changed on it, and nothing of what it had read before.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { ProfilePart } from './profile-part.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const profile = {
  name: 'Atelier Nacre',
  description: { en: 'An hour of your own.' },
  email: '',
  phone: '',
  website: '',
  addressLine: '1 rue des Capucins',
  postalCode: '69001',
  categories: ['nails'],
  audience: ['All'],
  languages: ['French'],
  atHome: false,
  atHomeRadiusKm: null,
}
const settings = { _id: 'i-nacre', city: 'Lyon', profile } as unknown as InstituteSettings

it('keeps what the other stored meanwhile', async () => {
  const elsewhere = { ...settings, profile: { ...settings.profile, phone: '04 78 00 00 00' } }
  const seen = fakeServer({
    me: () => owner,
    instituteSettings: () => elsewhere,
    changeInstituteSettings: ({ body }) => ({ settings: { ...elsewhere, ...(body as object) }, outside: [] }),
  })
  renderPart(<ProfilePart settings={settings} />)
  fireEvent.change(screen.getByLabelText('Website'), { target: { value: 'https://nacre.test' } })
  expect(screen.getByText(/^1 change\./)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  const sent = () => seen.find(({ name }) => name === 'changeInstituteSettings')?.body
  await waitFor(() => expect(sent()).toEqual({ profile: { ...elsewhere.profile, website: 'https://nacre.test' } }))
})

it('stores nothing over what the other changed in the same field before that was said', async () => {
  const elsewhere = { ...settings, profile: { ...settings.profile, website: 'https://theirs.test', phone: '04 78 00 00 00' } }
  const seen = fakeServer({
    me: () => owner,
    instituteSettings: () => elsewhere,
    changeInstituteSettings: ({ body }) => ({ settings: { ...elsewhere, ...(body as object) }, outside: [] }),
  })
  renderPart(<ProfilePart settings={settings} />)
  fireEvent.change(screen.getByLabelText('Website'), { target: { value: 'https://nacre.test' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Changed on another screen meanwhile.')).toBeTruthy()
  expect(screen.getByText(/^Some of this was changed on another screen meanwhile\./)).toBeTruthy()
  const sent = () => seen.filter(({ name }) => name === 'changeInstituteSettings').map(({ body }) => body)
  expect(sent()).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent()).toEqual([{ profile: { ...elsewhere.profile, website: 'https://nacre.test' } }]))
})
