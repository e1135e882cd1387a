// One visit that was hit: what it was, what is proposed instead with whom and why, and what else fits.
import type { ProposalOption, ProposalRow as Row } from '@soigne/contract/rearranging'
import { useTranslation } from '#/platform/translation.ts'
import { useList } from '#/platform/lists.ts'
import { useMoney } from '#/platform/money.ts'
import { telAddress } from '#/platform/phone.ts'
import { dateOnly, dayOf, minutesBetween, useTimes } from '#/platform/time.ts'
import { ActionMenu, type MenuAction } from '#/kit/action-menu.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import styles from './rearranging.module.css'

/** The place of an option, or another way. */
export type Choice = number | 'call' | 'cancel'

/** What is proposed unless something else is chosen. Nobody without an account can answer. */
export const usualChoice = ({ visit, options }: Row): Choice => (visit.customer.hasAccount && options.length > 0 ? 0 : 'call')

type RowProps = { row: Row; timeZone: string; choice: Choice; onChoose: (choice: Choice) => void }

const inWords = { weekday: 'long', day: 'numeric', month: 'long' } as const

export function useProposalTexts(timeZone: string) {
  const { t } = useTranslation('rearranging')
  const times = useTimes()
  const list = useList()
  const when = (instant: string) => ({ day: times.dayOfInstant(instant, timeZone), time: times.time(instant, timeZone) })
  /** A day within a sentence, where nothing is "until Tomorrow". */
  const spelled = (day: string) => dateOnly(day, times.locale === 'en' ? 'en-GB' : times.locale, inWords)
  const spelledWhen = (instant: string) => ({ day: spelled(dayOf(instant, timeZone)), time: times.time(instant, timeZone) })
  const names = ({ staff }: Pick<ProposalOption, 'staff'>) => list([...new Set(staff.map(({ name }) => name))])
  return { t, times, list, when, spelled, spelledWhen, names }
}

function Was({ row: { visit }, timeZone }: Pick<RowProps, 'row' | 'timeZone'>) {
  const { times, list } = useProposalTexts(timeZone)
  const [first] = visit.segments
  return (
    <div className={styles.was}>
      <p className={styles.when}>
        <bdi className={`time ${styles.start}`}>{times.time(visit.startsAt, timeZone)}</bdi>
        <span className="small muted">{times.dayOfInstant(visit.startsAt, timeZone)}</span>
      </p>
      <div className={styles.grow}>
        <p className="strong">
          <bdi>{visit.customer.name}</bdi>
        </p>
        <p className="small muted">
          {list(visit.segments.map(({ serviceName }) => serviceName))} · {times.duration(minutesBetween(visit.startsAt, visit.endsAt))}
        </p>
      </div>
      {first && <FaceImage name={first.staffName} photoUrl={first.staffImageUrl} size={34} />}
    </div>
  )
}

function Proposed({ row, option, timeZone }: Pick<RowProps, 'row' | 'timeZone'> & { option: ProposalOption }) {
  const { t, when, spelled, names } = useProposalTexts(timeZone)
  const { day, time } = when(option.startsAt)
  const [first] = option.staff
  const isFull = row.fullUntil !== null && option.reason.startsWith('colleague')
  const why = isFull
    ? t('fullUntil', { name: row.visit.segments[0]?.staffName ?? '', day: spelled(row.fullUntil ?? '') })
    : t(`reasons.${option.reason}`)
  return (
    <>
      <p className={styles.chip}>
        <span>{day}</span>
        <bdi>{time}</bdi>
      </p>
      <div className={styles.grow}>
        <p className={styles.who}>
          {first && <FaceImage name={first.name} photoUrl={first.imageUrl} size={24} />}
          {t('with', { names: names(option) })}
        </p>
        <p className="small muted">{why}</p>
      </div>
    </>
  )
}

function Otherwise({ row: { visit, options, refunded }, timeZone, choice }: Pick<RowProps, 'row' | 'timeZone' | 'choice'>) {
  const { t, when, names } = useProposalTexts(timeZone)
  const money = useMoney()
  const { phone, hasAccount } = visit.customer
  const [first] = options
  const back = refunded.amount > 0 ? money(refunded, true) : null
  const isNothing = choice === 'call' && !first
  return (
    <>
      <div className={styles.grow}>
        <p className="strong">{t(choice === 'cancel' ? 'row.cancel' : isNothing ? 'row.nothing' : 'row.call')}</p>
        <p className="small muted">
          {choice === 'cancel' && back !== null
            ? t('row.cancelBack', { amount: back })
            : t(choice === 'cancel' ? 'row.cancelText' : isNothing ? 'row.nothingText' : hasAccount ? 'row.callText' : 'row.noAccount')}
        </p>
        {choice === 'call' && back !== null && <p className="small">{t('row.ifCancelled', { amount: back })}</p>}
        {choice === 'call' && first && <p className="small">{t('row.fits', { ...when(first.startsAt), names: names(first) })}</p>}
      </div>
      {choice === 'call' && phone && (
        <a className={buttonClass({ variant: 'outline', size: 'small' }, styles.call)} href={telAddress(phone)}>
          <Icon name="phone" size={18} />
          {t('call')}
        </a>
      )}
    </>
  )
}

export function ProposalRow({ row, timeZone, choice, onChoose }: RowProps) {
  const { t, when, names } = useProposalTexts(timeZone)
  const option = typeof choice === 'number' ? row.options[choice] : undefined
  const actions: MenuAction[] = [
    ...(row.visit.customer.hasAccount ? row.options : []).map((one, at) => ({
      id: String(at),
      label: t('optionLabel', { ...when(one.startsAt), names: names(one) }),
      onAction: () => onChoose(at),
    })),
    { id: 'call', label: t('row.call'), icon: 'phone', onAction: () => onChoose('call') },
    { id: 'cancel', label: t('row.cancel'), danger: true, onAction: () => onChoose('cancel') },
  ]
  return (
    <li className={styles.row}>
      <Was row={row} timeZone={timeZone} />
      <Icon name="arrow" size={20} className={`mirrors ${styles.arrow}`} />
      <div className={styles.instead} data-how={option ? undefined : choice === 'call' && row.options.length > 0 ? 'call' : 'nothing'}>
        {option ? <Proposed row={row} option={option} timeZone={timeZone} /> : <Otherwise row={row} timeZone={timeZone} choice={choice} />}
        <ActionMenu label={t('others', { name: row.visit.customer.name })} labelHidden icon="chevron-down" actions={actions} />
      </div>
    </li>
  )
}
