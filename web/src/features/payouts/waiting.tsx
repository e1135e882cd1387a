// What the provider has and did not send yet, or what it lacks: by currency, with when that was read.
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { Payouts } from './use-payouts.ts'
import styles from './payouts.module.css'

export type WaitingProps = { payouts: Pick<Payouts, 'waiting' | 'waitingReadAt' | 'timeZone'> }

export function Waiting({ payouts: { waiting, waitingReadAt: readAt, timeZone } }: WaitingProps) {
  const { t } = useTranslation('payouts')
  const money = useMoney()
  const times = useTimes()
  const some = waiting.filter(({ amount }) => amount !== 0)
  if (some.length === 0 || readAt === null) return null
  const kinds = (['more', 'less'] as const).filter((kind) => some.some(({ amount }) => amount > 0 === (kind === 'more')))
  return (
    <div className={styles.waiting}>
      <Icon name="clock" size={22} />
      <div>
        <dl>
          {some.map(({ amount, currency }) => (
            <div key={currency}>
              <dt>{t(`waiting.${amount > 0 ? 'more' : 'less'}`)}</dt>
              <dd className="time">
                <bdi>{money({ amount, currency }, true)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
        {kinds.map((kind) => (
          <p key={kind} className="small">
            {t(`waiting.why.${kind}`)}
          </p>
        ))}
        <p className="small muted">{t('readAt', { day: times.dayOfInstant(readAt, timeZone), time: times.time(readAt, timeZone) })}</p>
      </div>
    </div>
  )
}
