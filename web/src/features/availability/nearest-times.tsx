// Free times near one that was lost, to go on with in place.
import { useTimes } from '#/platform/time.ts'
import { SlotChip } from '#/ui/slot-chip.tsx'
import styles from './nearest-times.module.css'

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
