// The papers of a room: the six of the cover, given work to do. The four rooms of one house share them, each has its wall.
import { palettes, type CoverCategory } from './palettes.ts'
import { blend, papers as box } from './papers.ts'

/** Each value is a colour, named by its work. */
export type RoomPapers = {
  wall: string
  wallShade: string
  light: string
  dark: string
  main: string
  second: string
  accent: string
  leaf: string
  floor: string
  floorShade: string
  glow: string
  glass: string
}

function channels(colour: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** Relative luminance, 0 to 1. */
export function lightness(colour: string): number {
  const linear = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const [red, green, blue] = channels(colour)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

export function contrast(one: string, other: string): number {
  const [a, b] = [lightness(one), lightness(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const byLightness = (one: string, other: string) => lightness(one) - lightness(other)

/** A wall that is neither dark nor of the colour of what stands before it, and the light paper that goes with it. */
function wallAndLight(ground: string, rest: readonly string[]): { wall: string; light: string } {
  const lightest = [ground, ...rest].toSorted(byLightness).at(-1) ?? box.ivory
  const light = lightness(lightest) < 0.6 ? box.ivory : lightest
  const pale = rest.filter((paper) => lightness(paper) > 0.35 && paper !== light).toSorted(byLightness)
  const wall = lightness(ground) < 0.3 ? (pale[0] ?? box.sand) : ground
  if (contrast(wall, light) >= 1.3) return { wall, light }
  const tint = rest.find((paper) => lightness(paper) < 0.6 && lightness(paper) > 0.08) ?? box.clay
  return { wall: blend(wall, tint, wall === box.ivory ? 0.26 : 0.16), light: box.ivory }
}

const spare = [box.clay, box.ochre, box.rose, box.brick, box.moss, box.teal]
const greens: readonly string[] = [box.sage, box.moss, box.forest, box.teal]

/** Three papers that stand out from the wall, the one that does most first. */
function standingOut(papers: readonly string[], wall: string, light: string): [string, string, string] {
  const seen = (paper: string) => contrast(paper, wall) > 1.22
  const found = papers.filter(seen).toSorted((one, other) => contrast(other, wall) - contrast(one, wall))
  for (const paper of spare) if (found.length < 3 && !found.includes(paper) && paper !== light && seen(paper)) found.push(paper)
  const [main = box.clay, second = box.ochre, accent = box.brick] = found
  return [main, second, accent]
}

export function roomPapers(category: CoverCategory, palette: 0 | 1 | 2): RoomPapers {
  const [ground, ...others] = palettes[category][palette].map((name): string => box[name])
  const rest = [...new Set(others)]
  const { wall, light } = wallAndLight(ground ?? box.sand, rest)
  const all = [...rest, ...(ground ? [ground] : [])]
  const darkest = all.toSorted(byLightness)[0] ?? box.ink
  const dark = lightness(darkest) < 0.08 ? darkest : box.ink
  const able = all.filter((paper) => paper !== dark && (paper === ground ? lightness(paper) < 0.3 : paper !== light))
  const [main, second, accent] = standingOut(able, wall, light)
  const leaf = [main, second, accent].find((paper) => greens.includes(paper)) ?? (dark === box.forest ? dark : second)
  return {
    wall,
    light,
    dark,
    main,
    second,
    accent,
    leaf,
    wallShade: blend(wall, main, 0.16),
    floor: blend(wall, main, 0.34),
    floorShade: blend(wall, main, 0.46),
    glow: blend(wall, box.ivory, 0.62),
    glass: blend(blend(wall, box.sky, 0.5), box.ivory, 0.35),
  }
}

function colourfulness(colour: string): number {
  return Math.max(...channels(colour)) - Math.min(...channels(colour))
}

/** Degrees on the wheel of colours. */
function hue(colour: string): number {
  const [red, green, blue] = channels(colour)
  const most = Math.max(red, green, blue)
  const span = colourfulness(colour) || 1
  if (most === red) return 60 * (((green - blue) / span + 6) % 6)
  return most === green ? 60 * ((blue - red) / span + 2) : 60 * ((red - green) / span + 4)
}

function hueApart(one: string, other: string): number {
  const degrees = Math.abs(hue(one) - hue(other))
  return Math.min(degrees, 360 - degrees)
}

const wallShares = [0, 0.17, 0.26, 0.3]
const floorShares = [0, 0.42, 0.3, 0.36]
const shadeShares = [0, 0.56, 0.44, 0.5]

/** The same house, another wall. Papers of far hues mix to mud: such a wall takes a kin paper or the light one. */
export function otherWall(papers: RoomPapers, room: number): RoomPapers {
  if (room === 0 || (room === 3 && contrast(papers.wall, papers.light) < 1.7)) return papers
  const { main, second, accent, light } = papers
  const share = wallShares[room] ?? 0
  const keeps = (paper: string) =>
    hueApart(paper, papers.wall) < 70 && colourfulness(blend(papers.wall, paper, share)) > colourfulness(papers.wall) * 0.8
  const candidates = room === 1 ? [second, accent, main, light] : room === 2 ? [accent, second, main, light] : [light]
  const tint = candidates.find(keeps) ?? light
  const wall = blend(papers.wall, tint, tint === light ? 0.34 : share)
  const wanted = room === 2 ? main : second
  const muddy = hueApart(wanted, wall) > 100 && colourfulness(blend(wall, wanted, 0.4)) < colourfulness(wall) * 0.6
  const floor = muddy ? main : wanted
  return {
    ...papers,
    wall,
    wallShade: blend(wall, main, 0.16),
    floor: blend(wall, floor, floorShares[room] ?? 0),
    floorShade: blend(wall, floor, shadeShares[room] ?? 0),
    glow: blend(wall, box.ivory, 0.62),
  }
}
