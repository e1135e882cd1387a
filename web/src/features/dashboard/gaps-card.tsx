// Gaps of today and the next days: who waits for one is offered it, and what the gap rule kept is told with how it is counted.
import type { Gap, Gaps } from '@soigne/contract/gaps'
import { minuteMs } from '@soigne/contract/time'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { inLine, useList } from '#/platform/lists.ts'
import { capitalised, minutesBetween, parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useMay } from '#/use-may.ts'
import styles from './gaps.module.css'

/** 40 min, 2 h, 1 h 40. */
function useLength(): (minutes: number) => string {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  return (minutes) => {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
    if (hours === 0) return times.duration(minutes)
    return rest === 0 ? t('gaps.hours', { hours }) : t('gaps.hoursMinutes', { hours, minutes: String(rest).padStart(2, '0') })
  }
}

/** Holds a gap for who waits, and says for whom; what was refused is told as it is now. */
function useOffer(gap: Gap, timeZone: string): { isBusy: boolean; offer: () => Promise<void> } {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  const list = useList()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  async function offer() {
    setBusy(true)
    try {
      const { offers } = await dashboardApi.offerGap({ body: { staffId: gap.member._id, startsAt: gap.startsAt, endsAt: gap.endsAt } })
      const names = list(offers.map(({ name }) => name))
      const until = times.time(offers[0]?.until ?? gap.startsAt, timeZone)
      showToast({ type: 'success', title: t('gaps.held', { count: offers.length, names, time: until }), line: t('gaps.heldText') })
    } catch (error) {
      const isAnswer = error instanceof ApiError && ['gap_taken', 'nobody_waits', 'quiet_hours'].includes(error.code ?? '')
      showToast({ type: isAnswer ? 'warning' : 'error', title: failureText(error) })
    }
    await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    setBusy(false)
  }
  return { isBusy, offer }
}

function Who({ gap, isAnybody }: { gap: Gap; isAnybody: boolean }) {
  const { t, i18n } = useTranslation('dashboard')
  const fits = [...gap.services, ...(gap.moreServices > 0 ? [t('gaps.moreServices', { count: gap.moreServices })] : [])]
  if (gap.waiting.length === 0)
    return (
      <p className="small muted">
        {t('gaps.fits', { services: inLine(fits, i18n.language) })}
        {isAnybody && (
          <>
            <br />
            {t('gaps.nobody')}
          </>
        )}
      </p>
    )
  return (
    <ul className="small muted">
      {gap.waiting.map(({ name, services }, at) => (
        <li key={`${at} ${name}`}>
          <bdi>{t('gaps.waits', { name, services: inLine(services, i18n.language) })}</bdi>
        </li>
      ))}
      {gap.moreWaiting > 0 && <li>{t('gaps.moreWaiting', { count: gap.moreWaiting })}</li>}
    </ul>
  )
}

/** `isAnybody`: somebody waits for one of the gaps, so that each says whether it is this one. */
function Row({ gap, data, mayOffer, isAnybody }: { gap: Gap; data: Gaps; mayOffer: boolean; isAnybody: boolean }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  const length = useLength()
  const { isBusy, offer } = useOffer(gap, data.timeZone)
  const count = gap.waiting.length + gap.moreWaiting
  const [day, time] = [
    times.dayOfInstant(gap.startsAt, data.timeZone, undefined, parseInstant(data.now)),
    times.time(gap.startsAt, data.timeZone),
  ]
  const label = t('gaps.offer', { count })
  return (
    <li className={styles.gap}>
      <div className={styles.when}>
        <bdi className={`serif tabular ${styles.start}`}>{time}</bdi>
        <span className="fine muted">{capitalised(day, times.locale)}</span>
      </div>
      <div className={styles.what}>
        <p>{t('gaps.row', { duration: length(minutesBetween(gap.startsAt, gap.endsAt)), name: gap.member.name })}</p>
        <Who gap={gap} isAnybody={isAnybody} />
      </div>
      {count > 0 && mayOffer && !data.isNight && (
        <Button
          variant="outline"
          size="small"
          className={styles.offer}
          loading={isBusy}
          aria-label={t('gaps.offerOf', { offer: label, day, time, name: gap.member.name })}
          onClick={() => void offer()}
        >
          {label}
        </Button>
      )}
    </li>
  )
}

function Kept({ kept }: { kept: NonNullable<Gaps['kept']> }) {
  const { t } = useTranslation('dashboard')
  const length = useLength()
  if (kept.minutes === 0) return <p className={`small muted ${styles.kept}`}>{t('gaps.keptNone')}</p>
  return (
    <details className={styles.kept}>
      <summary className="small strong">{t('gaps.kept', { duration: length(kept.minutes) })}</summary>
      <p className="small muted">{t('gaps.keptHow', { count: kept.bookings })}</p>
    </details>
  )
}

/** So many stand there before more are asked for. */
const shownFirst = 3

export function GapsCard() {
  const { t } = useTranslation('dashboard')
  const [isAll, setAll] = useState(false)
  const mayOffer = useMay('diary.change')
  const { data, error } = useQuery({
    queryKey: dashboardKeys.gaps,
    queryFn: ({ signal }) => dashboardApi.gaps({}, { signal }),
    refetchInterval: minuteMs,
  })
  if (!data && !error) return null
  const shown = data?.items.slice(0, isAll ? undefined : shownFirst) ?? []
  const hidden = (data?.items.length ?? 0) - shown.length
  const more = (data?.more ?? 0) + hidden
  const isAnybody = data?.items.some(({ waiting }) => waiting.length > 0) === true
  return (
    <section className={styles.card} aria-labelledby="gaps">
      <h2 id="gaps" className="d4">
        {data && data.items.length > 0 ? t('gaps.title', { count: data.items.length + data.more }) : t('gaps.none')}
      </h2>
      {!data && <p className="small muted">{t('gaps.failed')}</p>}
      {data?.items.length === 0 && <p className="small muted">{t('gaps.noneText')}</p>}
      {data && shown.length > 0 && (
        <ul>
          {shown.map((gap) => (
            <Row key={`${gap.member._id} ${gap.endsAt}`} gap={gap} data={data} mayOffer={mayOffer} isAnybody={isAnybody} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <button type="button" className={`link small ${styles.more}`} onClick={() => setAll(true)}>
          {t('gaps.more', { count: more })}
        </button>
      )}
      {hidden === 0 && more > 0 && <p className="small muted">{t('gaps.more', { count: more })}</p>}
      {data && data.items.length > 0 && !isAnybody && <p className="small muted">{t('gaps.nobodyAtAll')}</p>}
      {data?.isNight && isAnybody && <p className="small">{t('gaps.night')}</p>}
      {data?.kept && <Kept kept={data.kept} />}
    </section>
  )
}
