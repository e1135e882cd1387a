// A motif is drawn around 0,0 within about 115 units to each side, from the papers it is given.
import type { Papers } from '#/theme/art/papers.ts'
import type { Random } from '#/theme/art/random.ts'

export type Motif = (random: Random, papers: Papers) => string

/** A paper that would vanish on the ground is changed for another. */
export function visible(paper: string, ground: string, instead: string): string {
  return paper === ground ? instead : paper
}
