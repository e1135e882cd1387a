// Who is away when, on one line of time: what it meets, and the way back.
import { pictureOfSize } from '@soigne/contract/files'
import type { Team, TeamAbsence, TeamMember } from '@soigne/contract/team'
import { useQueryClient } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { teamMemberPath } from '#/dashboard-paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { plannedDayText } from '#/platform/dashboard-time.ts'
import { addDays, daysBetween, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { askConfirm } from '#/ui/confirms.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './team.module.css'

type Scale = { from: string; to: string; part: (day: string) => number }
const percent = (part: number): string => `${(Math.min(Math.max(part, 0), 1) * 100).toFixed(2)}%`

/** From ten days ago to six weeks ahead, or to the end of what begins until then. */
function scaleOf({ items, today }: Team): Scale {
  const from = addDays(today, -10)
  const last = items.flatMap(({ absences }) => absences.map(({ toDay }) => toDay)).reduce((a, b) => (a > b ? a : b), addDays(today, 42))
  const most = addDays(today, 180)
  const to = last > most ? most : last
  const days = daysBetween(from, to) + 1
  return { from, to, part: (day) => daysBetween(from, day) / days }
}

function useEnd(member: TeamMember, absence: TeamAbsence) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  return async () => {
    if (!(await askConfirm({ title: t('timeOff.endTitle', { name: member.name }), message: t('timeOff.endText'), tone: 'plain' }))) return
    try {
      const { fromDay, toDay } = absence
      await dashboardApi.setAvailability({ params: { id: member._id }, body: { status: 'available', fromDay, toDay } })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    }
  }
}

function Lane({ member, absence, scale, team }: { member: TeamMember; absence: TeamAbsence; scale: Scale; team: Team }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const end = useEnd(member, absence)
  const day = (one: string): string => times.day(one, team.timeZone, 'short')
  const { fromDay, toDay, kind, part, hits } = absence
  const start = scale.part(fromDay)
  const stop = scale.part(addDays(toDay, 1))
  return (
    <li className={styles.lane}>
      <span className={styles.who}>
        <FaceImage name={member.name} photoUrl={pictureOfSize(member.imageUrl, 96)} size={36} />
        <span>
          <bdi className="strong">{member.name}</bdi>
          <span className={classNames('small muted', styles.dates)}>
            {fromDay === toDay
              ? day(fromDay)
              : t('timeOff.range', { from: plannedDayText(fromDay, times.locale), to: plannedDayText(toDay, times.locale) })}
            {part && (
              <>
                {' '}
                <bdi>
                  {part.opensAt}–{part.closesAt}
                </bdi>
              </>
            )}
          </span>
        </span>
      </span>
      <span className={styles.bar}>
        <span
          className={classNames(styles.stretch, kind === 'sick_leave' ? styles.sick : styles.holiday)}
          style={{ insetInlineStart: percent(start), inlineSize: percent(Math.min(stop, 1) - Math.max(start, 0)) }}
        >
          <span className={classNames(start > 0.6 && styles.late)}>{t(`leave.${kind}`)}</span>
        </span>
        <span className={styles.now} style={{ insetInlineStart: percent(scale.part(team.today)) }} />
      </span>
      <span className={styles.laneEnd}>
        {hits > 0 ? (
          <ButtonLink to={`${teamMemberPath(member._id)}#visits`} variant="outline" size="small">
            {t('timeOff.hits', { count: hits })}
          </ButtonLink>
        ) : (
          <span className="small muted">{t('timeOff.nothing')}</span>
        )}
        <IconButton icon="close" iconSize={18} label={t('timeOff.end', { name: member.name })} onClick={() => void end()} />
      </span>
    </li>
  )
}

export function TimeOff({ team }: { team: Team }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const scale = scaleOf(team)
  const lanes = team.items
    .flatMap((member) => member.absences.map((absence) => ({ member, absence })))
    .toSorted((a, b) => (a.absence.fromDay < b.absence.fromDay ? -1 : 1))
  return (
    <section className={styles.section} aria-labelledby="time-off">
      <h2 id="time-off" className="d3">
        {t('timeOff.title')}
      </h2>
      {lanes.length === 0 ? (
        <p className={classNames('muted', styles.none)}>{t('timeOff.none')}</p>
      ) : (
        <>
          <ul className={styles.lanes}>
            {lanes.map(({ member, absence }) => (
              <Lane key={absence._id} {...{ member, absence, scale, team }} />
            ))}
          </ul>
          <p className={classNames('small muted', styles.axis)} aria-hidden="true">
            <span>{times.day(scale.from, team.timeZone, 'short')}</span>
            <span>{times.day(scale.to, team.timeZone, 'short')}</span>
          </p>
        </>
      )}
    </section>
  )
}
