// The rooms of an institute and its work seen close, each trade with its own; the papers are those of its cover.
import { coverVariant } from './cover-variant.ts'
import type { CoverCategory } from './palettes.ts'
import { pickIndex, randomFrom, type Random } from './random.ts'
import { otherWall, roomPapers, type RoomPapers } from './room-papers.ts'
import { arch, blob, cut, dot } from './shapes.ts'
import { cutFrom } from './sheets.ts'
import { skinPapers, wallBehind } from './skins.ts'
import { svgDocument } from './svg-document.ts'

/** The index says which of its rooms or works, from 0. */
export type InteriorRequest = { category: CoverCategory; seed: string; index: number }

/** A sheet is laid a little larger than it is shown, and mirrored for some. */
function sheet(drawn: string, mirrored: boolean): string {
  const scale = 1.06
  const place = `translate(200 150) scale(${mirrored ? -scale : scale} ${scale}) translate(-200 -152)`
  return svgDocument(400, 300, `<g stroke-linecap="round" stroke-linejoin="round" transform="${place}">${drawn}</g>`)
}

export function interior({ category, seed, index }: InteriorRequest): string | undefined {
  const papers = otherWall(roomPapers(category, coverVariant({ category, seed }).palette), index)
  const drawn = cutFrom(category, `room-${index}`, papers)
  return drawn && sheet(drawn, randomFrom(`room ${category} ${index} ${seed}`)() > 0.5)
}

/** A wall with one quiet shape on it. */
function behind(random: Random, { wall, wallShade }: RoomPapers): string {
  const ground = `<path d="M-400-400H800V800H-400z" fill="${wall}"/>`
  const shapes = [
    () => cut(blob(random, { x: 150, y: 190, width: 250, height: 170, wobble: 0.14 }), wallShade),
    () => cut(arch(60, 26, 280, 400), wallShade),
    () => cut('M-400 210C-100 120 120 260 300 170S600 120 800 190V800H-400z', wallShade),
  ]
  return ground + (shapes[pickIndex(random, 4)]?.() ?? dot(210, 140, 126, wallShade))
}

export function handwork({ category, seed, index }: InteriorRequest): string | undefined {
  const random = randomFrom(`work ${category} ${index} ${seed}`)
  const mirrored = random() > 0.5
  const papers = roomPapers(category, coverVariant({ category, seed }).palette)
  const skin = skinPapers(random, papers.wall, category === 'hair')
  const all = wallBehind(papers, skin.tone)
  const drawn = cutFrom(category, `work-${index}`, { ...all, ...skin })
  return drawn && sheet(behind(random, all) + drawn, mirrored)
}
