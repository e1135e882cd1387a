import type { Resource, Resources } from '@soigne/contract/resources'
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import ResourcesPage from './resources-page.tsx'

configure({ defaultHidden: true })
beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const chair = (id: string, name: string, more: Partial<Resource> = {}): Resource => ({
  _id: id,
  type: 'chair',
  name,
  note: '',
  closures: [],
  isClosedToday: false,
  taken: [],
  takenMinutes: 0,
  ...more,
})
const taken = { startsAt: '2026-11-24T09:00:00Z', endsAt: '2026-11-24T10:10:00Z', kind: 'visit' } as const
const page = (items: Resource[], more: Partial<Resources> = {}): Resources => ({
  items,
  types: [...new Set(items.map(({ type }) => type))].map((type) => ({ type, services: ['Gel manicure'] })),
  timeZone: 'Europe/Paris',
  today: '2026-11-24',
  gridMinutes: 20,
  opens: { startsAt: '2026-11-24T08:00:00Z', endsAt: '2026-11-24T12:00:00Z' },
  full: null,
  ...more,
})
const two = [chair('c1', 'Window', { taken: [taken], takenMinutes: 70 }), chair('c2', 'Mirror', { isClosedToday: true })]

function open(items = two, more: Parameters<typeof fakeServer>[0] = {}, of: Partial<Resources> = {}) {
  const seen = fakeServer({ me: () => owner, resources: () => page(items, of), ...more })
  renderPart(<ResourcesPage />, { at: '/mysalon/staff/resources' })
  return (name: string) => seen.filter((one) => one.name === name)
}

describe('rooms, chairs and machines', () => {
  it('draws what takes each today, and says when all of a type are taken', async () => {
    open(two, {}, { full: { type: 'chair', count: 2, startsAt: '2026-11-26T13:40:00Z', endsAt: '2026-11-26T14:50:00Z' } })
    const strip = await screen.findByRole('img', { name: '1 h 10 today' })
    const cells = [...strip.children].map(({ className }) => className !== '')
    expect(cells).toEqual([false, false, false, true, true, true, ...Array.from({ length: 6 }, () => false)])
    expect(screen.getByRole('img', { name: 'closed today' })).toBeTruthy()
    expect(screen.getByText('All 2 of “chair” are taken Thursday 26 November from 14:40 to 15:50.')).toBeTruthy()
  })

  it('are put into an order; the first goes no higher', async () => {
    const calls = open(two, { orderResources: () => ({ message: 'Saved.' }) })
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Move Window forward' })).disabled).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Move Window back' }))
    await waitFor(() => expect(calls('orderResources')[0]?.body).toEqual({ ids: ['c2', 'c1'] }))
  })

  it('[P-08] closes one for days and says which visits that meets', async () => {
    const met = { _id: 'v1', startsAt: '2026-11-24T09:00:00Z', endsAt: '2026-11-24T10:10:00Z', customer: 'Ana' }
    const calls = open(two, { changeResource: () => ({ _id: 'c1', appointments: [met] }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Change Window' }))
    await userEvent.click(screen.getByRole('button', { name: 'Closed days' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('1 visit takes it on these days.')).toBeTruthy()
    expect(calls('changeResource')[0]).toMatchObject({
      params: { id: 'c1' },
      body: { type: 'chair', name: 'Window', closures: [{ fromDay: '2026-11-24', toDay: '2026-11-24' }] },
    })
  })

  it('needs a name, and stays while visits take it', async () => {
    const calls = open(two, { removeResource: () => refused(409, { code: 'wrong_state', message: 'Two visits take it.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Resource' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Please fill this in.')).toBeTruthy()
    expect(calls('addResource')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(screen.getByRole('button', { name: 'Change Window' }))
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getAllByRole('button')[1] as HTMLElement)
    expect(await screen.findByText('Two visits take it.')).toBeTruthy()
    expect(screen.getByText('Window')).toBeTruthy()
  })
})
