/**
 * When and where the journeys take place: JOURNEY_CLOCK=2026-11-29T23:50 begins them at that wall time of JOURNEY_ZONE (Europe/Paris), and time
 * runs on from there, in the demo, in the server and in the browser. Without it: now. The clock of a trial goes forward only, so it lies ahead.
 */
import type { BrowserContext, Page } from '@playwright/test'

export const journeyZone = process.env['JOURNEY_ZONE'] ?? 'Europe/Paris'

/** Milliseconds that the journeys are ahead of the machine; the first process of a run counts them, the others inherit. */
function countAhead(): number {
  const wanted = process.env['JOURNEY_CLOCK']
  if (!wanted) return 0
  const ahead = Temporal.PlainDateTime.from(wanted).toZonedDateTime(journeyZone).epochMilliseconds - Date.now()
  if (ahead <= 0) throw new Error(`JOURNEY_CLOCK=${wanted} in ${journeyZone} is over`)
  return ahead
}
export const journeyAheadMs = Number((process.env['JOURNEY_AHEAD_MS'] ??= String(countAhead())))

/** The present of the journeys, in milliseconds since the Unix epoch. */
export const journeyNow = (): number => Date.now() + journeyAheadMs

/** From now on the test says how time goes by in the browser. */
export const takeClock = (page: Page): Promise<void> => page.clock.install({ time: journeyNow() })

/** Brings a browser to the time of the journeys. */
export async function setBrowserClock(context: BrowserContext): Promise<void> {
  if (journeyAheadMs > 0) await context.clock.install({ time: journeyNow() })
}
