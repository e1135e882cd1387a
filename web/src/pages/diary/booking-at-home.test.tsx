// Booking a visit at the client's home for who phones: where is asked, the times are others, and the address goes with it.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Venue } from '@soigne/contract/wire'
import { expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

const timesAt = (...times: string[]) => ({
  timeZone: 'Europe/Paris',
  days: [{ day: diaryDay, times: times.map((time) => ({ startsAt: at(time), endsAt: at(time) })) }],
})

async function open(venue: Venue, more: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [] }),
    institute: () => ({ ...nacre, services: nacre.services.map((one) => ({ ...one, venue })) }),
    diaryTimes: ({ query }) => (query.get('atHome') === 'true' ? timesAt('15:00', '16:00') : timesAt('14:20', '15:00')),
    places: () => ({ items: [] }),
    bookForClient: () => diaryVisit('v-new', '15:00', '16:00'),
    ...more,
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  fireEvent.click(await screen.findByRole('button', { name: 'New appointment' }))
  const form = within(await screen.findByRole('dialog', { name: 'New appointment' }))
  fireEvent.click(await form.findByRole('button', { name: /Gel manicure/ }))
  fireEvent.click(form.getByRole('button', { name: 'Walk-in' }))
  return { seen, form }
}
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

it('asks where, shows the times of a visit there, and sends the address [E-12]', async () => {
  const { seen, form } = await open('either')
  await form.findByRole('button', { name: '14:20' })
  fireEvent.click(form.getByRole('radio', { name: 'At the client’s home' }))
  await form.findByRole('button', { name: '16:00' })
  expect(form.queryByRole('button', { name: '14:20' })).toBeNull()
  const book = () => form.getByRole<HTMLButtonElement>('button', { name: 'Book 15:00' })
  fireEvent.click(form.getByRole('button', { name: '15:00' }))
  expect(book().disabled).toBe(true)
  type(form.getByRole('textbox', { name: 'Street and number' }), ' 8 rue des Acacias ')
  type(form.getByRole('textbox', { name: 'Postcode' }), '69100')
  expect(book().disabled).toBe(true)
  type(form.getByRole('combobox', { name: 'Town' }), 'Villeurbanne')
  fireEvent.click(book())
  const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
  await waitFor(() => expect(seen.find(({ name }) => name === 'bookForClient')?.body).toMatchObject({ startsAt: at('15:00'), home }))
})

it('needs no question where a service is done at home alone, and says what is wrong with the town', async () => {
  const { form } = await open('home', {
    bookForClient: () =>
      refused(400, {
        code: 'bad_input',
        message: 'Please check what you typed.',
        details: { fields: { 'home.city': 'We don’t know this place.' } },
      }),
  })
  expect(form.queryByRole('radio', { name: 'At the salon' })).toBeNull()
  type(await form.findByRole('textbox', { name: 'Street and number' }), '1')
  type(form.getByRole('combobox', { name: 'Town' }), 'Qwrtzk')
  fireEvent.click(await form.findByRole('button', { name: 'Book 15:00' }))
  expect(await form.findByText('We don’t know this place.')).toBeTruthy()
  expect(form.getByRole<HTMLInputElement>('combobox', { name: 'Town' }).value).toBe('Qwrtzk')
})

it('asks nothing where all is done at the salon', async () => {
  const { seen, form } = await open('salon')
  fireEvent.click(await form.findByRole('button', { name: 'Book 14:20' }))
  expect(form.queryByRole('region', { name: 'Where?' })).toBeNull()
  await waitFor(() => expect(seen.some(({ name }) => name === 'bookForClient')).toBe(true))
  expect(seen.find(({ name }) => name === 'bookForClient')?.body).not.toHaveProperty('home')
})
