// Why a time is not free: a sentence first, then the lanes it fails in, and always what does work.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Diary } from '@soigne/contract/diary'
import { hourMs } from '@soigne/contract/time'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { dayOf, instantText, parseInstant, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from '#/ui/class-names.ts'
import styles from './booking.module.css'

export type Why = Answer<Calls['whyNot']>

export function useWhy(asked: { services: readonly string[]; staffId: string | null; startsAt: string | null; atHome: boolean }) {
  const { services, staffId, startsAt, atHome } = asked
  return useQuery({
    queryKey: dashboardKeys.diary.why(asked),
    queryFn: ({ signal }) =>
      dashboardApi.whyNot(
        { query: { service: [...services], staff: staffId ?? '', startsAt: startsAt ?? '', ...(atHome && { atHome: 'true' as const }) } },
        { signal },
      ),
    enabled: services.length > 0 && staffId !== null && startsAt !== null,
  })
}

const knownReasons = [
  'closed',
  'outside_shift',
  'away',
  'taken',
  'buffer',
  'external',
  'no_resource',
  'prerequisite',
  'last_start',
  'notice',
  'horizon',
  'not_performed',
] as const
const laneNames = ['open', 'shift', 'person', 'cleanup', 'resource'] as const
type LaneName = (typeof laneNames)[number]
type Stretch = { startsAt: string; endsAt: string }
type Bar = Stretch & { what: string | null; isFree: boolean }

/** What lies on each lane around the asked time: as the calendar has it, and what was named as being in the way. */
function lanesOf(why: Why, diary: Diary, staffId: string): Record<LaneName, Bar[]> {
  const day = diary.days.find((one) => one.day === dayOf(why.startsAt, diary.timeZone))
  const free = (stretch: Stretch): Bar => ({ ...stretch, what: null, isFree: true })
  const named = (lane: LaneName) =>
    why.refusedBy.flatMap((one): Bar[] =>
      one.lane === lane && one.startsAt && one.endsAt
        ? [{ startsAt: one.startsAt, endsAt: one.endsAt, what: one.what, isFree: false }]
        : [],
    )
  const visits = diary.visits.filter(({ status, attendance }) => status !== 'cancelled' && attendance !== 'no_show')
  const busy = visits.flatMap((visit) =>
    visit.segments
      .filter((segment) => segment.staffId === staffId)
      .map((segment): Bar => ({ startsAt: segment.startsAt, endsAt: segment.endsAt, what: visit.customer.name, isFree: false })),
  )
  return {
    open: day?.opens.map(free) ?? [],
    shift: day?.members.find((one) => one.staffId === staffId)?.shifts.map(free) ?? [],
    person: busy.length > 0 ? busy : named('person'),
    cleanup: named('cleanup'),
    resource: named('resource'),
  }
}

function Lanes({ why, diary, staffId }: { why: Why; diary: Diary; staffId: string }) {
  const { t } = useTranslation('diary')
  const from = Math.floor(parseInstant(why.startsAt) / hourMs) * hourMs - hourMs
  const to = Math.ceil(parseInstant(why.endsAt) / hourMs) * hourMs + hourMs
  const lanes = lanesOf(why, diary, staffId)
  const failing = new Set(why.refusedBy.map(({ lane }) => lane))
  const at = (instant: string) => Math.max(0, Math.min(100, (100 * (parseInstant(instant) - from)) / (to - from)))
  const span = (stretch: Stretch): CSSProperties => ({
    insetInlineStart: `${at(stretch.startsAt)}%`,
    inlineSize: `${at(stretch.endsAt) - at(stretch.startsAt)}%`,
  })
  const name = diary.members.find(({ _id }) => _id === staffId)?.name ?? ''
  const marks = Array.from({ length: (to - from) / hourMs + 1 }, (_, index) => instantText(from + index * hourMs))
  return (
    <div className={styles.lanes} aria-hidden="true">
      {laneNames
        .filter((lane) => lanes[lane].length > 0 || failing.has(lane))
        .map((lane) => (
          <div key={lane} className={classNames(styles.lane, failing.has(lane) && styles.failing)}>
            <span>{t(`why.lanes.${lane}`, { name })}</span>
            <div>
              {lanes[lane].map((bar) => (
                <i
                  key={bar.startsAt + bar.endsAt}
                  className={bar.isFree ? styles.laneFree : lane === 'cleanup' ? styles.laneHatched : styles.laneBusy}
                  style={span(bar)}
                >
                  {bar.what}
                </i>
              ))}
            </div>
          </div>
        ))}
      <div className={styles.asked}>
        <div style={span(why)}>
          <bdi>{timeText(why.startsAt, diary.timeZone)}</bdi>
        </div>
      </div>
      <div className={styles.marks}>
        {marks.map((mark) => (
          <bdi key={mark} style={{ insetInlineStart: `${at(mark)}%` }}>
            {timeText(mark, diary.timeZone)}
          </bdi>
        ))}
      </div>
    </div>
  )
}

function useReason(zone: string, name: string) {
  const { t } = useTranslation('diary')
  return (one: Why['refusedBy'][number]): string => {
    const reason = knownReasons.find((known) => known === one.reason)
    const until = one.endsAt ? timeText(one.endsAt, zone) : ''
    const from = one.startsAt ? timeText(one.startsAt, zone) : ''
    if (!reason) return one.what ?? one.reason
    if (!one.what && (reason === 'taken' || reason === 'prerequisite' || reason === 'no_resource'))
      return t(`why.plain.${reason}`, { name, from, until })
    return t(`why.reasons.${reason}`, { name, what: one.what ?? '', from, until })
  }
}

export type WhyNotProps = { why: Why; diary: Diary; staffId: string; onChoose: (choice: { staffId: string; startsAt: string }) => void }

export function WhyNot({ why, diary, staffId, onChoose }: WhyNotProps) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const zone = diary.timeZone
  const memberName = (id: string) => diary.members.find(({ _id }) => _id === id)?.name ?? ''
  const reason = useReason(zone, memberName(staffId))
  const time = timeText(why.startsAt, zone)
  const works = [...why.others.slice(0, 3), ...(why.next ? [why.next] : [])]
  const when = (startsAt: string) =>
    dayOf(startsAt, zone) === dayOf(why.startsAt, zone)
      ? timeText(startsAt, zone)
      : `${times.day(dayOf(startsAt, zone), zone)} ${timeText(startsAt, zone)}`
  return (
    <section className={styles.why} aria-label={t('why.title', { time })}>
      <h3 className="d4">{t('why.title', { time })}</h3>
      <ul className={styles.reasons} role="status">
        {why.refusedBy.map((one) => (
          <li key={`${one.reason}${one.startsAt}${one.what}`}>{reason(one)}</li>
        ))}
      </ul>
      <Lanes why={why} diary={diary} staffId={staffId} />
      {works.length > 0 && (
        <>
          <h4 className="label-heading">{t('why.works')}</h4>
          <ul className={styles.works}>
            {works.map((one) => (
              <li key={one.staffId + one.startsAt}>
                <button type="button" className={styles.row} onClick={() => onChoose(one)}>
                  <bdi className={styles.workTime}>{when(one.startsAt)}</bdi>
                  <span className={styles.lines}>{t('withName', { name: memberName(one.staffId) })}</span>
                  <Icon name="chevron-end" size={17} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {why.toClient && (
        <p className="small muted">
          {t('why.toClient')} <q>{why.toClient}</q>
        </p>
      )}
    </section>
  )
}
