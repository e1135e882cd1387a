// Whose hands and skin a close-up shows: any of six skins, the other person's of another, so that both are seen.
import { papers as box, blend } from './papers.ts'
import { pickIndex, type Random } from './random.ts'
import { contrast, lightness, type RoomPapers } from './room-papers.ts'

/** The papers of people, by the names the sheets use. */
export type SkinPapers = Record<
  | 'tone'
  | 'crease'
  | 'nail'
  | 'lid'
  | 'lip'
  | 'hair'
  | 'tattooInk'
  | 'otherTone'
  | 'otherCrease'
  | 'otherNail'
  | 'gloveTone'
  | 'gloveCrease'
  | 'gloveNail',
  string
>

const tones = ['#F0CDB4', '#D9A37E', '#A86F4C', '#7A4B34', '#E6B793', '#5E3A2A'] as const
const hairColours: readonly string[] = [box.ink, '#5A3424', '#8E4A2A', '#C58A45']
const lips: readonly string[] = [box.brick, box.wine, box.plum, box.clay, box.rose]

function creaseOf(tone: string): string {
  const deep = lightness(tone) < 0.12
  return blend(tone, deep ? box.ivory : box.ink, deep ? 0.22 : 0.24)
}

function pickOr(random: Random, items: readonly string[], instead: string): string {
  return items[Math.floor(random() * items.length)] ?? instead
}

/** Hair seen against the wall and the hand that holds it, or a brow seen on its skin. */
function hairSeen(ofHair: boolean, wall: string, tone: string, other: string): string[] {
  if (ofHair) return hairColours.filter((hair) => contrast(hair, other) > 1.9 && contrast(hair, wall) > 1.5)
  return hairColours.filter((hair) => contrast(hair, tone) > (lightness(tone) < 0.2 ? 1.6 : 2.4) && lightness(hair) < 0.12)
}

export function skinPapers(random: Random, wall: string, ofHair: boolean): SkinPapers {
  const index = pickIndex(random, tones.length)
  const tone = tones[index] ?? tones[0]
  const others = tones.filter((known) => contrast(known, tone) > 1.5)
  const other = pickOr(random, others, tones[(index + 3) % tones.length] ?? tones[3])
  const glove = contrast(box.sky, tone) > 1.4 ? box.sky : box.teal
  return {
    tone,
    crease: creaseOf(tone),
    nail: blend(tone, box.ivory, 0.4),
    lid: blend(tone, box.ivory, 0.16),
    otherTone: other,
    otherCrease: creaseOf(other),
    otherNail: blend(other, box.ivory, 0.4),
    gloveTone: glove,
    gloveCrease: blend(glove, box.ink, 0.26),
    gloveNail: blend(glove, box.ivory, 0.4),
    tattooInk: lightness(tone) < 0.1 ? '#140A0D' : box.ink,
    hair: pickOr(random, hairSeen(ofHair, wall, tone, other), box.ink),
    lip: pickOr(
      random,
      lips.filter((lip) => contrast(lip, tone) > 1.75),
      box.rose,
    ),
  }
}

/** A wall the skin would vanish on is cut from another paper. */
export function wallBehind(papers: RoomPapers, tone: string): RoomPapers {
  if (contrast(papers.wall, tone) >= 1.17) return papers
  const wall = blend(papers.wall, papers.main, 0.3)
  return { ...papers, wall, wallShade: blend(wall, papers.light, 0.3) }
}
