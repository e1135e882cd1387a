/** Requests about paying online, and words of a provider. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Recipe } from './access-recipes.ts'
import type { AccessWorld } from './access-world.ts'
import { type MadeInstitute, type MadeUser, makeUser } from './factories.ts'

const ofHold: Recipe = {
  namesThings: true,
  make: async (world) => ({ params: { id: await world.heldBy(world.people.client) } }),
  neighbours: { 'params.id': (world) => world.heldBy(world.people.stranger, world.theirs) },
}
/** Something that nobody here has an answer to: it is signed, and kept. */
const word = ({ t }: AccessWorld) => {
  const { payload, headers } = t.payments.sign({ id: randomUUID(), at: t.clock.now(), kind: 'other', name: 'balance' })
  return { payload, headers }
}

/** What was paid for a visit there and did not go back. */
async function refusedAt(world: AccessWorld, at: MadeInstitute): Promise<string> {
  const visitId = await world.bookedBy(world.people.client, at)
  const { rows } = await sql<{
    id: string
  }>`with paid as (insert into checkouts (institute_id, appointment_id, user_id, amount, currency, payment, payment_method, state, provider, reference, held_at, begun_at, ended_at, until, taken)
        select institute_id, id, user_id, 1000, 'EUR', 'deposit_paid', 'card', 'refund_due', 'sandbox', 'pay_' || id, now(), now(), now(), now(), '[]' from appointments where id = ${visitId} returning id, institute_id)
      insert into refunds (institute_id, checkout_id, appointment_id, amount, currency, reason, state, made_at, ended_at)
        select institute_id, id, ${visitId}, 1000, 'EUR', 'late_payment', 'failed', now(), now() from paid returning id`.execute(world.t.db)
  return rows[0]?.id ?? ''
}
/** A fee of a visit that was missed: the visit, and the fee. */
async function missedAt({ t, bookedBy }: AccessWorld, at: MadeInstitute, client: MadeUser): Promise<{ visit: string; fee: string }> {
  const visit = await bookedBy(client, at)
  const { rows } = await sql<{
    id: string
  }>`insert into fees (institute_id, appointment_id, user_id, kind, amount, currency, made_at, due_at, state)
    values (${at.id}, ${visit}, ${client.id}, 'no_show', 100, 'EUR', now(), now() + interval '1 day', 'asked') returning id`.execute(t.db)
  return { visit, fee: rows[0]?.id ?? '' }
}
/** One that is due, with the card that is kept for it. */
async function chargeableAt(world: AccessWorld, at: MadeInstitute, client: MadeUser): Promise<string> {
  const { visit, fee } = await missedAt(world, at, client)
  const due = new Date(world.t.clock.now() + 3_600_000)
  await sql`insert into fee_terms (appointment_id, institute_id, late_amount, no_show_amount, grace_minutes, card_id)
    values (${visit}, ${at.id}, 0, 100, 0, ${await cardOf(world, client)})`.execute(world.t.db)
  await sql`update fees set state = 'due', due_at = ${due} where id = ${fee}`.execute(world.t.db)
  return fee
}
/** One that was waived a moment ago. */
async function waivedAt(world: AccessWorld, at: MadeInstitute, client: MadeUser): Promise<string> {
  const { fee } = await missedAt(world, at, client)
  const now = new Date(world.t.clock.now())
  await sql`update fees set state = 'waived', ended_at = ${now}, due_at = ${now}::timestamptz + interval '1 day' where id = ${fee}`.execute(
    world.t.db,
  )
  return fee
}
let payouts = 0
/** Something that reached the bank of that institute. */
async function payoutAt({ t }: AccessWorld, { id }: MadeInstitute): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into payouts (institute_id, provider, reference, amount, currency, state, made_at, arrives_on)
    values (${id}, 'sandbox', ${`payout ${++payouts}`}, 1000, 'EUR', 'paid', now(), '2026-11-28') returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
const ofPayout: Recipe = {
  make: async (world) => ({ params: { id: await payoutAt(world, world.mine) } }),
  neighbours: { 'params.id': (world) => payoutAt(world, world.theirs) },
}
let cards = 0
async function cardOf({ t }: AccessWorld, { id }: { id: string }): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into saved_cards (user_id, provider, token, brand, last_four, kept_at)
    values (${id}, 'sandbox', ${`card ${++cards}`}, 'Visa', '4242', now()) returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}

export const paymentRecipes = {
  openFees: { make: () => ({}) },
  payouts: { make: () => ({}) },
  payout: ofPayout,
  payoutFile: ofPayout,
  // With the sandbox institutes need none.
  connectPaymentAccount: { make: () => ({}), refusedByState: { owner: 503 } },
  readPaymentAccount: { make: () => ({}) },
  waiveFee: {
    make: async (world) => ({
      params: { id: (await missedAt(world, world.mine, world.people.client)).fee },
      body: { reason: 'A mistake.' },
    }),
    neighbours: { 'params.id': async (world) => (await missedAt(world, world.theirs, world.people.stranger)).fee },
  },
  chargeFee: {
    make: async (world) => ({ params: { id: await chargeableAt(world, world.mine, world.people.client) } }),
    neighbours: { 'params.id': async (world) => chargeableAt(world, world.theirs, world.people.stranger) },
  },
  undoWaiver: {
    make: async (world) => ({ params: { id: await waivedAt(world, world.mine, world.people.client) } }),
    neighbours: { 'params.id': async (world) => waivedAt(world, world.theirs, world.people.stranger) },
  },
  payFee: {
    namesThings: true,
    make: async (world) => ({ params: { id: (await missedAt(world, world.mine, world.people.client)).visit }, body: {} }),
    neighbours: { 'params.id': async (world) => (await missedAt(world, world.theirs, world.people.stranger)).visit },
  },
  savedCards: { make: () => ({}) },
  removeCard: {
    make: async (world, user) => ({ params: { id: await cardOf(world, user ?? world.people.client) } }),
    neighbours: { 'params.id': async (world) => cardOf(world, await makeUser(world.t.db)) },
  },
  holdPayment: ofHold,
  giveUpPayment: ofHold,
  payVisit: {
    namesThings: true,
    make: async (world) => ({ params: { id: await world.bookedBy(world.people.client) }, body: {} }),
    neighbours: { 'params.id': (world) => world.bookedBy(world.people.stranger, world.theirs) },
  },
  sendRefundAgain: {
    make: async (world) => ({ params: { id: await refusedAt(world, world.mine) } }),
    neighbours: { 'params.id': (world) => refusedAt(world, world.theirs) },
  },
  settleRefund: {
    make: async (world) => ({ params: { id: await refusedAt(world, world.mine) }, body: { how: 'A bank transfer.' } }),
    neighbours: { 'params.id': (world) => refusedAt(world, world.theirs) },
  },
  sandboxWebhook: { make: word },
  // The house of these worlds is another one.
  stripeWebhook: {
    make: word,
    refusedByState: Object.fromEntries(
      (['nobody', 'unverified', 'client', 'stranger', 'owner', 'manager', 'reception', 'staff', 'neighbour', 'operator'] as const).map(
        (actor) => [actor, 400],
      ),
    ),
  },
} satisfies Record<string, Recipe>
