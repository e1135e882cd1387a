// How proposals were answered: what waits for somebody first.
import type { Rearrangement } from '@soigne/contract/rearranging'
import { telAddress } from '#/platform/phone.ts'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { useProposalTexts } from './proposal-row.tsx'
import { useChange } from './use-rearranging.ts'
import styles from './rearranging.module.css'

function AnswerRow({ one, timeZone }: { one: Rearrangement; timeZone: string }) {
  const { t, when, names } = useProposalTexts(timeZone)
  const change = useChange(one._id)
  const { state, visit, before, proposed, until } = one
  const isOpen = state === 'sent' || state === 'no_answer' || state === 'by_phone'
  const { phone } = visit.customer
  return (
    <li className={styles.answer}>
      <div className={styles.grow}>
        <p className="strong">
          <bdi>{visit.customer.name}</bdi>
        </p>
        <p className="small muted">
          {t('at', when(before.startsAt))}
          {proposed && ` → ${t('optionLabel', { ...when(proposed.startsAt), names: names(proposed) })}`}
        </p>
        {one.note && <p className="small muted">{t('noteOf', { note: one.note })}</p>}
      </div>
      <p className={styles.state} data-state={state}>
        {t(`states.${state}`)}
        {until && <span className="small muted">{t('keptUntil', when(until))}</span>}
      </p>
      {isOpen && phone && (
        <a className={buttonClass({ variant: 'outline', size: 'small' })} href={telAddress(phone)}>
          <Icon name="phone" size={18} />
          {t('call')}
        </a>
      )}
      {isOpen && (
        <ActionMenu
          label={t('do', { name: visit.customer.name })}
          labelHidden
          icon="more"
          actions={[
            ...(state === 'sent' ? [{ id: 'agreed', label: t('agreed'), onAction: () => change.mutate('agreed') }] : []),
            ...(state === 'by_phone' ? [] : [{ id: 'call', label: t('row.call'), onAction: () => change.mutate('call') }]),
            { id: 'settled', label: t('settled'), onAction: () => change.mutate('settled') },
          ]}
        />
      )}
    </li>
  )
}

export function AnswerList({ items, timeZone }: { items: readonly Rearrangement[]; timeZone: string }) {
  return (
    <ul className={styles.list}>
      {items.map((one) => (
        <AnswerRow key={one._id} one={one} timeZone={timeZone} />
      ))}
    </ul>
  )
}
