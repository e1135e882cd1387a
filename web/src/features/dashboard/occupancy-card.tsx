// How full the day is: a lane for each person, filled where they work on visits, hatched where they do not work.
import type { Dashboard } from '@soigne/contract/dashboard'
import { minuteMs } from '@soigne/contract/time'
import { instantText, parseInstant, useTimes } from '#/platform/time.ts'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import styles from './dashboard.module.css'

type Member = Dashboard['occupancy']['members'][number]
type Stretch = Member['shifts'][number]

const cellMs = 20 * minuteMs

/** Whether a stretch takes the middle of a cell. */
const holds = (stretches: readonly Stretch[], at: number): boolean =>
  stretches.some(({ startsAt, endsAt }) => parseInstant(startsAt) <= at && at < parseInstant(endsAt))

/** The cells between the first and the last shift of anybody. */
export function cellsOf(members: readonly Member[]): number[] {
  const all = members.flatMap(({ shifts }) => shifts)
  if (all.length === 0) return []
  const from = Math.min(...all.map(({ startsAt }) => parseInstant(startsAt)))
  const to = Math.max(...all.map(({ endsAt }) => parseInstant(endsAt)))
  return Array.from({ length: Math.ceil((to - from) / cellMs) }, (_, at) => from + at * cellMs)
}

export const percentOf = ({ busyMinutes, shiftMinutes }: Pick<Member, 'busyMinutes' | 'shiftMinutes'>): number =>
  shiftMinutes === 0 ? 0 : Math.round((busyMinutes / shiftMinutes) * 100)

function Lane({ member, cells }: { member: Member; cells: readonly number[] }) {
  const { t } = useTranslation('dashboard')
  const isOff = member.shiftMinutes === 0
  const stateOf = (cell: number) => {
    const middle = cell + cellMs / 2
    if (holds(member.busy, middle)) return 'busy'
    return holds(member.shifts, middle) ? 'free' : 'off'
  }
  return (
    <tr>
      <th scope="row">
        <span className={styles.person}>
          <FaceImage name={member.name} photoUrl={member.imageUrl} size={34} />
          <bdi className="truncate">{member.name}</bdi>
        </span>
      </th>
      <td>
        <span className={styles.cells} aria-hidden>
          {cells.map((cell) => (
            <i key={cell} data-state={stateOf(cell)} />
          ))}
        </span>
      </td>
      <td className={`strong tabular ${styles.percent}`}>
        {isOff ? <span className="fine muted">{t('occupancy.off')}</span> : <bdi>{percentOf(member)}%</bdi>}
      </td>
    </tr>
  )
}

export function OccupancyCard({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const times = useTimes()
  const { occupancy, timeZone } = data
  const cells = cellsOf(occupancy.members)
  const at = (instant: number | undefined) => (instant === undefined ? '' : times.time(instantText(instant), timeZone))
  const last = cells.at(-1)
  return (
    <section className={styles.card} aria-labelledby="occupancy">
      <div className={styles.cardHead}>
        <h2 id="occupancy" className="d4">
          {t('occupancy.title')}
        </h2>
        <p className="small muted">
          <Trans
            ns="dashboard"
            i18nKey="occupancy.today"
            values={{ percent: percentOf(occupancy) }}
            components={{ share: <bdi className="strong" /> }}
          />
        </p>
      </div>
      <table className={styles.lanes}>
        <caption className="visually-hidden">{t('occupancy.table')}</caption>
        <colgroup>
          <col className={styles.whoColumn} />
          <col />
          <col className={styles.percentColumn} />
        </colgroup>
        <tbody>
          {occupancy.members.map((member) => (
            <Lane key={member._id} member={member} cells={cells} />
          ))}
        </tbody>
      </table>
      {last !== undefined && (
        <p className={`fine muted ${styles.hoursUnder}`} aria-hidden>
          <bdi>{at(cells[0])}</bdi>
          <bdi>{at(cells[Math.floor(cells.length / 2)])}</bdi>
          <bdi>{at(last + cellMs)}</bdi>
        </p>
      )}
    </section>
  )
}
