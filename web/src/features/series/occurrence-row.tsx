// One visit of a series before it is booked: free, or what stands in its way and what is free near to it; any may be left out.
import type { Occurrence } from '@soigne/contract/series'
import { priceOfVisit, usePriceText } from '#/prices.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Checkbox } from '#/ui/checkbox.tsx'
import { SlotChip } from '#/ui/slot-chip.tsx'
import { classNames } from '#/ui/class-names.ts'
import styles from './series.module.css'

export type OccurrenceRowProps = {
  occurrence: Occurrence
  timeZone: string
  /** Its own time, another one, or none. */
  chosen: string | null
  onChoose: (startsAt: string | null) => void
}

export function OccurrenceRow({ occurrence, timeZone, chosen, onChoose }: OccurrenceRowProps) {
  const { t } = useTranslation('series')
  const times = useTimes()
  const price = usePriceText()
  const { startsAt, conflict, nearest, segments, total } = occurrence
  const whenOf = (at: string) => t('when', { day: times.dayOfInstant(at, timeZone, 'full'), time: times.time(at, timeZone) })
  const proposed = conflict === null ? startsAt : (nearest[0]?.startsAt ?? null)
  const shown = chosen ?? startsAt
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        {proposed === null ? (
          <span className={styles.blocked}>{whenOf(startsAt)}</span>
        ) : (
          <Checkbox
            className={styles.check}
            label={<span className={classNames(chosen === null && styles.blocked)}>{whenOf(shown)}</span>}
            checked={chosen !== null}
            onChange={({ target }) => onChoose(target.checked ? proposed : null)}
          />
        )}
        {total && chosen !== null && <bdi className="strong tabular">{price(priceOfVisit({ segments, total }))}</bdi>}
      </div>
      {conflict !== null && (
        <div className={styles.conflict}>
          <p className="small">
            {proposed === null ? '' : `${whenOf(startsAt)}: `}
            {conflict} {nearest.length === 0 && t('nothingNear')}
          </p>
          {nearest.length > 0 && (
            <ul className={styles.chips}>
              {nearest.map(({ startsAt: at }) => (
                <li key={at}>
                  <SlotChip
                    time={times.time(at, timeZone)}
                    day={times.dayOfInstant(at, timeZone)}
                    selected={at === chosen}
                    onClick={() => onChoose(at)}
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </li>
  )
}
