/** Requests about money, each about a sale, a product or a visit of the institute, and the ids of those next door. */
import type { Sale } from '@soigne/contract/sales'
import { sql } from 'kysely'
import type { AccessRequest, Recipe } from './access-recipes.ts'
import { recordAt } from './customer-recipes.ts'
import type { AccessWorld } from './access-world.ts'
import type { MadeInstitute } from './factories.ts'

const base = '/api/v1/secure/mysalon'
const mine = (world: AccessWorld): MadeInstitute => world.mine
const ownerOf = (world: AccessWorld, at: MadeInstitute) => world.people[at === world.mine ? 'owner' : 'neighbour']

/** What a visit of one service costs there, taken in cash. */
async function tillBody(world: AccessWorld, at: MadeInstitute, id: string): Promise<Record<string, unknown>> {
  const { body } = await world.t.inject('GET', `${base}/appointments/${id}/till`, { token: ownerOf(world, at).token })
  const amount = (body as unknown as Sale).due.amount + 100
  return { lines: [{ segment: 0 }], tips: [{ staffId: at.members[0], amount: 100 }], payments: [{ method: 'cash', amount }] }
}

/** A visit that was paid at the counter. */
async function saleAt(world: AccessWorld, at: MadeInstitute): Promise<Sale> {
  const id = await world.bookedBy(world.people.client, at)
  const { token } = ownerOf(world, at)
  const { body, text } = await world.t.inject('POST', `${base}/appointments/${id}/till`, { token, body: await tillBody(world, at, id) })
  if (!('documents' in body)) throw new Error(text)
  return body as unknown as Sale
}
/** One that is only read, the same for all who ask. */
const known = new WeakMap<MadeInstitute, Promise<Sale>>()
function knownSale(world: AccessWorld, at: MadeInstitute): Promise<Sale> {
  const made = known.get(at) ?? saleAt(world, at)
  known.set(at, made)
  return made
}
const theirSale = async (world: AccessWorld): Promise<string> => (await knownSale(world, world.theirs))._id
const theirLine = async (world: AccessWorld): Promise<string> => (await knownSale(world, world.theirs)).lines[0]?._id ?? ''

