// Repeating a visit: how often and how many, then every visit with its date before anything is booked.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { useEffect, useRef, useState } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import { OccurrenceRow } from './occurrence-row.tsx'
import { SeriesMade } from './series-made.tsx'
import { useMakeSeries, useSeriesPlan } from './use-series.ts'
import styles from './series.module.css'

export type RepeatVisitProps = { appointment: Appointment; onClose: () => void }

/** The bounds of `contract/src/series.ts`; the server refuses what is beyond. */
const weeks = [1, 2, 3, 4, 5, 6, 7, 8]
const counts = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const monthly = { everyWeeks: 4, times: 4 }

type Rhythm = typeof monthly
type Plan = Answer<Calls['seriesPlan']>

function RhythmFields({ rhythm, onChange }: { rhythm: Rhythm; onChange: (rhythm: Rhythm) => void }) {
  const { t } = useTranslation('series')
  return (
    <div className={styles.rhythm}>
      <SelectField
        label={t('rhythm')}
        value={rhythm.everyWeeks}
        onChange={({ target }) => onChange({ ...rhythm, everyWeeks: Number(target.value) })}
        options={weeks.map((count) => ({ value: String(count), label: t('weeks', { count }) }))}
      />
      <SelectField
        label={t('times')}
        hint={t('timesHint')}
        value={rhythm.times}
        onChange={({ target }) => onChange({ ...rhythm, times: Number(target.value) })}
        options={counts.map((count) => ({ value: String(count), label: t('times', { count }) }))}
      />
    </div>
  )
}

/** What is chosen for each occurrence: its own time, one near to it, or nothing. */
function useChoices(items: Plan['items']) {
  const [changed, setChanged] = useState<Readonly<Record<string, string | null>>>({})
  const chosenFor = ({ startsAt, conflict, nearest }: Plan['items'][number]): string | null => {
    const own = changed[startsAt]
    return own === undefined ? (conflict === null ? startsAt : (nearest[0]?.startsAt ?? null)) : own
  }
  return {
    chosenFor,
    choose: (startsAt: string, at: string | null) => setChanged({ ...changed, [startsAt]: at }),
    all: [...new Set(items.map(chosenFor).filter((at) => at !== null))],
  }
}

type PlannedProps = { appointment: Appointment; rhythm: Rhythm; items: Plan['items']; onMade: (made: Answer<Calls['makeSeries']>) => void }

function Planned({ appointment, rhythm, items, onMade }: PlannedProps) {
  const { t } = useTranslation('series')
  const make = useMakeSeries(appointment._id)
  const { chosenFor, choose, all } = useChoices(items)
  const { timeZone } = appointment.institute
  return (
    <>
      <ol className={styles.rows}>
        {items.map((item) => (
          <OccurrenceRow
            key={item.startsAt}
            occurrence={item}
            timeZone={timeZone}
            chosen={chosenFor(item)}
            onChoose={(at) => {
              make.reset()
              choose(item.startsAt, at)
            }}
          />
        ))}
      </ol>
      {make.error && (
        <Notice tone="error" announce title={t('notMade')}>
          {failureText(make.error)}
        </Notice>
      )}
      <p className="small muted">{t('promise')}</p>
      <Button
        size="large"
        wide
        loading={make.isPending}
        disabled={all.length === 0}
        onClick={() => make.mutate({ everyWeeks: rhythm.everyWeeks, startsAt: all }, { onSuccess: onMade })}
      >
        {t('confirm', { count: all.length })}
      </Button>
    </>
  )
}

export function RepeatVisit({ appointment, onClose }: RepeatVisitProps) {
  const { t } = useTranslation('series')
  const [rhythm, setRhythm] = useState(monthly)
  const [made, setMade] = useState<Answer<Calls['makeSeries']> | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [made])
  const { data, error, refetch } = useSeriesPlan(appointment._id, rhythm.everyWeeks, rhythm.times)
  return (
    <section className={styles.sheet} aria-labelledby="repeat-title">
      <div className={styles.sheetHead}>
        <h2 id="repeat-title" className="d3" tabIndex={-1} ref={heading}>
          {made === null ? t('title') : made.made.length > 0 ? t('done', { count: made.made.length }) : t('doneNone')}
        </h2>
        {made === null && (
          <Button variant="text" icon="close" onClick={onClose}>
            {t('keep')}
          </Button>
        )}
      </div>
      {made === null ? (
        <>
          <RhythmFields rhythm={rhythm} onChange={setRhythm} />
          {error && !data ? (
            <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
              {failureText(error)}
            </ErrorState>
          ) : (
            <Loading loading={!data} label={t('loading')} skeleton={<Skeleton height={72 * (rhythm.times - 1)} radius={16} />}>
              {data && (
                <Planned
                  key={`${rhythm.everyWeeks} ${rhythm.times}`}
                  appointment={appointment}
                  rhythm={rhythm}
                  items={data.items}
                  onMade={setMade}
                />
              )}
            </Loading>
          )}
        </>
      ) : (
        <SeriesMade appointment={appointment} everyWeeks={rhythm.everyWeeks} made={made} onMore={setMade} onClose={onClose} />
      )}
    </section>
  )
}
