// The found institutes as a list, dimmed while another answer is on its way.
import type { InstituteCard } from '@soigne/contract/institutes'
import { Fragment, useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { coversOf, onSheets } from './card-cover.ts'
import { InstituteRow } from './institute-row.tsx'
import styles from './results-list.module.css'

export type ResultsListProps = {
  cards: readonly InstituteCard[]
  now: number
  pending: boolean
  highlighted: string | null
  onPoint: (id: string | null) => void
  heartOf?: (card: InstituteCard) => ReactNode
}

/** Covers seen without scrolling. */
const eagerRows = 2

/** Tells which row the mouse or the focus is in, so that its pin can answer. */
function usePointedRow(onPoint: (id: string | null) => void) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const element = list.current
    function enter({ target }: Event) {
      const row = target instanceof Element ? target.closest('[data-institute]') : null
      onPoint(row?.getAttribute('data-institute') ?? null)
    }
    const leave = () => onPoint(null)
    element?.addEventListener('pointerover', enter)
    element?.addEventListener('focusin', enter)
    element?.addEventListener('pointerleave', leave)
    element?.addEventListener('focusout', leave)
    return () => {
      element?.removeEventListener('pointerover', enter)
      element?.removeEventListener('focusin', enter)
      element?.removeEventListener('pointerleave', leave)
      element?.removeEventListener('focusout', leave)
    }
  }, [onPoint])
  return list
}

export function ResultsList({ cards, now, pending, highlighted, onPoint, heartOf }: ResultsListProps) {
  const { t } = useTranslation('institutes')
  const covers = onSheets(coversOf(cards, 1), 4)
  const list = usePointedRow(onPoint)
  return (
    <ul
      ref={list}
      aria-label={t('page.list')}
      aria-busy={pending || undefined}
      className={classNames(styles.list, pending && styles.pending)}
    >
      {cards.map((card, index) => {
        const cover = covers[index]
        return (
          <li key={card._id} data-institute={card._id}>
            {cover && (
              <InstituteRow
                card={card}
                cover={cover}
                now={now}
                eager={index < eagerRows}
                highlighted={card._id === highlighted}
                heart={heartOf?.(card)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

const sources = [
  { name: '© OpenStreetMap contributors', licence: 'ODbL 1.0', url: 'https://www.openstreetmap.org/copyright' },
  { name: 'Overture Maps Foundation', licence: 'CDLA Permissive 2.0', url: 'https://docs.overturemaps.org/attribution/' },
  { name: 'INSEE, base SIRENE; tif.hair', licence: 'Licence Ouverte 2.0', url: 'https://www.sirene.fr/' },
  { name: 'Ville de Paris', licence: 'ODbL 1.0', url: 'https://opendata.paris.fr/' },
]

/** Below a list with places known from open data: whose data it is. Each place names its own source on its page. */
export function OpenDataNote({ cards }: { cards: readonly Pick<InstituteCard, 'claimed'>[] }) {
  const { t } = useTranslation('institutes')
  if (cards.every(({ claimed }) => claimed)) return null
  return (
    <p className={`fine muted ${styles.note}`}>
      {t('openData')}{' '}
      {sources.map(({ name, licence, url }, index) => (
        <Fragment key={name}>
          {index > 0 && ' · '}
          <a href={url} target="_blank" rel="noreferrer">
            <bdi>{name}</bdi>
          </a>{' '}
          (<bdi>{licence}</bdi>)
        </Fragment>
      ))}
    </p>
  )
}
