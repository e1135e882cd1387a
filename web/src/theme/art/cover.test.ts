import { describe, expect, it } from 'vitest'
import { apartFromNeighbours, coverVariant, motifCount } from './cover-variant.ts'
import { cover } from './cover.ts'
import { motifs } from './motifs/by-category.ts'
import { palettes, papersOf, type CoverCategory } from './palettes.ts'
import { papers } from './papers.ts'

const categories = Object.keys(palettes) as CoverCategory[]
const seeds = Array.from({ length: 50 }, (_, index) => `institute-${index}`)

function parses(svg: string): boolean {
  const document = new DOMParser().parseFromString(svg, 'application/xml')
  return document.querySelector('parsererror') === null && document.documentElement.tagName === 'svg'
}

describe('covers', () => {
  it('exist for all fourteen categories', () => {
    expect(categories).toHaveLength(14)
  })

  it.each(categories)('of %s are valid files without text or missing numbers for fifty salons', (category) => {
    for (const seed of seeds) {
      const svg = cover({ category, seed })
      expect(parses(svg)).toBe(true)
      expect(svg).not.toMatch(/NaN|undefined|Infinity|<text/)
      expect(svg.length).toBeLessThan(16_000)
    }
  })

  it('are the same for the same salon and differ between salons', () => {
    const one = cover({ category: 'nails', seed: 'atelier' })
    expect(cover({ category: 'nails', seed: 'atelier' })).toBe(one)
    expect(new Set(seeds.map((seed) => cover({ category: 'nails', seed }))).size).toBe(seeds.length)
  })

  it.each(categories)('of %s use each of their three palettes over many salons', (category) => {
    expect(new Set(seeds.map((seed) => coverVariant({ category, seed }).palette)).size).toBe(3)
  })

  it('draw every motif of hair, nails and massage', () => {
    for (const category of ['hair', 'nails', 'massage'] as const) {
      expect(motifs[category]).toHaveLength(4)
      expect(new Set(seeds.map((seed) => coverVariant({ category, seed }).motif)).size).toBe(4)
    }
  })

  it('agree with the drawings about how many motifs a category has', () => {
    for (const category of categories) expect(motifCount(category)).toBe(motifs[category].length)
  })

  it("never cut the motif's main paper from the ground's", () => {
    for (const category of categories) {
      for (const index of [0, 1, 2] as const) {
        const { ground, main, second } = papersOf(category, index)
        expect(main).not.toBe(ground)
        expect(second).not.toBe(ground)
      }
    }
  })

  it('lie on one of the twenty papers', () => {
    const box = new Set<string>(Object.values(papers))
    expect(box.size).toBe(20)
    for (const seed of seeds) {
      const ground = /<rect width="\d+" height="\d+" fill="(#\w+)"/.exec(cover({ category: 'hair', seed }))?.[1]
      expect(box.has(ground ?? '')).toBe(true)
    }
  })
})

describe('neighbours', () => {
  const list = seeds.map((seed) => ({ category: 'massage', seed }))

  it('in a row never share a palette or a motif', () => {
    const apart = apartFromNeighbours(list).map(coverVariant)
    for (const [index, variant] of apart.slice(1).entries()) {
      expect(variant.palette).not.toBe(apart[index]?.palette)
      expect(variant.motif).not.toBe(apart[index]?.motif)
    }
  })

  it('in a grid of four differ from the one above as well', () => {
    const apart = apartFromNeighbours(list, 4).map(coverVariant)
    for (const [index, variant] of apart.entries()) {
      const above = apart[index - 4]
      if (above) expect(variant.palette).not.toBe(above.palette)
    }
  })

  it('keep their seed when they differ already', () => {
    const mixed = [
      { category: 'hair', seed: 'a' },
      { category: 'nails', seed: 'a' },
    ]
    expect(apartFromNeighbours(mixed)).toEqual(mixed)
  })
})