async function productAt({ t }: AccessWorld, { id }: { id: string }): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into products (institute_id, name, price_amount, stock, created_at) values (${id}, 'Shampoo', 1850, 4, now()) returning id`.execute(
    t.db,
  )
  return rows[0]?.id ?? ''
}
const theirProduct = (world: AccessWorld): Promise<string> => productAt(world, world.theirs)
const theirVisit = (world: AccessWorld): Promise<string> => world.bookedBy(world.people.stranger, world.theirs)

/** A gift card of that institute, sold over its counter. */
async function giftCardAt(world: AccessWorld, at: MadeInstitute): Promise<string> {
  const { token } = ownerOf(world, at)
  const body = { lines: [{ giftCard: true, amount: 5000 }], payments: [{ method: 'terminal', amount: 5000 }] }
  const { body: sale, text } = await world.t.inject('POST', `${base}/sales`, { token, body })
  const card = (sale as unknown as Sale).lines?.[0]?.giftCardId
  if (!card) throw new Error(text)
  return card
}
const knownCards = new WeakMap<MadeInstitute, Promise<string>>()
function knownCard(world: AccessWorld, at: MadeInstitute): Promise<string> {
  const made = knownCards.get(at) ?? giftCardAt(world, at)
  knownCards.set(at, made)
  return made
}

const theirMember = (world: AccessWorld): string => world.theirs.members[0] ?? ''
const packageBody = ({ services }: MadeInstitute) => ({
  name: 'Five',
  sessions: 5,
  months: 12,
  price: 10_000,
  serviceIds: services.slice(0, 1),
})
async function packageAt(world: AccessWorld, at: MadeInstitute): Promise<string> {
  const { body } = await world.t.inject('POST', `${base}/packages`, { token: ownerOf(world, at).token, body: packageBody(at) })
  return String(body['_id'])
}
/** A visit that its client missed, who has a package for it. */
async function missedVisit(world: AccessWorld): Promise<{ id: string; clientPackageId: string }> {
  const id = await world.bookedBy(world.people.client)
  const { rows } = await sql<{
    customerId: string
  }>`update appointments set attendance = 'no_show' where id = ${id} returning customer_id as "customerId"`.execute(world.t.db)
  return { id, clientPackageId: await clientPackageAt(world, world.mine, rows[0]?.customerId ?? '') }
}
/** A package that somebody next door has. */
const theirClientPackage = async (world: AccessWorld): Promise<string> =>
  clientPackageAt(world, world.theirs, await recordAt(world, world.theirs))
async function clientPackageAt(world: AccessWorld, at: MadeInstitute, customerId: string): Promise<string> {
  const { token } = ownerOf(world, at)
  const lines = [{ packageId: await packageAt(world, at) }]
  const payments = [{ method: 'terminal', amount: 10_000 }]
  await world.t.inject('POST', `${base}/sales`, { token, body: { lines, payments, customerId } })
  const { body, text } = await world.t.inject('GET', `${base}/customers/${customerId}/packages`, { token })
  const { items } = body as unknown as { items: { _id: string }[] }
  if (!items?.[0]) throw new Error(text)
  return items[0]._id
}

const ofTill = {
  'body.lines.0.serviceId': (world: AccessWorld) => world.theirs.services[0] ?? '',
  'body.lines.0.staffId': theirMember,
  'body.lines.0.productId': theirProduct,
  'body.lines.0.packageId': (world: AccessWorld) => packageAt(world, world.theirs),
  'body.lines.0.fromPackage': theirClientPackage,
  'body.tips.0.staffId': theirMember,
  'body.payments.0.giftCardId': (world: AccessWorld) => knownCard(world, world.theirs),
}

const product = { name: 'Shampoo', price: 1850, stock: 4 }
const ofSale: Recipe = {
  make: async (world) => ({ params: { id: (await knownSale(world, world.mine))._id } }),
  neighbours: { 'params.id': theirSale },
}

/** The client's own visit, paid at the counter. */
const ofOwnSale: Recipe = {
  namesThings: true,
  make: async (world) => ({ params: { id: (await knownSale(world, world.mine))._id } }),
  neighbours: { 'params.id': (world) => world.bookedBy(world.people.stranger) },
}

const ofProduct = (more: () => AccessRequest = () => ({})): Recipe => ({
  make: async (world) => ({ params: { id: await productAt(world, world.mine) }, ...more() }),
  neighbours: { 'params.id': theirProduct },
})

/** Every request closes a day of its own. */
let closed = 0
const nextDay = (): string => Temporal.PlainDate.from('2026-01-01').add({ days: closed++ }).toString()

export const saleRecipes = {
  sales: {
    make: (world) => ({ query: { period: 'today', staff: mine(world).members[0] ?? '' } }),
    neighbours: { 'query.staff': theirMember },
  },
  exportSales: { make: () => ({}) },
  sale: ofSale,
  saleInvoice: {
    make: async (world) => {
      const { _id, documents } = await knownSale(world, world.mine)
      return { params: { id: _id }, query: { document: documents[0]?._id ?? '' } }
    },
    neighbours: {
      'params.id': theirSale,
      'query.document': async (world) => (await knownSale(world, world.theirs)).documents[0]?._id ?? '',
    },
  },
  appointmentPayments: ofOwnSale,
  appointmentInvoice: {
    ...ofOwnSale,
    make: async (world) => {
      const { _id, documents } = await knownSale(world, world.mine)
      return { params: { id: _id }, query: { document: documents[0]?._id ?? '' } }
    },
    neighbours: {
      'params.id': (world) => world.bookedBy(world.people.stranger),
      'query.document': async (world) => (await knownSale(world, world.theirs)).documents[0]?._id ?? '',
    },
  },
  tillDay: { make: () => ({}) },
  closeTill: { make: () => ({ body: { day: nextDay(), float: 0, counted: 0 } }) },
  visitTill: {
    make: async (world) => ({ params: { id: await world.bookedBy(world.people.client) } }),
    neighbours: { 'params.id': theirVisit },
  },
  takeForVisit: {
    async make(world) {
      const id = await world.bookedBy(world.people.client)
      return { params: { id }, body: await tillBody(world, world.mine, id) }
    },
    neighbours: { 'params.id': theirVisit, ...ofTill },
    elsewhere: Object.keys(ofTill),
  },
  sellOverCounter: {
    make: async (world) => ({
      body: {
        lines: [{ productId: await productAt(world, world.mine), quantity: 1 }],
        customerId: await recordAt(world, world.mine),
        tips: [{ staffId: world.mine.members[0], amount: 100 }],
        payments: [{ method: 'terminal', amount: 1950 }],
      },
    }),
    elsewhere: Object.keys(ofTill),
    neighbours: { ...ofTill, 'body.customerId': (world) => recordAt(world, world.theirs) },
  },
  refundSale: {
    async make(world) {
      const { _id, lines } = await saleAt(world, world.mine)
      return { params: { id: _id }, body: { lines: [{ _id: lines[0]?._id ?? '' }], reason: 'Not as agreed', method: 'cash' } }
    },
    neighbours: { 'params.id': theirSale, 'body.lines.0._id': theirLine },
  },
  giftCards: {
    make: async (world) => ({ query: { customer: await recordAt(world, world.mine) } }),
    neighbours: { 'query.customer': (world) => recordAt(world, world.theirs) },
  },
  giftCardPdf: {
    make: async (world) => ({ params: { id: await knownCard(world, world.mine) } }),
    neighbours: { 'params.id': (world) => knownCard(world, world.theirs) },
  },
  giftCardRule: { make: () => ({}) },
  changeGiftCardRule: { make: () => ({ body: { years: 5 } }) },
  packages: { make: () => ({}) },
  addPackage: {
    make: (world) => ({ body: packageBody(world.mine) }),
    neighbours: { 'body.serviceIds.0': (world) => world.theirs.services[0] ?? '' },
  },
  removePackage: {
    make: async (world) => ({ params: { id: await packageAt(world, world.mine) } }),
    neighbours: { 'params.id': (world) => packageAt(world, world.theirs) },
  },
  clientPackages: {
    make: async (world) => ({ params: { id: await recordAt(world, world.mine) } }),
    neighbours: { 'params.id': (world) => recordAt(world, world.theirs) },
  },
  ownPackages: { make: () => ({}) },
  sessionsOfVisit: {
    make: async (world) => ({ params: { id: await world.bookedBy(world.people.client) } }),
    neighbours: { 'params.id': theirVisit },
  },
  takeSessionForVisit: {
    async make(world) {
      const { id, clientPackageId } = await missedVisit(world)
      return { params: { id }, body: { clientPackageId } }
    },
    neighbours: { 'params.id': theirVisit, 'body.clientPackageId': theirClientPackage },
  },
  products: { make: () => ({}) },
  addProduct: { make: () => ({ body: product }) },
  changeProduct: ofProduct(() => ({ body: product })),
  removeProduct: ofProduct(),
} satisfies Record<string, Recipe>
