// A visit at the client's home in the calendar: its address is put right, by who may read it and by who may not.
import type { DiaryVisit } from '@soigne/contract/diary'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
const visitOf = (part: Partial<DiaryVisit> = {}) =>
  diaryVisit('v1', '16:40', '17:40', { atHome: { city: 'Villeurbanne' }, version: 3, ...part })
const detail = { timeZone: 'Europe/Paris', terms: { cancelWindowHours: null, freeUntil: null }, history: [] }

async function openVisit(part: Partial<DiaryVisit> = {}, more: Parameters<typeof fakeServer>[0] = {}, isKnown = false) {
  const visit = visitOf(part)
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [visit] }),
    diaryVisit: () => ({ ...visit, ...detail, ...(isKnown && { home }) }),
    institute: () => nacre,
    places: () => ({ items: [] }),
    ...more,
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  fireEvent.click(await screen.findByRole('button', { name: /Camille Renaud/ }))
  return { seen, drawer: within(await screen.findByRole('dialog')) }
}
type Drawer = Awaited<ReturnType<typeof openVisit>>['drawer']
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const line = (drawer: Drawer) => drawer.findByRole<HTMLInputElement>('textbox', { name: 'Street and number' })
const town = (drawer: Drawer) => drawer.getByRole<HTMLInputElement>('combobox', { name: 'Town' })
const save = (drawer: Drawer) => drawer.getByRole<HTMLButtonElement>('button', { name: 'Save the address' })

it('is written anew by who does not see the one there is [F-26]', async () => {
  const state = { visit: visitOf() }
  const { seen, drawer } = await openVisit(
    {},
    {
      diary: () => diaryOf({ visits: [state.visit] }),
      correctDiaryHome: () => (state.visit = visitOf({ atHome: { city: 'Bron' }, version: 4 })),
    },
  )
  fireEvent.click(await drawer.findByRole('button', { name: 'Correct the address' }))
  const street = await line(drawer)
  expect([street.value, town(drawer).value, document.activeElement]).toEqual(['', '', street])
  expect(drawer.getByText(/The current address isn’t shown to you/)).toBeTruthy()
  expect(drawer.queryByRole('button', { name: 'Move to another time' })).toBeNull()
  type(street, ' 3 rue du Parc ')
  expect(save(drawer).disabled).toBe(true)
  type(town(drawer), 'Bron')
  fireEvent.click(save(drawer))
  expect(await screen.findByText('The client and whoever goes there are told.')).toBeTruthy()
  const asked = seen.filter(({ name }) => name === 'correctDiaryHome').map(({ body }) => body)
  expect(asked).toEqual([{ home: { line: '3 rue du Parc', city: 'Bron' }, version: 3 }])
  expect(await drawer.findByText('Bron')).toBeTruthy()
})

it('begins with the one there is for who goes there, and sends nothing where nothing is another', async () => {
  const { seen, drawer } = await openVisit({}, {}, true)
  expect(await drawer.findByText('8 rue des Acacias')).toBeTruthy()
  fireEvent.click(drawer.getByRole('button', { name: 'Correct the address' }))
  expect([(await line(drawer)).value, town(drawer).value]).toEqual(['8 rue des Acacias', 'Villeurbanne'])
  fireEvent.click(save(drawer))
  expect(document.activeElement).toBe(await drawer.findByRole('button', { name: 'Correct the address' }))
  expect(seen.some(({ name }) => name === 'correctDiaryHome')).toBe(false)
})

it('says what is refused where it belongs, and loses nothing of what was typed', async () => {
  const answers = [
    refused(400, { code: 'bad_input', message: 'Check.', details: { fields: { 'home.city': 'We don’t know this place.' } } }),
    refused(409, { code: 'changed_meanwhile', message: 'Salma changed this visit a moment ago.' }),
  ]
  const { seen, drawer } = await openVisit({}, { correctDiaryHome: () => answers.shift() ?? visitOf({ version: 4 }) })
  fireEvent.click(await drawer.findByRole('button', { name: 'Correct the address' }))
  type(await line(drawer), '1')
  type(town(drawer), 'Qwrtzk')
  fireEvent.click(save(drawer))
  expect(await drawer.findByText('We don’t know this place.')).toBeTruthy()
  type(town(drawer), 'Bron')
  fireEvent.click(save(drawer))
  expect(await drawer.findByText('Salma changed this visit a moment ago.')).toBeTruthy()
  expect([(await line(drawer)).value, town(drawer).value]).toEqual(['1', 'Bron'])
  fireEvent.click(save(drawer))
  await waitFor(() => expect(drawer.queryByRole('textbox', { name: 'Street and number' })).toBeNull())
  expect(seen.filter(({ name }) => name === 'correctDiaryHome')).toHaveLength(3)
})

it.each([
  ['a visit in the salon', { atHome: undefined }],
  ['one that is cancelled', { status: 'cancelled' as const }],
  ['one that is over', { startsAt: at('12:00'), endsAt: at('13:00') }],
])('is not asked for of %s', async (_what, part) => {
  const { drawer } = await openVisit(part)
  expect(await drawer.findByText('What is planned')).toBeTruthy()
  expect(drawer.queryByRole('button', { name: 'Correct the address' })).toBeNull()
})
