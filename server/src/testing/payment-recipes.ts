/** Requests about paying online, and words of a provider. */
import { randomUUID } from 'node:crypto'
import type { Recipe } from './access-recipes.ts'
import type { AccessWorld } from './access-world.ts'

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

export const paymentRecipes = {
  holdPayment: ofHold,
  giveUpPayment: ofHold,
  payVisit: {
    namesThings: true,
    make: async (world) => ({ params: { id: await world.bookedBy(world.people.client) }, body: {} }),
    neighbours: { 'params.id': (world) => world.bookedBy(world.people.stranger, world.theirs) },
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
