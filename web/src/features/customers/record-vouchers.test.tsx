import type { Customer } from '@soigne/contract/customers'
import type { ClientPackage, GiftCard } from '@soigne/contract/vouchers'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { mayDo } from '#/testing/sales.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { VouchersPart } from './record-vouchers.tsx'

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const customer = { _id: 'c1', timeZone: 'Europe/Paris', now: '2026-11-24T10:00:00.000Z' } as Customer
const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })
const packageOf = (more: Partial<ClientPackage>): ClientPackage => ({
  _id: 'p1',
  name: 'Five manicures',
  sessions: 5,
  left: 1,
  price: euros(152),
  validUntil: '2027-03-05',
  state: 'valid',
  services: [],
  saleId: 's1',
  ...more,
})
const card: GiftCard = {
  _id: 'g1',
  ending: '7QKD',
  amount: euros(80),
  left: euros(35.5),
  validUntil: '2026-10-02',
  state: 'expired',
  client: null,
  saleId: 's2',
}

function open(packages: ClientPackage[], cards: GiftCard[]) {
  const seen = fakeServer({
    me: () => owner,
    ownPermissions: () => mayDo('sales.take'),
    clientPackages: () => ({ items: packages }),
    giftCards: () => ({ items: cards }),
  })
  return { seen, ...renderPart(<VouchersPart customer={customer} />) }
}

it('tells what is left of what somebody paid for before, until when, and leads to where it was sold', async () => {
  const { seen } = open(
    [packageOf({}), packageOf({ _id: 'p2', name: 'Ten facials', sessions: 10, left: 0, state: 'used', saleId: 's3' })],
    [card],
  )
  await screen.findByRole('heading', { name: 'Packages and gift cards' })
  await screen.findByText('Gift card ending 7QKD')
  const rows = screen.getAllByRole('listitem').map((row) => within(row))
  expect(rows.map((row) => row.getByRole('link').getAttribute('href')?.split('/').at(-1))).toEqual(['s1', 's3', 's2'])
  expect(rows[0]?.getByText('1 session left of 5')).toBeTruthy()
  expect(rows[0]?.queryByText('Good')).toBeNull()
  expect(rows[1]?.getByText('Used up')).toBeTruthy()
  expect(rows[2]?.getByText('€35.50 left of €80.00')).toBeTruthy()
  expect(rows[2]?.getByText('Expired')).toBeTruthy()
  expect(rows[2]?.getByText(/^Until .*2 Oct/)).toBeTruthy()
  const asked = seen.find(({ name }) => name === 'giftCards')
  expect(asked?.query.get('customer')).toBe('c1')
})

it('is not there for somebody who has bought none', async () => {
  const { seen } = open([], [])
  await waitFor(() => expect(seen.map(({ name }) => name)).toContain('giftCards'))
  expect(screen.queryByRole('heading')).toBeNull()
})
