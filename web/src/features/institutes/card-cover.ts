// What a card shows as its picture: a real one, or the cut paper its address names.
import type { InstituteCard } from '@soigne/contract/institutes'
import { coverSheet } from '#/theme/art/art-address.ts'
import { apartFromNeighbours } from '#/theme/art/cover-variant.ts'

export type CardCover = { category: string; seed: string; photoUrl?: string; artUrl?: string }

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

/** So many drawings come in one file: one request instead of each its own, and what is far down is still not asked for. */
export function onSheets(covers: readonly CardCover[], each: number): CardCover[] {
  const drawn = covers.filter(({ photoUrl }) => photoUrl === undefined)
  const addresses = new Map<CardCover, string | undefined>()
  for (let at = 0; at < drawn.length; at += each) {
    const sheet = drawn.slice(at, at + each)
    const ofSheet = coverSheet(sheet, 'landscape')
    for (const [index, cover] of sheet.entries()) addresses.set(cover, ofSheet[index])
  }
  return covers.map((cover) => {
    const artUrl = addresses.get(cover)
    return artUrl === undefined ? cover : { ...cover, artUrl }
  })
}
