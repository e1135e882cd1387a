import type { Menu, MenuService } from '@soigne/contract/services'
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { lashLift } from '#/testing/menu.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import ServicesPage from './services-page.tsx'

configure({ defaultHidden: true })
beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const hands = { en: 'Hands', fr: 'Mains' }
const serviceOf = (id: string, name: string, more: Partial<MenuService> = {}): MenuService => ({
  ...lashLift,
  _id: id,
  category: 'nails',
  section: hands,
  name: { en: name },
  description: {},
  activeMinutes: 40,
  idleMinutes: 0,
  activeAfterMinutes: 0,
  priceAmount: 3800,
  performers: [{ staffId: 'm1', minutes: null, priceAmount: null }],
  ...more,
})
const menuOf = (items: MenuService[]): Menu => ({
  items,
  slug: 'atelier-nacre',
  currency: 'EUR',
  timeZone: 'Europe/Paris',
  today: '2026-11-24',
  categories: ['nails'],
  team: [{ _id: 'm1', name: 'Inès', imageUrl: '/art/face/a.svg' }],
  comesHome: true,
  resourceTypes: [],
})
const usual = [
  serviceOf('gel', 'Gel manicure', { laterPrices: [{ fromDay: '2027-01-01', priceKind: 'fixed', priceAmount: 4100 }] }),
  serviceOf('paraffin', 'Paraffin hands', { activeMinutes: 10, idleMinutes: 20, activeAfterMinutes: 10, priceKind: 'from' }),
  serviceOf('feet', 'Pedicure', { section: { en: 'Feet' }, priceKind: 'on_request', priceAmount: null, active: false }),
]

function open(items = usual, more: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({ me: () => owner, services: () => menuOf(items), ...more })
  return { seen, ...renderPart(<ServicesPage />, { at: '/mysalon/services' }) }
}
const rows = () => screen.getAllByRole('listitem').flatMap((row) => row.querySelector('a')?.textContent ?? [])

