/** Visits that need another one before them. */
import * as z from 'zod/mini'

/** What is booked after a visit that it needs, such as a colour after its test; `testId`: the service it needs, which has to be over `from` then on and `by` then. */
export const neededBy = z.array(
  z.object({ _id: z.string(), serviceName: z.string(), startsAt: z.string(), testId: z.string(), from: z.string(), by: z.string() }),
)
export type NeededBy = z.output<typeof neededBy>

/** Also where another visit would be left without this one. */
export const anyway = z.optional(z.literal(true))
