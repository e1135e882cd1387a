/** Visits that need another one before them. */
import * as z from 'zod/mini'

/** What one has booked after a visit that needs it, such as a colour after its test; `by`: when that visit has to be over. */
export const neededBy = z.array(z.object({ _id: z.string(), serviceName: z.string(), startsAt: z.string(), by: z.string() }))
