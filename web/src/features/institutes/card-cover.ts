// What a card shows as its picture: a real one, or the cut paper its address names.
import type { InstituteCard } from '@soigne/contract/institutes'
import { apartFromNeighbours } from '#/theme/art/cover-variant.ts'

export type CardCover = { category: string; seed: string; photoUrl?: string }

const artPattern = /^\/art\/cover\/([^/?]+)\/([^/?]+)\.svg/

export function coverOf(card: Pick<InstituteCard, '_id' | 'categories' | 'coverUrl'>): CardCover {
  const [, category, seed] = artPattern.exec(card.coverUrl) ?? []
  if (category && seed) return { category: decodeURIComponent(category), seed: decodeURIComponent(seed) }
  return { category: card.categories[0] ?? 'hair', seed: card._id, photoUrl: card.coverUrl }
}

/** The cover of the followed card grows into the picture that leads the institute's page, where browsers can. */
export function growCover({ currentTarget }: { currentTarget: Element }): void {
  currentTarget.closest('article')?.querySelector('img')?.style.setProperty('view-transition-name', 'cover')
}

/** The covers of a list in its order; two that stand together never look alike. */
export function coversOf(cards: readonly InstituteCard[], columns: number): CardCover[] {
  return apartFromNeighbours(cards.map(coverOf), columns)
}
