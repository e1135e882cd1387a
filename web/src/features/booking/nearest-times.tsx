// Free times near one that was lost, to go on with in place.
import type { ApiError } from '#/platform/api-error.ts'
import { useTimes } from '#/platform/time.ts'
import { SlotChip } from '#/ui/slot-chip.tsx'
import styles from './steps.module.css'

export type NearestTimesProps = { nearest: readonly string[]; timeZone: string; onChoose: (startsAt: string) => void }

export function NearestTimes({ nearest, timeZone, onChoose }: NearestTimesProps) {
  const times = useTimes()
  return (
    <ul className={styles.choices}>
      {nearest.map((startsAt) => (
        <li key={startsAt}>
          <SlotChip
            className={styles.chip}
            time={times.time(startsAt, timeZone)}
            day={times.dayOfInstant(startsAt, timeZone)}
            onClick={() => onChoose(startsAt)}
          />
        </li>
      ))}
    </ul>
  )
}

function isNearest(value: unknown): value is { startsAt: string } {
  return typeof value === 'object' && value !== null && 'startsAt' in value && typeof value.startsAt === 'string'
}

/** The free times a refusal names near the one that was lost. */
export function nearestOf(error: ApiError): string[] {
  const nearest = error.body.details?.['nearest']
  return Array.isArray(nearest) ? nearest.filter(isNearest).map(({ startsAt }) => startsAt) : []
}
