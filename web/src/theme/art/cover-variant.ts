// Which of the three palettes and which motif a cover gets, known without drawing it, and a way to keep
// neighbours apart. The browser may use it: it holds no drawings.
import { pickIndex, randomFrom } from './random.ts'

export type CoverKey = { category: string; seed: string }

const severalMotifs: Readonly<Record<string, number>> = { hair: 4, nails: 4, massage: 4 }

export function motifCount(category: string): number {
  return severalMotifs[category] ?? 1
}

export type CoverVariant = { palette: 0 | 1 | 2; motif: number }

export function coverVariant({ category, seed }: CoverKey): CoverVariant {
  const palette = pickIndex(randomFrom(`palette ${category} ${seed}`), 3) as 0 | 1 | 2
  return { palette, motif: pickIndex(randomFrom(`motif ${category} ${seed}`), motifCount(category)) }
}

function clash(one: CoverKey, other: CoverKey): boolean {
  if (one.category !== other.category) return false
  const [a, b] = [coverVariant(one), coverVariant(other)]
  return a.palette === b.palette || (motifCount(one.category) > 1 && a.motif === b.motif)
}

const attempts = 40

/** The covers with some seeds changed, so that none looks like the one before it or, in columns, above it. */
export function apartFromNeighbours<Key extends CoverKey>(covers: readonly Key[], columns = 1): Key[] {
  const placed: Key[] = []
  for (const cover of covers) {
    const neighbours = [placed.at(-1), columns > 1 ? placed.at(-columns) : undefined]
    const fits = (key: CoverKey) => neighbours.every((neighbour) => !neighbour || !clash(key, neighbour))
    let chosen = cover
    for (let attempt = 1; attempt <= attempts && !fits(chosen); attempt += 1) {
      chosen = { ...cover, seed: `${cover.seed}~${attempt}` }
    }
    placed.push(chosen)
  }
  return placed
}
