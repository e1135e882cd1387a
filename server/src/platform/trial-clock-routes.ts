/** `/dev/clock`: moves the clock of the whole trial forward. Absent in production. */
import { minuteMs, minutesOfDay } from '@soigne/contract/time'
import { parseInstant } from './instants.ts'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { refuse, refuseField } from './refuse.ts'
import type { AppContext } from './app-context.ts'

const mostMinutes = 10 * 366 * minutesOfDay

const body = z.union([
  z.strictObject({ to: z.iso.datetime({ offset: true }) }),
  z.strictObject({ forwardMinutes: z.number().positive().max(mostMinutes) }),
])

/** `onMoved` begins the work that has become due. */
export function mountTrialClock(app: FastifyInstance, { clock, trialClock }: AppContext, onMoved: () => Promise<void>): void {
  const now = (): { now: string } => ({ now: new Date(clock.now()).toISOString() })
  app.get('/dev/clock', async (_request, reply) => reply.header('cache-control', 'no-store').send(now()))
  if (!trialClock) return
  // Browsers and programs that ask what time it is are told the product's.
  app.addHook('onSend', async (_request, reply) => {
    if (trialClock.aheadMs() > 0) reply.header('date', new Date(trialClock.now()).toUTCString())
  })
  app.post('/dev/clock', async (request, reply) => {
    const asked = body.safeParse(request.body)
    if (!asked.success) throw refuse('bad_input', { fields: { body: 'invalid' } })
    const by = 'to' in asked.data ? { to: parseInstant(asked.data.to) } : { byMs: asked.data.forwardMinutes * minuteMs }
    if ('to' in by && by.to > clock.now() + mostMinutes * minuteMs) throw refuseField('to', 'date')
    // The clock goes forward only.
    if (!(await trialClock.forward(by))) throw refuseField('to', 'date')
    await onMoved()
    return reply.header('cache-control', 'no-store').send(now())
  })
}
