import { describe, expect, it } from 'vitest'
import { handwork, interior } from './interior.ts'
import { palettes, type CoverCategory } from './palettes.ts'
import { papers as box } from './papers.ts'
import { randomFrom } from './random.ts'
import { contrast, otherWall, roomPapers } from './room-papers.ts'
import { colourOf, titlesOf } from './sheets.ts'
import { skinPapers, wallBehind } from './skins.ts'

const categories = Object.keys(palettes) as CoverCategory[]
const seeds = Array.from({ length: 12 }, (_, index) => `institute-${index}`)
const houses = categories.flatMap((category) => ([0, 1, 2] as const).map((palette) => [category, palette] as const))

/** The picture without its colours, mirroring aside: what is drawn, not what it is cut from. */
const outlineOf = (svg: string | undefined) => [...(svg ?? '').matchAll(/ d="([^"]+)"/g)].map(([, path]) => path).join(' ')

function isPicture(svg: string | undefined): boolean {
  if (svg === undefined || /NaN|undefined|mix\(|if\(|<title|<text/.test(svg)) return false
  const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour ?? '')
  const parsed = new DOMParser().parseFromString(svg, 'application/xml')
  return parsed.querySelector('parsererror') === null && colours.every((colour) => /^(?:#[\da-f]{6}|none)$/i.test(colour))
}

describe('rooms and work', () => {
  it('are four and two for each of the fourteen trades, no two alike, and say what they show', () => {
    const drawn = categories.flatMap((category) => [
      ...[0, 1, 2, 3].map((index) => outlineOf(interior({ category, seed: 'a', index }))),
      ...[0, 1].map((index) => outlineOf(handwork({ category, seed: 'a', index }))),
    ])
    expect(drawn).toHaveLength(84)
    expect(new Set(drawn).size).toBe(84)
    const titles = categories.flatMap((category) => Object.values(titlesOf(category)))
    expect(new Set(titles).size).toBe(84)
  })

  it.each(categories)('of %s are whole pictures of at most 8 kB for twelve institutes', (category) => {
    for (const seed of seeds) {
      const pictures = [
        ...[0, 1, 2, 3].map((index) => interior({ category, seed, index })),
        ...[0, 1].map((index) => handwork({ category, seed, index })),
      ]
      for (const picture of pictures) {
        expect(isPicture(picture)).toBe(true)
        expect(picture?.length).toBeLessThan(8000)
      }
    }
  })

  it('are the same for the same institute; another has other papers, hands or side', () => {
    const one = handwork({ category: 'nails', seed: 'atelier', index: 0 })
    expect(handwork({ category: 'nails', seed: 'atelier', index: 0 })).toBe(one)
    expect(new Set(seeds.map((seed) => handwork({ category: 'nails', seed, index: 0 }))).size).toBeGreaterThan(8)
    expect(new Set(seeds.map((seed) => interior({ category: 'hair', seed, index: 0 }))).size).toBeGreaterThan(3)
  })

  it('end after the last', () => {
    expect(interior({ category: 'hair', seed: 'a', index: 4 })).toBeUndefined()
    expect(handwork({ category: 'hair', seed: 'a', index: 2 })).toBeUndefined()
  })
})

describe('the papers of a room', () => {
  it.each(houses)('%s, palette %i: furniture stands out from each of the four walls', (category, palette) => {
    for (const room of [0, 1, 2, 3]) {
      const papers = otherWall(roomPapers(category, palette), room)
      expect(contrast(papers.main, papers.wall)).toBeGreaterThan(1.1)
      expect(contrast(papers.dark, papers.wall)).toBeGreaterThan(2)
      expect(papers.floor).not.toBe(papers.wall)
    }
  })

  it('of one house share what furniture is cut from', () => {
    const first = roomPapers('massage', 0)
    for (const room of [1, 2, 3]) expect(otherWall(first, room)).toMatchObject({ main: first.main, light: first.light, dark: first.dark })
  })
})

describe('skins', () => {
  it('of client and professional differ, and the wall is not of the skin', () => {
    for (const seed of seeds) {
      const skin = skinPapers(randomFrom(seed), box.sand, false)
      expect(contrast(skin.tone, skin.otherTone)).toBeGreaterThan(1.5)
      const papers = wallBehind({ ...roomPapers('body', 1), wall: skin.tone }, skin.tone)
      expect(papers.wall).not.toBe(skin.tone)
    }
  })
})

describe('a colour of a sheet', () => {
  const papers = { main: '#000000', light: '#ffffff', second: '#ffffff' }

  it('is a paper of the room, one of the box, or one on the way between two', () => {
    expect(colourOf('main', papers)).toBe('#000000')
    expect(colourOf('teal', papers)).toBe(box.teal)
    expect(colourOf('mix(main,light,.5)', papers)).toBe('#808080')
    expect(colourOf('mix(main,mix(main,light,.5),.5)', papers)).toBe('#404040')
  })

  it('changes where it would vanish', () => {
    expect(colourOf('if(second,light,main,second)', papers)).toBe('#000000')
    expect(colourOf('if(main,light,second,mix(main,light,.5))', papers)).toBe('#808080')
  })

  it('is refused when nobody knows it', () => {
    expect(() => colourOf('mauvish', papers)).toThrow('no paper is called mauvish')
    expect(() => colourOf('toString', papers)).toThrow()
  })
})
