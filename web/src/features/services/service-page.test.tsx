import type { ServiceInput } from '@soigne/contract/services'
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { ines, lash, lashLift as base, lashTint, salma, smallMenu as menu, tint } from '#/testing/menu.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { keepSelectionStill } from '#/testing/still-selection.ts'
import ServicePage from './service-page.tsx'

const asked = vi.hoisted(() => ({ id: '019b8d2b-8c00-7286-a9fa-91d4fb44d103' }))
vi.mock('react-router', async (original) => ({ ...(await original<object>()), useParams: () => asked }))

// Whether each of a hundred parts is hidden costs seconds, and nothing here is.
configure({ defaultHidden: true })
keepSelectionStill()
beforeEach(() => {
  asked.id = lash
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(more: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({ me: () => owner, services: () => menu, changeService: () => base, addService: () => base, ...more })
  const shown = renderPart(<ServicePage />, { at: `/mysalon/services/${asked.id}` })
  await screen.findByLabelText('Name')
  const sent = () => seen.find(({ name }) => name === 'changeService' || name === 'addService')?.body as ServiceInput | undefined
  return { seen, sent, ...shown }
}
const save = () => userEvent.click(screen.getByRole('button', { name: /Save changes|Add to the menu/ }))
/** As if it was typed at once. */
const put = (field: HTMLElement, text: string): void => void fireEvent.change(field, { target: { value: text } })
const type = (label: string, text: string): void => put(screen.getByLabelText(label), text)
const price = (label: string, text: string): void => {
  const field = screen.getByRole('textbox', { name: label })
  put(field, text)
  fireEvent.blur(field)
}

describe('a service', () => {
  it('[K-02] refuses 33 minutes beside the field and sends nothing; its bar shows the free hands', async () => {
    const { sent } = await open()
    expect(screen.getByText('20 min of free hands.')).toBeTruthy()
    expect(screen.getByText(/Lash tint fits inside\./)).toBeTruthy()
    const [field] = screen.getAllByLabelText('At work').filter((one) => one.tagName === 'INPUT') as HTMLInputElement[]
    put(field as HTMLInputElement, '33')
    await save()
    expect(await screen.findByText('In steps of 5.')).toBeTruthy()
    expect(field?.getAttribute('aria-invalid')).toBe('true')
    expect(sent()).toBeUndefined()
  })

  it('is stretched by the handles of its bar, with keys and by dragging, and takes a usual length', async () => {
    const { sent } = await open()
    const wait = screen.getByRole('slider', { name: 'Waiting' })
    fireEvent.keyDown(wait, { key: 'ArrowRight' })
    fireEvent.keyDown(wait, { key: 'ArrowRight' })
    fireEvent.keyDown(wait, { key: 'ArrowLeft' })
    expect(wait.getAttribute('aria-valuenow')).toBe('25')
    const clean = screen.getByRole('slider', { name: 'Clean-up' })
    fireEvent.keyDown(clean, { key: 'Home' })
    expect(clean.getAttribute('aria-valuenow')).toBe('0')
    await userEvent.click(screen.getByRole('button', { name: '80' }))
    expect(screen.getByRole('slider', { name: 'At work' }).getAttribute('aria-valuenow')).toBe('35')
    await save()
    await waitFor(() => expect(sent()).toMatchObject({ activeMinutes: 35, idleMinutes: 25, activeAfterMinutes: 20, bufferAfterMinutes: 0 }))
  })

  it('may begin only after what comes before it is finished', async () => {
    const { sent } = await open()
    const sequential = screen.getByRole<HTMLInputElement>('switch', { name: 'Only after what comes before is finished' })
    expect(sequential.checked).toBe(false)
    await userEvent.click(sequential)
    await save()
    await waitFor(() => expect(sent()).toMatchObject({ isSequential: true }))
  })

  it('is written in each language, and is sent with who does it and at which own price', async () => {
    const { sent, place } = await open()
    await userEvent.click(screen.getByRole('radio', { name: 'Français' }))
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Rehaussement de cils')
    type('A few words', 'Pose, repos, pose')
    await userEvent.click(screen.getByRole('button', { name: 'Inès' }))
    type('At work, Inès', '25')
    price('Price with Inès', '70')
    await save()
    await waitFor(() => expect(sent()).toBeDefined())
    expect(sent()).toMatchObject({
      name: { en: 'Lash lift', fr: 'Rehaussement de cils' },
      description: { en: 'Set, rest, set again', fr: 'Pose, repos, pose' },
      priceAmount: 6400,
      performers: [
        { staffId: salma, minutes: null, priceAmount: null },
        { staffId: ines, minutes: { activeMinutes: 25, idleMinutes: 20, activeAfterMinutes: 20 }, priceAmount: 7000 },
      ],
    })
    await waitFor(() => expect(place()).toBe('/mysalon/services'))
  })

  it('shows what clients will read while it is written', async () => {
    await open()
    const preview = () => screen.getByRole('region', { name: 'What clients read' }).textContent
    expect(preview()).toContain('€64')
    type('Name', 'Lash lift, long')
    await userEvent.click(screen.getByRole('radio', { name: 'From' }))
    await userEvent.click(screen.getByRole('button', { name: 'Add a condition' }))
    expect(preview()).toContain('Lash lift, long')
    expect(preview()).toContain('from €64')
    expect(preview()).toContain('Needs Lash tint at least 48 hours before')
    await userEvent.click(screen.getByRole('radio', { name: 'Ask' }))
    expect(preview()).toContain('on request')
  })

  it('[P-11] has a price from a day on, which is asked for its day', async () => {
    const { sent } = await open()
    await userEvent.click(screen.getByRole('button', { name: 'Another price from a day on' }))
    expect(screen.getByText(/What is booked keeps its price, even when it is moved\./)).toBeTruthy()
    await save()
    expect(await screen.findByText('This is not a date.')).toBeTruthy()
    expect(sent()).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: 'Take this price back' }))
    await save()
    await waitFor(() => expect(sent()?.laterPrices).toEqual([]))
  })

  it('[P-11] is sent with a price dated ahead, in the kind it is shown as', async () => {
    asked.id = tint
    const dated = { ...lashTint, laterPrices: [{ fromDay: '2027-01-01', priceKind: 'fixed' as const, priceAmount: 2400 }] }
    const { sent } = await open({ services: () => ({ ...menu, items: [base, dated] }) })
    price('New price', '25')
    await save()
    await waitFor(() => expect(sent()?.laterPrices).toEqual([{ fromDay: '2027-01-01', priceKind: 'fixed', priceAmount: 2500 }]))
    expect(sent()?.priceAmount).toBe(2200)
  })

  it('[P-11] asks for a deposit of its own, which is checked with the rest and can be left to the settings again', async () => {
    const { sent } = await open()
    await userEvent.click(screen.getByRole('switch', { name: 'A deposit of its own' }))
    await userEvent.click(within(screen.getByRole('radiogroup', { name: 'A deposit of its own' })).getByRole('radio', { name: 'Percent' }))
    await save()
    expect(screen.getByText('Check the amount.')).toBeTruthy()
    expect(sent()).toBeUndefined()
    fireEvent.change(screen.getByLabelText('A deposit of its own: Percent of the price'), { target: { value: '40' } })
    await save()
    await waitFor(() => expect(sent()?.deposit).toEqual({ kind: 'percent', percent: 40 }))
    cleanup()
    const own = { ...base, deposit: { kind: 'fixed' as const, amount: 1500 } }
    const again = await open({ services: () => ({ ...menu, items: [own] }) })
    expect(screen.getByLabelText<HTMLInputElement>('A deposit of its own: Amount').value).toBe('15.00')
    await userEvent.click(screen.getByRole('switch', { name: 'A deposit of its own' }))
    await save()
    await waitFor(() => expect(again.sent()?.deposit).toBeNull())
  })

  it('without a price says so beside it, unless clients ask for it', async () => {
    const { sent } = await open()
    price('Price', '')
    await save()
    expect(await screen.findByText('Please fill this in.')).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Price' }).getAttribute('aria-invalid')).toBe('true')
    expect(sent()).toBeUndefined()
    await userEvent.click(screen.getByRole('radio', { name: 'Ask' }))
    await save()
    await waitFor(() => expect(sent()).toMatchObject({ priceKind: 'on_request', priceAmount: null }))
  })

  it('[P-08] with visits ahead is taken off once a successor is named, and what refuses it is said', async () => {
    let answers = 0
    const { seen, place } = await open({
      services: () => ({ ...menu, items: [{ ...base, comingVisits: 3 }, lashTint] }),
      removeService: () =>
        (answers += 1) === 1
          ? refused(409, { code: 'wrong_state', message: 'That one is archived.' })
          : { outcome: 'archived' as const, comingVisits: 3 },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Take off the menu' }))
    const dialog = await screen.findByRole('dialog')
    const remove = () => userEvent.click(within(dialog).getByRole('button', { name: 'Take off the menu' }))
    await remove()
    expect(within(dialog).getByText('Choose what takes its place.')).toBeTruthy()
    expect(seen.some(({ name }) => name === 'removeService')).toBe(false)
    await userEvent.selectOptions(within(dialog).getByRole('combobox'), tint)
    await remove()
    expect(await within(dialog).findByText('That one is archived.')).toBeTruthy()
    await remove()
    await waitFor(() => expect(place()).toBe('/mysalon/services'))
    expect(seen.filter(({ name }) => name === 'removeService').map(({ query }) => query.get('successorId'))).toEqual([tint, tint])
  })

  it('keeps what was typed when the server says no, and says why at the field', async () => {
    await open({
      changeService: () => refused(400, { code: 'bad_input', message: 'Look again.', details: { fields: { 'name.en': 'Too odd.' } } }),
    })
    type('Name', 'Odd')
    await save()
    expect(await screen.findByText('Too odd.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Odd')
  })

  it('asks before it is left with something unsaved', async () => {
    const { place } = await open()
    type('Name', 'Other')
    await userEvent.click(screen.getByRole('link', { name: 'Close' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText('Leave without saving?')).toBeTruthy()
    await userEvent.click(within(question).getAllByRole('button')[0] as HTMLElement)
    expect(place()).toBe(`/mysalon/services/${lash}`)
    await userEvent.click(screen.getByRole('link', { name: 'Close' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getAllByRole('button')[1] as HTMLElement)
    await waitFor(() => expect(place()).toBe('/mysalon/services'))
  })

  it('that is new begins with the whole team, and needs a name and a price', async () => {
    asked.id = 'new'
    const { sent } = await open()
    await save()
    expect((await screen.findAllByText('Please fill this in.')).length).toBeGreaterThanOrEqual(2)
    expect(sent()).toBeUndefined()
    type('Name', 'Brow shape')
    price('Price', '22')
    await save()
    await waitFor(() =>
      expect(sent()).toMatchObject({ name: { en: 'Brow shape' }, priceAmount: 2200, category: 'nails', activeMinutes: 40 }),
    )
    expect(sent()?.performers?.map(({ staffId }) => staffId)).toEqual([salma, ines])
  })
})
