/** Requests about paying online, and words of a provider. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Recipe } from './access-recipes.ts'
import type { AccessWorld } from './access-world.ts'
import type { MadeInstitute } from './factories.ts'

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
  const { rows } = await sql<{ id: string }>`with paid as (insert into checkouts (institute_id, appointment_id, user_id, amount, currency, payment, payment_method, state, provider, reference, held_at, begun_at, until, taken)
        select institute_id, id, user_id, 1000, 'EUR', 'deposit_paid', 'card', 'refund_due', 'sandbox', 'pay_' || id, now(), now(), now(), '[]' from appointments where id = ${visitId} returning id, institute_id)
      insert into refunds (institute_id, checkout_id, appointment_id, amount, currency, reason, state, made_at, ended_at)
        select institute_id, id, ${visitId}, 1000, 'EUR', 'late_payment', 'failed', now(), now() from paid returning id`.execute(world.t.db)
  return rows[0]?.id ?? ''
}

export const paymentRecipes = {
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
