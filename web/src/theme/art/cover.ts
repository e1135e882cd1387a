// A cover: a category gives the motif, a seed gives papers, ground, mirroring and a small turn.
import { coverVariant } from './cover-variant.ts'
import { motifs } from './motifs/by-category.ts'
import { papersOf, type CoverCategory } from './palettes.ts'
import { blend, type Papers } from './papers.ts'
import { pickIndex, randomFrom, type Random } from './random.ts'
import { arch, blob, cut, disc, dot, short } from './shapes.ts'
import { svgDocument } from './svg-document.ts'

export type CoverRequest = {
  category: CoverCategory
  seed: string
  width?: number
  height?: number
  /** Fixed motif, else the seed's. */
  motif?: number
}

type Canvas = { width: number; height: number; x: number; y: number }

const fullBleed: ReadonlySet<CoverCategory> = new Set<CoverCategory>(['body', 'fitness'])

/** At most two shapes behind the motif: an arch, a hill and a sun, a slope, or a wall with a sun on its edge. */
function background(random: Random, { ground, main, accent }: Papers, canvas: Canvas): string {
  const { width, height, x } = canvas
  const side = Math.min(width, height)
  const wall = blend(ground, main, 0.14)
  const sun = blend(ground, accent, 0.34)
  switch (pickIndex(random, 4)) {
    case 0:
      return cut(arch(x - side * 0.4, height * 0.1, side * 0.8, height), wall)
    case 1:
      return (
        cut(blob(random, { x: width * 0.26, y: height * 0.8, width: width * 0.56, height: height * 0.5, wobble: 0.2 }), wall) +
        dot(width * 0.84, height * 0.2, side * 0.13, sun)
      )
    case 2: {
      const slope = `M0 ${short(height * 0.62)}C${short(width * 0.25)} ${short(height * 0.48)} ${short(width * 0.5)} ${short(height * 0.8)} ${width} ${short(height * 0.5)}V${height}H0z`
      return cut(slope, wall)
    }
    default:
      return (
        `<rect width="${short(width * 0.42)}" height="${height}" fill="${wall}"/>` + dot(width * 0.42, height * 0.5, side * 0.34, sun, 0.55)
      )
  }
}

/** Dunes and lanes fill the picture themselves; strands stand before one big disc. */
function behindMotif(category: CoverCategory, motif: number, random: Random, papers: Papers, canvas: Canvas): string {
  if (fullBleed.has(category)) return ''
  if (category === 'hair' && motif === 0) {
    const side = Math.min(canvas.width, canvas.height)
    return disc(canvas.width / 2, canvas.height * 0.46, side * 0.42, blend(papers.ground, papers.accent, 0.34))
  }
  return background(random, papers, canvas)
}

function scaleOf(category: CoverCategory, motif: number, { width, height }: Canvas): number {
  const side = Math.min(width, height)
  if (fullBleed.has(category)) return Math.max(side / 280, width / 600)
  // Strands run through the whole picture, so on a tall one they grow with its height.
  if (category === 'hair' && motif === 0) return Math.max(side / 300, height / 440)
  return side / 300
}

export function cover(request: CoverRequest): string {
  const { category, seed, width = 400, height = 310 } = request
  const variant = coverVariant({ category, seed })
  const papers = papersOf(category, variant.palette)
  const random = randomFrom(`cover ${category} ${seed}`)
  const choices = motifs[category]
  const index = (request.motif ?? variant.motif) % choices.length
  const draw = choices[index] ?? choices[0]
  const canvas: Canvas = {
    width,
    height,
    x: width * (0.5 + (random() - 0.5) * 0.08),
    y: height * (0.52 + (random() - 0.5) * 0.05),
  }
  const behind = behindMotif(category, index, random, papers, canvas)
  const mirror = random() > 0.5 ? -1 : 1
  const scale = Math.round(scaleOf(category, index, canvas) * 1000) / 1000
  const place = `translate(${short(canvas.x)} ${short(canvas.y)}) scale(${mirror * scale} ${scale}) rotate(${short((random() - 0.5) * 8)})`
  return svgDocument(
    width,
    height,
    `<rect width="${width}" height="${height}" fill="${papers.ground}"/>${behind}<g transform="${place}">${draw(random, papers)}</g>`,
  )
}
