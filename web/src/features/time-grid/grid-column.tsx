// One column of the calendar: the hours at work, what keeps them, and the free stretches worth offering.
import { memo, type CSSProperties } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { clock } from '#/platform/dashboard-time.ts'
import { useTimes } from '#/platform/time.ts'
import { Block, placeStyle } from './grid-block.tsx'
import type { GridColumn, Ground, Range } from './grid-model.ts'
import styles from './grid.module.css'

export type ColumnProps = {
  column: GridColumn
  index: number
  label: string
  /** Minute of the day, on the day that is today. */
  now: number | null
  isToday: boolean
  openVisit: string | null
  isShort: boolean
}

export const rangeStyle = ({ from, to }: Range): CSSProperties => ({ '--from': from, '--length': to - from }) as CSSProperties

function GroundBlock({ ground, isWhole }: { ground: Ground; isWhole: boolean }) {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  const { kind, from } = ground
  const word = kind === 'on_holiday' || kind === 'sick_leave' ? label(`availabilities.${kind}`) : t(`grounds.${kind}`)
  const isLeave = kind !== 'external'
  return (
    <li className={styles.ground} style={rangeStyle(ground)}>
      <span>{isLeave && !isWhole ? t('awayFrom', { what: word, time: clock(from) }) : word}</span>
    </li>
  )
}

function Gaps({ gaps }: { gaps: readonly Range[] }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  return gaps.map((gap) => (
    <li key={gap.from} className={styles.place} style={placeStyle({ ...gap, lane: 0, lanes: 1 })}>
      <button type="button" tabIndex={-1} data-gap={`${gap.from}-${gap.to}`} className={styles.gap}>
        {t('minutesFree', { duration: times.duration(gap.to - gap.from) })}
      </button>
    </li>
  ))
}

export const Column = memo(function Column({ column, index, label, now, isToday, openVisit, isShort }: ColumnProps) {
  const { t } = useTranslation('diary')
  const first = column.shifts[0]
  const last = column.shifts.at(-1)
  /** On a day off the whole day counts. */
  const isAway = (ground: Ground) => ground.from <= (first?.from ?? 0) && ground.to >= (last?.to ?? ground.to)
  const isOff = column.shifts.length === 0 && column.grounds.length === 0
  return (
    <ol className={styles.column} data-column={index} data-today={isToday || undefined} aria-label={label}>
      {first && last && <li aria-hidden="true" className={styles.shift} style={rangeStyle({ from: first.from, to: last.to })} />}
      {isOff && column.items.length === 0 && <li className={styles.off}>{t('off')}</li>}
      {now !== null && <li aria-hidden="true" className={styles.now} style={rangeStyle({ from: now, to: now })} />}
      {column.grounds.map((ground) => (
        <GroundBlock key={`${ground.kind}${ground.from}`} ground={ground} isWhole={isAway(ground)} />
      ))}
      {column.waits.map((wait) => (
        <li key={wait.key} aria-hidden="true" className={styles.wait} style={rangeStyle(wait)} />
      ))}
      {column.items.map((item) =>
        item.kind === 'visit' && item.cleanUp > 0 ? (
          <li
            key={`${item.key}-after`}
            aria-hidden="true"
            className={styles.cleanUp}
            style={rangeStyle({ from: item.to, to: item.to + item.cleanUp })}
          />
        ) : null,
      )}
      <Gaps gaps={column.gaps} />
      {column.items.map((item) => (
        <Block
          key={item.key}
          item={item}
          isShort={isShort}
          isCurrent={now !== null && item.kind === 'visit' && item.visit.status !== 'cancelled' && item.from <= now && now < item.to}
          isOpen={item.kind === 'visit' && item.visit._id === openVisit}
        />
      ))}
    </ol>
  )
})
