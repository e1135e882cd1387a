import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { CustomerRow } from '@soigne/contract/customers'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { type Client, ClientField, clientPart } from './client-field.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ines = { _id: 'c-1', name: 'Inès Benali', phone: '06 12 34 56 78', visits: 3, noShows: 0 } as CustomerRow

function open(customers: NonNullable<Parameters<typeof fakeServer>[0]['customers']>) {
  const seen = fakeServer({ me: () => owner, customers })
  const sent: ReturnType<typeof clientPart>[] = []
  function Form() {
    const [client, setClient] = useState<Client>({ kind: 'new', name: 'Jeanne', phone: '' })
    return (
      <>
        <ClientField client={client} focused={false} onChange={setClient} />
        <button type="button" onClick={() => void sent.push(clientPart(client))}>
          Book
        </button>
      </>
    )
  }
  renderPart(<Form />)
  const type = (phone: string) => userEvent.type(screen.getByRole('textbox', { name: 'Phone' }), phone)
  const searched = () => seen.filter(({ name }) => name === 'customers').map(({ query }) => query.get('search'))
  async function chosen() {
    await userEvent.click(screen.getByRole('button', { name: 'Book' }))
    return sent.at(-1)
  }
  return { type, searched, chosen }
}
const listed = (items: CustomerRow[]) => ({
  items,
  page: 1,
  pageSize: 10,
  total: items.length,
  tags: [],
  timeZone: 'Europe/Paris',
  now: '',
})

it('who has the number that is typed for somebody new is offered, and chosen by one tap', async () => {
  const { type, chosen, searched } = open(() => listed([ines]))
  await type('06 12 34')
  expect(searched()).toEqual([])
  await type(' 56 78')
  expect(await screen.findByText('This number is a client’s already. Is it one of these?')).toBeTruthy()
  expect(await chosen()).toEqual({ customer: { firstName: 'Jeanne', phone: '06 12 34 56 78' } })
  await userEvent.click(within(screen.getByRole('list', { name: 'Clients found' })).getByRole('button', { name: /Inès Benali/ }))
  expect(await chosen()).toEqual({ customerId: 'c-1' })
})

it('of a number that nobody has, and to whoever may see no clients, nothing is said', async () => {
  const { type, searched } = open(() => (searched().length > 1 ? refused(403, { code: 'forbidden', message: 'No.' }) : listed([])))
  await type('06 12 34 56')
  await type('78')
  await waitFor(() => expect(searched().length).toBeGreaterThan(1))
  expect(screen.queryByText(/This number/)).toBeNull()
})
