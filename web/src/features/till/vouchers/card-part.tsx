// Gift cards as a way of paying: found by their code, or by whoever bought them.
import type { GiftCard } from '@soigne/contract/vouchers'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { TillProps } from '#/features/till/use-till.ts'
import styles from '#/features/till/till.module.css'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { useOwnCards } from './use-vouchers.ts'

/** What each card pays, and what stays on it. */
export function UsedCards({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const text = (amount: number) => money({ amount, currency: data.currency }, true)
  const { cards, pays, setPays } = till
  return cards.map(({ card, amount }) => (
    <p key={card._id}>
      <span className={styles.usedCard}>
        <IconButton
          icon="close"
          iconSize={16}
          label={t('giftCard.remove', { ending: card.ending })}
          onClick={() => setPays({ ...pays, cards: pays.cards.filter(({ _id }) => _id !== card._id) })}
        />
        <span>
          {t('giftCard.named', { ending: card.ending })}
          <span className="small muted">{t('giftCard.stays', { amount: text(card.left - amount) })}</span>
        </span>
      </span>
      <bdi>{text(-amount)}</bdi>
    </p>
  ))
}

/** Why a card cannot be used; null where it can. */
const wrongWith = (card: GiftCard | undefined): 'unknown' | 'expired' | 'empty' | null => {
  if (!card) return 'unknown'
  if (card.state === 'valid') return null
  return card.state === 'expired' ? 'expired' : 'empty'
}

function FindCard({ till, onFound }: Pick<TillProps, 'till'> & { onFound: (card: GiftCard) => void }) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const [code, setCode] = useState('')
  const own = useOwnCards(till.clientId).filter(({ _id }) => !till.pays.cards.some((one) => one._id === _id))
  const find = useMutation({
    mutationFn: () => dashboardApi.giftCards({ query: { code: code.trim() } }),
    onSuccess: ({ items: [card] }) => {
      if (card && wrongWith(card) === null) onFound(card)
    },
  })
  const wrong = find.data ? wrongWith(find.data.items[0]) : null
  const error = find.error ? failureText(find.error) : wrong && t(`giftCard.wrong.${wrong}`)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() !== '' && !find.isPending) find.mutate()
  }
  return (
    <form className={styles.split} onSubmit={submit}>
      {own.length > 0 && (
        <ul>
          {own.map((card) => (
            <li key={card._id}>
              <button type="button" className={styles.found} onClick={() => onFound(card)}>
                <span>{t('giftCard.named', { ending: card.ending })}</span>
                <bdi className="strong">{money(card.left, true)}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label={t('giftCard.code')}
        value={code}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        autoFocus
        onChange={({ target }) => {
          find.reset()
          setCode(target.value)
        }}
        {...(error && { error })}
      />
      <Button type="submit" size="small" variant="soft" disabled={code.trim() === ''} loading={find.isPending}>
        {t('giftCard.use')}
      </Button>
    </form>
  )
}

export function CardPart({ till }: TillProps) {
  const { t } = useTranslation('till')
  const [isOpen, setOpen] = useState(false)
  const { pays, setPays } = till
  if (till.due <= 0) return null
  function use({ _id, ending, left }: GiftCard) {
    setOpen(false)
    if (pays.cards.some((one) => one._id === _id)) return
    setPays({ ...pays, cards: [...pays.cards, { _id, ending, left: left.amount }], split: null, given: null })
  }
  return (
    <>
      <Button variant="text" size="small" icon="plus" className={styles.splitter} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('giftCard.pay')}
      </Button>
      {isOpen && <FindCard till={till} onFound={use} />}
    </>
  )
}
