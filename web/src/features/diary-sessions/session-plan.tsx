// The dates of classes before they are made: what fits can be left out, what does not fit says why.
import type { PlannedSession } from '@soigne/contract/group-sessions'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { Notice } from '#/ui/notice.tsx'
import styles from './sessions.module.css'

export type SessionPlanProps = {
  items: readonly PlannedSession[]
  timeZone: string
  left: ReadonlySet<string>
  onLeave: (startsAt: string, isLeft: boolean) => void
}

function PlannedRow({
  item,
  timeZone,
  isLeft,
  onLeave,
}: {
  item: PlannedSession
  timeZone: string
  isLeft: boolean
  onLeave: (isLeft: boolean) => void
}) {
  const times = useTimes()
  const day = times.dayOfInstant(item.startsAt, timeZone, 'full')
  if (item.conflict === null)
    return (
      <li>
        <Checkbox label={day} checked={!isLeft} onChange={({ target }) => onLeave(!target.checked)} />
      </li>
    )
  return (
    <li className={styles.unfit}>
      <Icon name="block" size={18} />
      <span>
        <s>{day}</s>
        <span className="small">{item.conflict}</span>
      </span>
    </li>
  )
}

export function SessionPlan({ items, timeZone, left, onLeave }: SessionPlanProps) {
  const { t } = useTranslation('diary-sessions')
  const unfit = items.filter(({ conflict }) => conflict !== null)
  const [only] = items
  if (items.length === 1)
    return only?.conflict ? (
      <Notice tone="error" announce>
        {only.conflict}
      </Notice>
    ) : null
  return (
    <section className={styles.plan} aria-label={t('dates')}>
      <h3 className="label-heading">{t('dates')}</h3>
      <p role="status" className="small muted">
        {unfit.length === 0 ? t('allFit') : t('unfit', { count: unfit.length })}
      </p>
      <ul>
        {items.map((item) => (
          <PlannedRow
            key={item.startsAt}
            item={item}
            timeZone={timeZone}
            isLeft={left.has(item.startsAt)}
            onLeave={(isLeft) => onLeave(item.startsAt, isLeft)}
          />
        ))}
      </ul>
    </section>
  )
}
