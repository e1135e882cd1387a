import type { Customer } from '@soigne/contract/customers'
import type { ClientPackage, GiftCard, ServicePackage } from '@soigne/contract/vouchers'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { diaryOf, diarySegment, diaryVisit } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { gelManicure, handMassage, maud, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { euros, mayDo, oil, openSale, paidSale } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { TillPlace } from '#/features/till/till-place.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const card = (more: Partial<GiftCard> = {}): GiftCard => ({
  _id: 'g1',
  ending: '7KQM',
  amount: euros(60),
  left: euros(40),
  validUntil: '2030-11-20',
  state: 'valid',
  client: null,
  saleId: 's0',
  ...more,
})
const five: ServicePackage = {
  _id: 'p5',
  name: 'Five manicures',
  sessions: 5,
  months: 12,
  price: euros(150),
  services: [{ _id: gelManicure, name: 'Gel manicure' }],
}
const held: ClientPackage = { ...five, _id: 'h1', left: 2, validUntil: '2026-11-20', state: 'valid', saleId: 's0' }
const visit = () => ({
  ...diaryVisit('v1', '14:00', '15:20', {
    segments: [diarySegment('14:00', '15:00'), diarySegment('15:00', '15:20', { position: 1, staffId: maud, serviceId: handMassage })],
  }),
  history: [],
})
const camille = { _id: 'c-camille', name: 'Camille Renaud' } as Customer
function open(more: Parameters<typeof fakeServer>[0] = {}, visitId: string | null = null) {
  const seen = fakeServer({
    me: () => owner,
    ownPermissions: () => mayDo(),
    diary: () => diaryOf(),
    institute: () => nacre,
    products: () => ({ items: [oil] }),
    packages: () => ({ items: [five] }),
    clientPackages: () => ({ items: [held] }),
    giftCards: () => ({ items: [] }),
    giftCardRule: () => ({ years: 5 }),
    diaryVisit: visit as never,
    visitTill: () => openSale(),
    customers: () => ({ items: [camille], page: 1, pageSize: 10, total: 1, tags: [], timeZone: 'Europe/Paris', now: '' }),
    sellOverCounter: () => paidSale({ _id: 's1', appointmentId: null }),
    takeForVisit: () => paidSale(),
    ...more,
  })
  return { seen, ...renderPart(<TillPlace visitId={visitId} />) }
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const due = async () => (await screen.findByText('To pay now')).parentElement?.textContent
const bodyOf = (seen: ReturnType<typeof fakeServer>, name: 'sellOverCounter' | 'takeForVisit' | 'addPackage') =>
  seen.find((one) => one.name === name)?.body
async function addOil() {
  await userEvent.click(await screen.findByText('Almond cuticle oil'))
}
async function payWith(code: string) {
  await press('Pay with a gift card')
  await userEvent.type(screen.getByLabelText('Code of the gift card'), code)
  await press('Use it')
}

describe('a gift card at the till', () => {
  it('is sold with an amount, and says how long such cards are good for', async () => {
    const { seen } = open({ changeGiftCardRule: () => ({ years: 2 }) })
    await press('Gift card')
    await userEvent.type(await screen.findByLabelText('Amount on the card'), '50')
    await userEvent.selectOptions(await screen.findByLabelText('Cards sold from now on are good for'), '2 years')
    await waitFor(() => expect(seen.find(({ name }) => name === 'changeGiftCardRule')?.body).toEqual({ years: 2 }))
    await press('Add the card')
    expect(await due()).toContain('€50.00')
    await press('Take €50.00 by terminal')
    await waitFor(() =>
      expect(bodyOf(seen, 'sellOverCounter')).toMatchObject({
        lines: [{ giftCard: true, amount: 5000 }],
        payments: [{ method: 'terminal', amount: 5000 }],
      }),
    )
  })

  it('pays by its code up to what it holds, the rest another way, and can be left out again', async () => {
    const { seen } = open({ giftCards: () => ({ items: [card({ left: euros(10) })] }) })
    await addOil()
    await payWith('7kqm-2xnr')
    expect(await screen.findByText('Gift card ending 7KQM')).toBeTruthy()
    expect(screen.getByText('€0.00 stays on it')).toBeTruthy()
    expect(await due()).toContain('€2.50')
    await press('Leave out the gift card ending 7KQM')
    expect(await due()).toContain('€12.50')
    await payWith('7kqm-2xnr')
    await press('Take €2.50 by terminal')
    await waitFor(() =>
      expect(bodyOf(seen, 'sellOverCounter')).toMatchObject({
        payments: [
          { method: 'gift_card', giftCardId: 'g1', amount: 1000 },
          { method: 'terminal', amount: 250 },
        ],
      }),
    )
  })

  it('pays all of it, and one that is unknown, over or empty says so', async () => {
    const answers = [[], [card({ state: 'expired' })], [card({ state: 'used', left: euros(0) })], [card()]]
    const { seen } = open({ giftCards: () => ({ items: answers.shift() ?? [] }) })
    await addOil()
    await payWith('x')
    expect(await screen.findByText('No card has this code.')).toBeTruthy()
    for (const text of ['The last day of this card is over.', 'Nothing is left on this card.']) {
      await userEvent.type(screen.getByLabelText('Code of the gift card'), 'x')
      await press('Use it')
      expect(await screen.findByText(text)).toBeTruthy()
    }
    await userEvent.type(screen.getByLabelText('Code of the gift card'), 'x')
    await press('Use it')
    expect(await screen.findByText('€27.50 stays on it')).toBeTruthy()
    await press('Take it from the gift card')
    await waitFor(() =>
      expect(bodyOf(seen, 'sellOverCounter')).toMatchObject({ payments: [{ method: 'gift_card', giftCardId: 'g1', amount: 1250 }] }),
    )
  })
})

describe('a package at the till', () => {
  it('is sold to a client alone', async () => {
    const { seen } = open()
    await press('Package')
    await press(/^Five manicures/)
    expect(screen.getAllByText('A package is for a client: choose one first.').length).toBeGreaterThan(0)
    await userEvent.type(screen.getByLabelText('Client'), 'camille')
    await press('Camille Renaud')
    await press('Take €150.00 by terminal')
    await waitFor(() => expect(bodyOf(seen, 'sellOverCounter')).toMatchObject({ customerId: 'c-camille', lines: [{ packageId: 'p5' }] }))
  })

  it('is defined with services of the menu, and ended', async () => {
    const { seen } = open({
      addPackage: () => ({ ...five, _id: 'p6', name: 'Ten massages' }),
      removePackage: () => ({ items: [] }),
    })
    await press('Package')
    await press('New package')
    await userEvent.type(await screen.findByLabelText('Name'), 'Ten massages')
    await userEvent.type(screen.getByLabelText('Price'), '200')
    const sessions = screen.getByLabelText('Sessions')
    await userEvent.clear(sessions)
    await userEvent.type(sessions, '1')
    expect(screen.getByText('A whole number from 2 to 100.')).toBeTruthy()
    await userEvent.type(sessions, '0')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Hand massage' }))
    await press('Sell it from now on')
    await waitFor(() =>
      expect(bodyOf(seen, 'addPackage')).toEqual({
        name: 'Ten massages',
        sessions: 10,
        months: 12,
        price: 20_000,
        serviceIds: [handMassage],
      }),
    )
    await press('Package')
    await press('Stop selling Five manicures')
    await userEvent.click(
      within(await screen.findByRole('alertdialog'))
        .getAllByRole('button')
        .at(-1) ?? document.body,
    )
    expect(await screen.findByText('No packages yet.')).toBeTruthy()
  })

  it('pays for a service of a visit of its client, and for no other', async () => {
    const { seen } = open({}, 'v1')
    await press('More for Hand massage')
    expect(screen.queryByRole('menuitem', { name: /^From/ })).toBeNull()
    await userEvent.keyboard('{Escape}')
    await press('More for Gel manicure')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'From Five manicures, 2 left' }))
    expect(await due()).toContain('€14.00')
    expect(screen.getByText('From Five manicures')).toBeTruthy()
    await press('Take €14.00 by terminal')
    await waitFor(() =>
      expect(bodyOf(seen, 'takeForVisit')).toMatchObject({
        lines: [{ segment: 0, fromPackage: 'h1' }, { segment: 1 }],
        payments: [{ method: 'terminal', amount: 1400 }],
      }),
    )
  })
})
