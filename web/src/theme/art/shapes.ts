// Scissors: outlines as SVG path data, and the few ways a piece of paper is laid down.
import type { Random } from './random.ts'

export type Point = readonly [x: number, y: number]

/** One decimal is finer than a pixel at every size we draw. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** A closed curve that passes smoothly through every point. */
function smoothLoop(points: readonly Point[]): string {
  const at = (index: number): Point => points[(index + points.length) % points.length] ?? [0, 0]
  const [startX, startY] = at(0)
  let path = `M${short(startX)} ${short(startY)}`
  for (let index = 0; index < points.length; index += 1) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    const handleOut = `${short(from[0] + (to[0] - before[0]) / 6)} ${short(from[1] + (to[1] - before[1]) / 6)}`
    const handleIn = `${short(to[0] - (after[0] - from[0]) / 6)} ${short(to[1] - (after[1] - from[1]) / 6)}`
    path += `C${handleOut} ${handleIn} ${short(to[0])} ${short(to[1])}`
  }
  return `${path}Z`
}

export type Blob = { x: number; y: number; width: number; height: number; wobble?: number; corners?: number }

/** A pebble: an ellipse cut by hand. Width and height are radii. */
export function blob(random: Random, { x, y, width, height, wobble = 0.22, corners = 7 }: Blob): string {
  const start = random() * Math.PI * 2
  const points = Array.from({ length: corners }, (_, index): Point => {
    const angle = start + (index / corners) * Math.PI * 2
    const reach = 1 - wobble + random() * wobble * 2
    return [x + Math.cos(angle) * width * reach, y + Math.sin(angle) * height * reach]
  })
  return smoothLoop(points)
}

export function arch(x: number, y: number, width: number, height: number): string {
  const radius = short(width / 2)
  return `M${short(x)} ${short(y + height)}V${short(y + width / 2)}a${radius} ${radius} 0 0 1 ${short(width)} 0V${short(y + height)}z`
}

export const outlines = {
  petal: 'M-22 32C-23 2-3-25 24-34 25-5 6 22-22 32z',
  almond: 'M0-66C26-42 28 22 19 56 17 64-17 64-19 56-28 22-26-42 0-66z',
  leaf: 'M0 0C-17-16-15-48 0-66 15-48 17-16 0 0z',
  drop: 'M0-84C38-36 58-8 58 24A58 58 0 0 1-58 24C-58-8-38-36 0-84z',
}

const shadow = 'filter="url(#cut)"'

/** The one soft shadow of every picture; put it once into the document. */
export const shadowDefinition =
  '<defs><filter id="cut" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="0" dy="2" stdDeviation="2.6" flood-color="#2A1D26" flood-opacity=".2"/></filter></defs>'

/** A piece of paper with its shadow. */
export function cut(outline: string, colour: string, place = ''): string {
  return `<path ${shadow}${place ? ` transform="${place}"` : ''} d="${outline}" fill="${colour}"/>`
}

/** A piece without a shadow, glued flat onto another. */
export function flat(outline: string, colour: string, place = ''): string {
  return `<path${place ? ` transform="${place}"` : ''} d="${outline}" fill="${colour}"/>`
}

export function disc(x: number, y: number, radius: number, colour: string): string {
  return `<circle ${shadow} cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="${colour}"/>`
}

export function dot(x: number, y: number, radius: number, colour: string, opacity = 1): string {
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="${colour}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`
}

export function oval(x: number, y: number, width: number, height: number, colour: string): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="${colour}"/>`
}

/** A line of thread or a cut stripe. */
export function stroke(path: string, colour: string, width: number, opacity = 1): string {
  const faded = opacity < 1 ? ` stroke-opacity="${opacity}"` : ''
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${faded}/>`
}

export function bar(x: number, y: number, width: number, height: number, radius: number, colour: string): string {
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" rx="${radius}" fill="${colour}"/>`
}

export function group(place: string, ...content: readonly string[]): string {
  return `<g transform="${place}">${content.join('')}</g>`
}

/** Several pieces that cast one shadow together. */
export function stack(place: string, ...content: readonly string[]): string {
  return `<g ${shadow}${place ? ` transform="${place}"` : ''}>${content.join('')}</g>`
}

export type Sprig = {
  x: number
  y: number
  turn: number
  pairs: number
  length: number
  colour: string
  /** Every third leaf. */
  other?: string
  leafSize?: number
  /** Degrees a leaf leans from the stem. */
  lean?: number
}

function sprigLeaves({ pairs, length, colour, other = colour, leafSize = 1, lean = 50 }: Sprig): string {
  let leaves = ''
  for (let pair = 1; pair <= pairs; pair += 1) {
    const height = (-length * pair) / (pairs + 0.4) + 10
    const size = short((1 - (0.45 * pair) / pairs) * leafSize)
    for (const side of [-1, 1]) {
      const own = (pair + (side > 0 ? 1 : 0)) % 3 ? colour : other
      leaves += flat(outlines.leaf, own, `translate(0 ${short(height)}) rotate(${side * lean}) scale(${size})`)
    }
  }
  return leaves
}

/** A stem with leaves in pairs, standing on its foot at x, y. */
export function sprig(plant: Sprig): string {
  const { x, y, turn, length, colour, leafSize = 1 } = plant
  const stem = stroke(`M0 0C10-${short(length * 0.4)}-10-${short(length * 0.7)} 0-${length}`, colour, 3.5)
  const tip = flat(outlines.leaf, colour, `translate(0 ${4 - length}) scale(${short(0.6 * leafSize)})`)
  return stack(`translate(${x} ${y}) rotate(${turn})`, stem, sprigLeaves(plant), tip)
}

export function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
