// A calm cut-paper portrait for a person without a picture. It resembles nobody on purpose.
import { dressHair, type HairStyleName } from './hair-styles.ts'
import { blend, papers as box } from './papers.ts'
import { pickFrom, randomFrom } from './random.ts'
import { flat, stroke } from './shapes.ts'
import { svgDocument } from './svg-document.ts'

type Skin = { colour: string; line: string }

const skins: readonly [Skin, ...Skin[]] = [
  { colour: '#F0CDB4', line: box.ink },
  { colour: '#D9A37E', line: box.ink },
  { colour: '#A86F4C', line: box.ink },
  { colour: '#7A4B34', line: '#F7DFCB' },
  { colour: '#E6B793', line: box.ink },
  { colour: '#5E3A2A', line: '#F7DFCB' },
]

const hairColours = ['#2A1D26', '#5A3424', '#8E4A2A', '#C58A45', '#3A2A2A'] as const
const walls = [box.blush, box.sage, box.butter, box.lilac, box.sky, box.sand, box.shell] as const
const tops = [box.plum, box.forest, box.clay, box.teal, box.ink, box.ivory, box.brick] as const
const scarves = [box.mauve, box.clay, box.teal, box.ochre] as const

export type FaceRequest = { seed: string; style: HairStyleName }

export function face({ seed, style }: FaceRequest): string {
  const random = randomFrom(`face ${seed}`)
  const skin = pickFrom(random, skins)
  const hair = pickFrom(random, hairColours)
  const wall = pickFrom(random, walls)
  const top = pickFrom(random, tops)
  const scarf = pickFrom(random, scarves)
  const dressed = dressHair(style, hair, scarf, skin.line)
  const features = stroke('M39.5 47.5q3.5 2.6 7 0M53.5 47.5q3.5 2.6 7 0M45.5 59q4.5 3.2 9 0', skin.line, 1.5, 0.78)
  return svgDocument(
    100,
    100,
    `<rect width="100" height="100" fill="${wall}"/>` +
      (dressed.behind ?? '') +
      flat('M12 104c0-20 16-28 38-28s38 8 38 28z', top) +
      flat('M42 60h16v16c0 6-16 6-16 0z', blend(skin.colour, box.ink, 0.14)) +
      `<ellipse cx="50" cy="48" rx="17.5" ry="21" fill="${skin.colour}"/>` +
      features +
      (dressed.front ?? '') +
      (dressed.over ?? ''),
  )
}
