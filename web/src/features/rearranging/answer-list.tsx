// How proposals were answered: what waits for somebody first.
import type { Rearrangement } from '@soigne/contract/rearranging'
import { failureText } from '#/platform/api-error.ts'
import { telAddress } from '#/platform/phone.ts'
import { parseInstant } from '#/platform/time.ts'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { Popover } from '#/kit/popover.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import { RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useProposalTexts } from './proposal-row.tsx'
import { useChange, useProposals } from './use-rearranging.ts'
import styles from './rearranging.module.css'

/** Whoever did not answer in time, or was to be called, is asked once more: another time that fits now is kept for them. */
function Again({ one, timeZone, onDone }: { one: Rearrangement; timeZone: string; onDone: () => void }) {
  const { t, when, names } = useProposalTexts(timeZone)
  const change = useChange(one._id)
  const { data, error } = useProposals({ visit: one.visit._id })
  if (error) return <p className="small">{failureText(error)}</p>
  if (!data) return <RowSkeleton />
  const [row] = data.items
  const options = row?.options ?? []
  if (options.length === 0) return <p className="small muted">{t('row.nothingText')}</p>
  return (
    <ul className={styles.again}>
      {options.map(({ startsAt, staff }) => (
        <li key={`${startsAt} ${staff.map(({ staffId }) => staffId).join(' ')}`}>
          <Button
            variant="outline"
            size="small"
            wide
            disabled={change.isPending}
            onClick={() =>
              change.mutate(
                { how: 'propose', startsAt, staff: staff.map(({ staffId }) => staffId) },
                {
                  onSuccess() {
                    showToast({ type: 'success', title: t('sent', { count: 1 }) })
                    onDone()
                  },
                },
              )
            }
          >
            {t('optionLabel', { ...when(startsAt), names: names({ staff }) })}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function AnswerRow({ one, timeZone, now }: { one: Rearrangement; timeZone: string; now: string }) {
  const { t, when, spelledWhen, names } = useProposalTexts(timeZone)
  const change = useChange(one._id)
  const { state, visit, before, proposed, until } = one
  const isOpen = state === 'sent' || state === 'no_answer' || state === 'by_phone'
  const { phone, hasAccount } = visit.customer
  const was = t('at', when(before.startsAt))
  // A visit whose hour has come is settled by phone, and one without an account cannot answer.
  const mayAskAgain = (state === 'no_answer' || state === 'by_phone') && hasAccount && parseInstant(before.startsAt) > parseInstant(now)
  return (
    <li className={styles.answer}>
      <div className={styles.grow}>
        <p className="strong">
          <bdi>{visit.customer.name}</bdi>
        </p>
        <p className="small muted">
          {proposed ? t('instead', { was, instead: t('optionLabel', { ...when(proposed.startsAt), names: names(proposed) }) }) : was}
        </p>
        {one.note && <p className="small muted">{t('noteOf', { note: one.note })}</p>}
      </div>
      <p className={styles.state} data-state={state}>
        {t(`states.${state}`)}
        {until && <span className="small muted">{t('keptUntil', spelledWhen(until))}</span>}
      </p>
      {mayAskAgain && <Popover label={t('again')}>{(close) => <Again one={one} timeZone={timeZone} onDone={close} />}</Popover>}
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
            ...(state === 'sent' ? [{ id: 'agreed', label: t('agreed'), onAction: () => change.mutate({ how: 'agreed' }) }] : []),
            ...(state === 'by_phone' ? [] : [{ id: 'call', label: t('row.call'), onAction: () => change.mutate({ how: 'call' }) }]),
            { id: 'settled', label: t('settled'), onAction: () => change.mutate({ how: 'settled' }) },
          ]}
        />
      )}
    </li>
  )
}

export function AnswerList({ items, timeZone, now }: { items: readonly Rearrangement[]; timeZone: string; now: string }) {
  return (
    <ul className={styles.list}>
      {items.map((one) => (
        <AnswerRow key={one._id} one={one} timeZone={timeZone} now={now} />
      ))}
    </ul>
  )
}
