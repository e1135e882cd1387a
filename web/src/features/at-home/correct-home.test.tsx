// The address of one's own visit is put right: what is asked, what is refused, and what is kept of it.
import type { Appointment } from '@soigne/contract/appointments'
import type { Place } from '@soigne/contract/places'
import type { Locale } from '@soigne/contract/wire'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { CorrectHome } from './correct-home.tsx'

afterEach(() => {
  cleanup()
  known = []
  act(() => dismissAllToasts())
  vi.unstubAllGlobals()
})

const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
const visit: Appointment = visitAt('2031-03-18T15:40:00.000Z', { atHome: true, home, canCorrectHome: true })

/** No place is known unless a test says so. */
let known: Place[] = []

async function open(correctHome: () => unknown = () => visit, locale: Locale = 'en') {
  const seen = fakeServer({ places: () => ({ items: known }), correctHome: correctHome as () => Appointment })
  renderPart(<CorrectHome appointment={visit} home={home} phone={<p>Ring us</p>} />, { locale })
  await userEvent.click(await screen.findByRole('button', { name: locale === 'ar' ? 'تصحيح العنوان' : 'Correct the address' }))
  return { asked: () => seen.filter(({ name }) => name === 'correctHome') }
}
const line = () => screen.getByLabelText<HTMLInputElement>('Street and number')
const town = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Town' })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save the address' }))

it('begins with what is known, at its first field, and sends what was typed once [F-26]', async () => {
  const { asked } = await open()
  expect([line().value, town().value, document.activeElement]).toEqual(['8 rue des Acacias', 'Villeurbanne', line()])
  await userEvent.clear(line())
  await userEvent.type(line(), ' 18 rue des Acacias {Enter}')
  const button = await screen.findByRole('button', { name: 'Correct the address' })
  expect(asked().map(({ body }) => body)).toEqual([{ home: { ...home, line: '18 rue des Acacias' } }])
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('is in the town that is typed, wherever the postcode of before is', async () => {
  const bastia = { _id: 'bastia', kind: 'town', name: 'Bastia', lat: 42.7, lon: 9.45 } as Place
  const { asked } = await open()
  known = [bastia]
  await userEvent.clear(town())
  await userEvent.type(town(), 'Bastia')
  await save()
  await waitFor(() => expect(asked()).toHaveLength(1))
  expect(asked()[0]?.body).toEqual({ home: { ...home, city: 'Bastia', lat: 42.7, lon: 9.45 } })
})

it('sends nothing where nothing is another', async () => {
  const { asked } = await open()
  await save()
  expect(await screen.findByRole('button', { name: 'Correct the address' })).toBeTruthy()
  expect(asked()).toEqual([])
})

it.each([
  ['too far', refused(422, { code: 'outside_radius', message: 'This address is 27 km away.' }), 'This address is 27 km away.'],
  [
    'unknown',
    refused(400, { code: 'bad_input', message: 'Please check.', details: { fields: { 'home.city': 'We don’t know this place.' } } }),
    'We don’t know this place.',
  ],
])('says at the town that it is %s, and loses nothing', async (_what, refusal, words) => {
  const { asked } = await open(() => refusal)
  await userEvent.clear(town())
  await userEvent.type(town(), 'Vienne')
  await save()
  expect(await screen.findByText(words)).toBeTruthy()
  expect(town().getAttribute('aria-invalid')).toBe('true')
  expect([line().value, town().value]).toEqual(['8 rue des Acacias', 'Vienne'])
  await userEvent.type(town(), 's')
  expect(screen.queryByText(words)).toBeNull()
  expect(asked()).toHaveLength(1)
})

it('says whom to ring once somebody is on the way, and sends what is sent again under the same key', async () => {
  const { asked } = await open(() => refused(422, { code: 'too_late', message: 'It’s too late.' }))
  await userEvent.type(line(), ' bis')
  await save()
  expect((await screen.findByText('It’s too late.')).closest('[role=alert]')).toBeTruthy()
  expect(screen.getByText('Ring us')).toBeTruthy()
  await save()
  await waitFor(() => expect(asked()).toHaveLength(2))
  const keys = asked().map(({ headers }) => headers.get('idempotency-key'))
  expect([keys[0], new Set(keys).size]).toEqual([expect.any(String), 1])
})

it('[E-10] needs its street and town, in Arabic too', async () => {
  const { asked } = await open(() => visit, 'ar')
  await userEvent.clear(screen.getByLabelText('الشارع والرقم'))
  await userEvent.clear(screen.getByRole('combobox', { name: 'المدينة' }))
  await userEvent.click(screen.getByRole('button', { name: 'حفظ العنوان' }))
  expect(screen.getAllByText('هذه الخانة مطلوبة.')).toHaveLength(2)
  expect(asked()).toEqual([])
})
