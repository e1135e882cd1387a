// Sales of component tests: one of an institute in Lyon, at any point of its life.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { permissions, type Permission } from '@soigne/contract/access'
import type { Product } from '@soigne/contract/products'
import type { Sale, SaleRow, TillDay } from '@soigne/contract/sales'

export const euros = (amount: number) => ({ amount: Math.round(amount * 100), currency: 'EUR' })
const timeZone = 'Europe/Paris'

export const saleRow = (id: string, more: Partial<SaleRow> = {}): SaleRow => ({
  _id: id,
  appointmentId: id,
  number: null,
  at: '2025-11-20T13:02:00.000Z',
  client: { _id: 'c-camille', name: 'Camille Renaud' },
  services: ['Gel manicure', 'Hand massage'],
  staff: ['Inès', 'Maud'],
  methods: [],
  status: 'pending',
  total: euros(52),
  paid: euros(0),
  refunded: euros(0),
  ...more,
})

export const saleLine = (id: string, name: string, amount: number, more: Partial<Sale['lines'][number]> = {}): Sale['lines'][number] => ({
  _id: id,
  kind: 'service',
  name,
  staffName: 'Inès',
  quantity: 1,
  amount: amount * 100,
  vat: Math.round((amount * 100) / 6),
  vatBasisPoints: 2000,
  refunded: 0,
  spent: 0,
  giftCardId: null,
  fromPackage: false,
  ...more,
})

/** The deposit of a visit that was cancelled, which its provider did not give back. */
export const refusedRefund = (more: Partial<Sale['refusedRefunds'][number]> = {}): Sale['refusedRefunds'][number] => ({
  _id: 'r1',
  saleId: 'v1',
  client: 'Camille Renaud',
  amount: euros(15),
  method: 'card',
  at: '2025-11-20T14:21:00.000Z',
  why: 'card_gone',
  settled: null,
  ...more,
})

/** A visit that nobody paid for yet: 38 with Inès, 14 with Maud. */
export const openSale = (more: Partial<Sale> = {}): Sale => ({
  ...saleRow('v1'),
  startsAt: '2025-11-20T13:00:00.000Z',
  endsAt: '2025-11-20T14:20:00.000Z',
  attendance: 'done',
  currency: 'EUR',
  lines: [saleLine('0', 'Gel manicure', 38), saleLine('1', 'Hand massage', 14, { staffName: 'Maud' })],
  vat: euros(8.67),
  tips: [],
  due: euros(52),
  documents: [],
  payments: [],
  refusedRefunds: [],
  disputes: [],
  fee: null,
  sealed: null,
  timeZone,
  can: { take: true, refund: false },
  ...more,
})

export const payment = (id: string, more: Partial<Sale['payments'][number]> = {}): Sale['payments'][number] => ({
  _id: id,
  kind: 'payment',
  method: 'terminal',
  amount: 5200,
  at: '2025-11-20T14:21:00.000Z',
  by: 'Odile',
  ...more,
})

/** The same, paid by terminal, with its invoice. */
export const paidSale = (more: Partial<Sale> = {}): Sale => {
  const sale = openSale()
  const invoice: Sale['documents'][number] = {
    _id: 'd1',
    kind: 'invoice',
    number: 'F-2025-0396',
    issuedAt: '2025-11-20T14:21:01.000Z',
    total: 5200,
    vat: 867,
    reason: null,
    by: 'Odile',
    lines: sale.lines,
  }
  return {
    ...sale,
    number: 'F-2025-0396',
    status: 'completed',
    methods: ['terminal'],
    paid: euros(52),
    due: euros(0),
    documents: [invoice],
    payments: [payment('p1')],
    sealed: true,
    can: { take: false, refund: true },
    ...more,
  }
}

export const salesOf = (items: SaleRow[], more: Partial<Answer<Calls['sales']>> = {}): Answer<Calls['sales']> => ({
  items,
  page: 1,
  pageSize: 10,
  total: items.length,
  timeZone,
  totals: {
    fromDay: '2025-11-20',
    toDay: '2025-11-20',
    taken: euros(655),
    payments: 17,
    refunded: euros(0),
    tips: euros(12.5),
    methods: [],
    before: euros(610),
    due: euros(214),
    cancelled: { amount: 7600, visits: 2 },
    invoiced: { invoices: 8, creditNotes: 1, gross: 33_020, vat: 5504 },
  },
  ...more,
})

export const oil: Product = { _id: 'p-oil', name: 'Almond cuticle oil', price: euros(12.5), vatBasisPoints: 2000, stock: 3 }

export const tillOfDay = (more: Partial<TillDay> = {}): TillDay => ({
  day: '2025-11-20',
  currency: 'EUR',
  cash: 12_000,
  terminal: 45_000,
  online: 8500,
  giftCards: 0,
  tips: 1250,
  invoices: 17,
  invoiced: 65_500,
  vat: 10_917,
  credited: 2400,
  kept: 1260,
  refunded: 3660,
  closing: null,
  ...more,
})

/** May do these alone; everything when nothing is said. */
export const mayDo = (...own: Permission[]): Answer<Calls['ownPermissions']> => ({
  permissions: [...permissions],
  levels: [],
  own: own.length > 0 ? own : [...permissions],
})
