/**
 * npm run test:clock: the journeys on every weekday, and at ten to midnight of a Sunday in three zones. `npm run test:clock -- src/holds.spec.ts`
 * runs the named ones; `CLOCK_DAYS=3,7 ` those days only, `CLOCK_DAYS=night` the nights.
 */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { buildWeb } from './build-web.ts'

const root = resolve(import.meta.dirname, '..')

interface Moment {
  clock: string
  zone: string
}

/** The next such weekday (1 is Monday) whose time has not come yet. */
function nextMoment(dayOfWeek: number, time: string, zone: string): Moment {
  const now = Temporal.Now.zonedDateTimeISO(zone)
  const today = now.toPlainDate()
  const days = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => today.add({ days }))
  // What the start needs is not there any more when a run begins in the last minutes.
  const isAhead = (day: Temporal.PlainDate): boolean =>
    day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds > now.epochMilliseconds + 600_000
  const day = days.find((one) => one.dayOfWeek === dayOfWeek && isAhead(one)) ?? today.add({ days: 7 })
  return { clock: `${day.toString()}T${time}`, zone }
}

const wanted = process.env['CLOCK_DAYS']?.split(',') ?? ['1', '2', '3', '4', '5', '6', '7', 'night']
const moments: Moment[] = wanted.flatMap((day) =>
  day === 'night'
    ? ['Pacific/Auckland', 'Europe/Paris', 'America/Los_Angeles'].map((zone) => nextMoment(7, '23:50', zone))
    : [nextMoment(Number(day), '10:00', 'Europe/Paris')],
)

buildWeb()
const broken = moments.filter(({ clock, zone }) => {
  process.stdout.write(`\n── journeys at ${clock} in ${zone}\n`)
  const { status } = spawnSync(
    join(root, 'node_modules/.bin/playwright'),
    ['test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, JOURNEY_CLOCK: clock, JOURNEY_ZONE: zone } },
  )
  return status !== 0
})
for (const { clock, zone } of broken) process.stdout.write(`broken at ${clock} in ${zone}\n`)
process.stdout.write(`\n${moments.length - broken.length} of ${moments.length} moments are good\n`)
process.exit(broken.length > 0 ? 1 : 0)
