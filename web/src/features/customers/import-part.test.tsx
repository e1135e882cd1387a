import type { ImportReport } from '@soigne/contract/customer-imports'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, type FakeRequest } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import CustomersPage from './customers-page.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const columns: ImportReport['columns'] = [
  { heading: 'Nom', field: 'lastName', example: 'Renaud' },
  { heading: 'Truc', field: null, example: 'x' },
]
const report: ImportReport = {
  encoding: 'windows-1252',
  delimiter: ';',
  columns,
  rows: 4,
  added: 2,
  known: 1,
  filled: 1,
  doubles: 0,
  faultyRows: 1,
  faulty: [{ line: 5, reason: 'email', value: 'nobody' }],
  isDone: false,
}

const toldBy = ({ body }: FakeRequest) => (body instanceof FormData ? Object.fromEntries(body) : {})

/** The page with a file that was chosen: its first answer is drawn. */
async function openImport(importCustomers: (request: FakeRequest) => ImportReport | Promise<ImportReport>) {
  const customers = () => ({
    items: [],
    page: 1,
    pageSize: 25,
    total: 0,
    tags: [],
    timeZone: 'Europe/Paris',
    now: '2026-11-24T10:00:00.000Z',
  })
  const seen = fakeServer({ me: () => owner, customers, importCustomers })
  const rendered = renderPart(<CustomersPage />, { at: '/mysalon/customers?view=import' })
  await screen.findByRole('button', { name: 'Choose a file' })
  const chooser = rendered.container.querySelector<HTMLInputElement>('input[type=file]')
  if (!chooser) throw new Error('no chooser')
  await userEvent.upload(chooser, new File(['Nom;Truc'], 'clients.csv', { type: 'text/csv' }))
  await screen.findByText('Line 5')
  return { place: rendered.place, told: () => seen.filter(({ name }) => name === 'importCustomers').map(toldBy) }
}

describe('bringing a list in', () => {
  it('[P-09] counts a file first and brings it in with the columns that were named', async () => {
    const { told, place } = await openImport((request) => ({ ...report, isDone: toldBy(request).dryRun === 'false' }))
    await userEvent.click(screen.getByRole('button', { name: 'Bring in 2 clients' }))
    await waitFor(() => expect(place()).toBe('/mysalon/customers'))
    expect(told()).toEqual([
      expect.objectContaining({ dryRun: 'true' }),
      expect.objectContaining({ dryRun: 'false', mapping: JSON.stringify(['lastName', null]) }),
    ])
  })

  it('counts anew with a column that is named anew, which leaves the one it was in', async () => {
    const { told } = await openImport(() => report)
    await userEvent.selectOptions(screen.getByLabelText('Truc'), 'lastName')
    await waitFor(() => expect(told()).toHaveLength(2))
    expect(told().at(-1)).toMatchObject({ dryRun: 'true', mapping: JSON.stringify([null, 'lastName']) })
  })

  it('keeps the last choice of several made while the first is still being counted', async () => {
    const late: (() => void)[] = []
    const answerOf = (request: FakeRequest): ImportReport => {
      const mapping = JSON.parse(String(toldBy(request).mapping)) as ImportReport['columns'][number]['field'][]
      return { ...report, columns: columns.map((column, index) => ({ ...column, field: mapping[index] ?? null })) }
    }
    const { told } = await openImport((request) =>
      toldBy(request).mapping ? new Promise((resolve) => late.push(() => resolve(answerOf(request)))) : report,
    )
    const column = screen.getByLabelText<HTMLSelectElement>('Nom')
    await userEvent.selectOptions(column, 'notes')
    expect(column.value).toBe('notes')
    await userEvent.selectOptions(column, 'lastName')
    await waitFor(() => expect(late).toHaveLength(2))
    // The newer answer comes first, the older one after it.
    late.toReversed().forEach((answer) => answer())
    const bring = screen.getByRole('button', { name: 'Bring in 2 clients' })
    await waitFor(() => expect(bring.getAttribute('aria-busy')).toBeNull())
    expect(column.value).toBe('lastName')
    await userEvent.click(bring)
    await waitFor(() => expect(told()).toHaveLength(4))
    expect(told().at(-1)).toMatchObject({ dryRun: 'false', mapping: JSON.stringify(['lastName', null]) })
  })
})
