// Cards that are kept for fees; one goes when nothing needs it any more. Nothing for who has none.
import type { SavedCard } from '@soigne/contract/fees'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { ownZone, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { paymentKeys } from '#/payment-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { showToast } from '#/ui/toasts.ts'
import { useKeptFocus } from '#/ui/use-kept-focus.ts'
import styles from './settings.module.css'

function CardRow({ card }: { card: SavedCard }) {
  const { t } = useTranslation('fees')
  const times = useTimes()
  const queries = useQueryClient()
  const name = t('cards.name', { brand: card.brand, digits: card.lastFour })
  const remove = useMutation({
    mutationFn: () => dashboardApi.removeCard({ params: { id: card._id } }),
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: paymentKeys.cards }),
  })
  async function ask() {
    if (await askConfirm({ title: t('cards.confirm'), message: name })) remove.mutate()
  }
  return (
    <li>
      <div className={styles.what}>
        <span className={styles.mark}>
          <Icon name="lock" size={22} />
        </span>
        <div>
          <p className="strong">
            <bdi>{name}</bdi>
          </p>
          <p className="small muted">
            {card.needed ? t('cards.needed') : t('cards.kept', { day: times.dayOfInstant(card.keptAt, ownZone(), 'date') })}
          </p>
        </div>
      </div>
      {!card.needed && (
        <Button variant="text" loading={remove.isPending} onClick={() => void ask()} aria-label={t('cards.removeNamed', { name })}>
          {t('cards.remove')}
        </Button>
      )}
    </li>
  )
}

/** `part`: how the page sets a part of it. */
export function CardsPart({ part }: { part: (title: string, text: string, content: ReactNode) => ReactNode }) {
  const { t } = useTranslation('fees')
  const list = useKeptFocus()
  const { data } = useQuery({
    queryKey: paymentKeys.cards,
    queryFn: ({ signal }) => dashboardApi.savedCards({}, { signal }),
    retry: false,
  })
  if (!data || data.items.length === 0) return null
  return part(
    t('cards.title'),
    t('cards.text'),
    <ul ref={list} className={styles.rows} aria-label={t('cards.title')}>
      {data.items.map((card) => (
        <CardRow key={card._id} card={card} />
      ))}
    </ul>,
  )
}
