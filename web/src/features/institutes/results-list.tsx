// The found institutes as a list, dimmed while another answer is on its way.
import type { InstituteCard } from '@soigne/contract/institutes'
import { useTranslation } from 'react-i18next'
import { classNames } from '#/ui/class-names.ts'
import { coversOf } from './card-cover.ts'
import { InstituteRow } from './institute-row.tsx'
import styles from './results-list.module.css'

export type ResultsListProps = {
  cards: readonly InstituteCard[]
  now: number
  pending: boolean
  highlighted: string | null
  onPoint: (id: string | null) => void
}

/** Covers seen without scrolling. */
const eagerRows = 2

export function ResultsList({ cards, now, pending, highlighted, onPoint }: ResultsListProps) {
  const { t } = useTranslation('institutes')
  const covers = coversOf(cards, 1)
  return (
    <ul aria-label={t('page.list')} aria-busy={pending || undefined} className={classNames(styles.list, pending && styles.pending)}>
      {cards.map((card, index) => {
        const cover = covers[index]
        return (
          <li key={card._id}>
            {cover && (
              <InstituteRow
                card={card}
                cover={cover}
                now={now}
                eager={index < eagerRows}
                highlighted={card._id === highlighted}
                onPoint={onPoint}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