describe('a group', () => {
  it('is called otherwise in each language; what is refused stays in the dialog', async () => {
    let isTaken = true
    const details = { fields: { to: 'Another group has this name.' } }
    const { seen } = open(usual, {
      renameGroup: () => (isTaken ? refused(400, { code: 'bad_input', message: 'Please check.', details }) : { message: 'Renamed.' }),
    })
    await screen.findByText('Gel manicure')
    await userEvent.click(screen.getByRole('button', { name: 'More for the group Hands' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const dialog = await screen.findByRole('dialog', { name: 'Rename the group' })
    fireEvent.change(within(dialog).getByLabelText('English'), { target: { value: 'Feet' } })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await within(dialog).findByText('Another group has this name.')).toBeTruthy()
    isTaken = false
    fireEvent.change(within(dialog).getByLabelText('English'), { target: { value: 'Nails' } })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(seen.findLast(({ name }) => name === 'renameGroup')?.body).toEqual({ section: hands, to: { en: 'Nails', fr: 'Mains' } })
  })
})

describe('the menu', () => {
  it('[P-08] is drawn to scale by group, with who does it, its price now and later, and whether it can be booked', async () => {
    open()
    expect(await screen.findByText('3 services, drawn to scale. Hatching is time in which your hands are free.')).toBeTruthy()
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['Hands', 'Feet'])
    const gel = screen.getByText('Gel manicure').closest('li') as HTMLElement
    expect(within(gel).getByText('€38')).toBeTruthy()
    expect(within(gel).getByText('€41 from Fri 1 Jan 2027')).toBeTruthy()
    expect(within(gel).getByRole('img').getAttribute('aria-label')).toBe('40 min at work, 5 min clean-up')
    const [first] = within(gel).getByRole('img').children as unknown as HTMLElement[]
    const paraffin = screen.getByText('Paraffin hands').closest('li') as HTMLElement
    const widths = [...within(paraffin).getByRole('img').children].map((part) => Number.parseFloat((part as HTMLElement).style.inlineSize))
    expect(widths).toEqual([15, 30, 15, 7.5])
    expect(Number.parseFloat(first?.style.inlineSize ?? '')).toBe(60)
    expect(within(paraffin).getByText('from €38')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Pedicure: can be booked' }).checked).toBe(false)
    expect(screen.getByRole('link', { name: 'Menu as a page' }).getAttribute('href')).toBe('/salon/atelier-nacre')
  })

  it('is switched at once, and says so', async () => {
    const { seen } = open(usual, { changeService: ({ body }) => ({ ...serviceOf('feet', 'Pedicure'), ...(body as object) }) })
    await userEvent.click(await screen.findByRole('switch', { name: 'Pedicure: can be booked' }))
    expect(await screen.findByText('Pedicure can be booked.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'changeService')?.body).toMatchObject({ active: true, name: { en: 'Pedicure' } })
  })

  it('is switched as it stands now: what another screen changed meanwhile stays', async () => {
    let items = usual
    const { seen } = open([], {
      services: () => menuOf(items),
      changeService: ({ body }) => ({ ...serviceOf('feet', 'Pedicure'), ...(body as object) }),
    })
    const control = await screen.findByRole('switch', { name: 'Gel manicure: can be booked' })
    items = usual.map((one) => (one._id === 'gel' ? { ...one, priceAmount: 4500 } : one))
    await userEvent.click(control)
    expect(await screen.findByText('Gel manicure can’t be booked any more. What is booked stays booked.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'changeService')?.body).toMatchObject({ active: false, priceAmount: 4500 })
  })

  it('is put in another order by buttons, and by dragging within a group', async () => {
    let order: string[] = []
    const { seen } = open(usual, {
      services: () => menuOf(usual.toSorted((a, b) => order.indexOf(a._id) - order.indexOf(b._id))),
      orderServices({ body }) {
        order = (body as { serviceIds: string[] }).serviceIds
        return { message: 'The order is saved.' }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'More for Gel manicure' }))
    expect(screen.getByRole('menuitem', { name: 'Move up' }).getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(screen.getByRole('menuitem', { name: 'Move down' }))
    await waitFor(() => expect(order).toEqual(['paraffin', 'gel', 'feet']))
    expect(screen.getByText('Gel manicure: place 2 of 2')).toBeTruthy()
    await waitFor(() => expect(rows()[0]).toContain('Paraffin'))
    const grip = screen.getByText('Gel manicure').closest('li')?.querySelector('[draggable]') as HTMLElement
    const dataTransfer = { setData: vi.fn(), setDragImage: vi.fn(), effectAllowed: '' }
    fireEvent.dragStart(grip, { dataTransfer })
    const target = screen.getByText('Paraffin hands').closest('li') as HTMLElement
    fireEvent.dragOver(target, { dataTransfer })
    fireEvent.drop(target, { dataTransfer })
    await waitFor(() => expect(order).toEqual(['gel', 'paraffin', 'feet']))
    expect(seen.filter(({ name }) => name === 'orderServices')).toHaveLength(2)
  })

  it('keeps its order when the server says no', async () => {
    open(usual, { orderServices: () => refused(409, { code: 'wrong_state', message: 'Not now.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'More for Gel manicure' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Move down' }))
    expect(await screen.findByText('Not now.')).toBeTruthy()
    await waitFor(() => expect(rows()[0]).toContain('Gel'))
  })

  it('takes a booked service off only once somebody has said what "book again" takes', async () => {
    const items = [serviceOf('gel', 'Gel manicure', { comingVisits: 2 }), serviceOf('classic', 'Classic manicure')]
    const { seen } = open(items, { removeService: () => ({ outcome: 'archived', comingVisits: 2 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'More for Gel manicure' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Take off the menu' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('2 visits to come are booked with it and stay.')).toBeTruthy()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Take off the menu' }))
    expect(within(dialog).getByText('Choose what takes its place.')).toBeTruthy()
    await userEvent.selectOptions(within(dialog).getByRole('combobox'), 'classic')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Take off the menu' }))
    expect(await screen.findByText('Gel manicure is archived.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'removeService')?.query.get('successorId')).toBe('classic')
  })

  it('says which services ask for one first, instead of taking it off', async () => {
    const items = [
      serviceOf('test', 'Patch test'),
      serviceOf('lash', 'Lash lift', { prerequisites: [{ serviceId: 'test', minHours: 48, maxMonths: 6 }] }),
    ]
    open(items)
    await userEvent.click(await screen.findByRole('button', { name: 'More for Patch test' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Take off the menu' }))
    expect(await screen.findByText('Other services ask for it first: Lash lift.')).toBeTruthy()
    expect(within(screen.getByRole('dialog')).queryByRole('button', { name: 'Take off the menu' })).toBeNull()
  })

  it('shows nothing of it to whoever may not change it', async () => {
    open([], { services: () => refused(403, { code: 'forbidden', message: 'No.' }) })
    expect(await screen.findByText('The menu is kept by the owner.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Service' })).toBeNull()
  })
})
