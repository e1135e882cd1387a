// Which motifs a category may draw; the first is the one it is known by.
import type { CoverCategory } from '#/theme/art/palettes.ts'
import { closedEye, dropsAndSprig, dunes, feather, lips, swatches } from './body-and-skin.ts'
import { comb, crossAndSprig, sprigsAndSun, trackLanes, twoCircles } from './care-and-training.ts'
import { hairMotifs } from './hair.ts'
import { massageMotifs } from './massage.ts'
import type { Motif } from './motif.ts'
import { nailMotifs } from './nails.ts'

export const motifs: Record<CoverCategory, readonly [Motif, ...Motif[]]> = {
  hair: hairMotifs,
  nails: nailMotifs,
  massage: massageMotifs,
  barbering: [comb],
  body: [dunes],
  skincare: [dropsAndSprig],
  makeup: [swatches],
  eyebrows: [closedEye],
  fitness: [trackLanes],
  medical: [crossAndSprig],
  counseling: [twoCircles],
  fillers: [lips],
  'hair-removal': [feather],
  tatto: [sprigsAndSun],
}
