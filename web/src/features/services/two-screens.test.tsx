// A service on two screens: each stores what was changed on it, and nothing of what it had read before.
import type { MenuService } from '@soigne/contract/services'
import { cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { ines, lash, lashLift, lashTint, salma, smallMenu } from '#/testing/menu.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { keepSelectionStill } from '#/testing/still-selection.ts'
import ServicePage from './service-page.tsx'

vi.mock('react-router', async (original) => ({
  ...(await original<object>()),
  useParams: () => ({ id: '019b8d2b-8c00-7286-a9fa-91d4fb44d103' }),
}))

configure({ defaultHidden: true })
keepSelectionStill()
beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The editor is open, and somebody else stores something. */
async function open() {
  let stored: MenuService = lashLift
  const seen = fakeServer({
    me: () => owner,
    services: () => ({ ...smallMenu, items: [stored, lashTint] }),
    changeService: () => stored,
  })
  renderPart(<ServicePage />, { at: `/mysalon/services/${lash}` })
  await screen.findByLabelText('Name')
  return {
    elsewhere: (change: Partial<MenuService>) => void (stored = { ...stored, ...change }),
    sent: () => seen.filter(({ name }) => name === 'changeService').map(({ body }) => body),
  }
}
const type = (label: string, value: string): boolean => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }))

it('keeps the price, the words in another language and the people that the other stored meanwhile', async () => {
  const { elsewhere, sent } = await open()
  const karim = '019b8d2b-8c00-7286-a9fa-91d4fb44d105'
  elsewhere({
    priceAmount: 6900,
    name: { en: 'Lash lift', fr: 'Lifting des cils' },
    performers: [...lashLift.performers, { staffId: karim, minutes: null, priceAmount: null }],
  })
  type('Name', 'Lash lift, long')
  await userEvent.click(screen.getByRole('button', { name: 'Inès' }))
  await save()
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({
    name: { en: 'Lash lift, long', fr: 'Lifting des cils' },
    priceAmount: 6900,
    performers: [
      { staffId: salma, minutes: null, priceAmount: null },
      { staffId: karim, minutes: null, priceAmount: null },
      { staffId: ines, minutes: null, priceAmount: null },
    ],
  })
})

it('says where both changed the same, keeps what was typed, and stores it when it is saved again', async () => {
  const { elsewhere, sent } = await open()
  elsewhere({ priceAmount: 6900, description: { en: 'Set, rest, set' }, bufferAfterMinutes: 10 })
  const price = screen.getByRole<HTMLInputElement>('textbox', { name: 'Price' })
  fireEvent.change(price, { target: { value: '70' } })
  fireEvent.blur(price)
  type('A few words', 'With a tint')
  await save()
  expect(await screen.findByText('Changed on another screen meanwhile, to: Set, rest, set')).toBeTruthy()
  expect(screen.getByText('Changed on another screen meanwhile.')).toBeTruthy()
  expect(screen.getByText(/^Some of this was changed on another screen meanwhile\./)).toBeTruthy()
  expect(sent()).toEqual([])
  expect(screen.getByLabelText<HTMLInputElement>('A few words').value).toBe('With a tint')
  await save()
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toMatchObject({ priceAmount: 7000, description: { en: 'With a tint' }, bufferAfterMinutes: 10 })
})

it('says at its field what cannot be together with what the other stored', async () => {
  const { elsewhere, sent } = await open()
  elsewhere({ capacity: 6 })
  await userEvent.selectOptions(screen.getByLabelText('Where'), 'home')
  await save()
  expect(await screen.findByText('This is not valid.')).toBeTruthy()
  expect(sent()).toEqual([])
})
