// One motif each for barbering, fitness, medical, counselling and tattoo.
import { bar, cut, disc, flat, outlines, sprig, stack, stroke, times } from '#/theme/art/shapes.ts'
import type { Motif } from './motif.ts'

export const comb: Motif = (_random, papers) =>
  stack(
    'rotate(-26)',
    ...times(16, (index) => bar(-112 + index * 14, -8, 8, 84, 4, papers.main)),
    bar(-122, -52, 244, 56, 17, papers.main),
    stroke('M-96-24H96', papers.line, 2.5),
  )

export const trackLanes: Motif = (_random, papers) => {
  const colours = [papers.main, papers.second, papers.deep, papers.accent, papers.main]
  const lanes = colours.map((colour, index) => disc(-118, 128, 250 - index * 46, colour))
  const lines = times(
    5,
    (index) => `<circle cx="-118" cy="128" r="${227 - index * 46}" fill="none" stroke="${papers.line}" stroke-width="1.5" opacity=".5"/>`,
  )
  return lanes.join('') + lines.join('') + disc(92, -70, 26, papers.accent)
}

const crossOutline =
  'M-34-116h48q14 0 14 14v62h62q14 0 14 14v48q0 14-14 14H28v62q0 14-14 14h-48q-14 0-14-14V36h-62q-14 0-14-14v-48q0-14 14-14h62v-62q0-14 14-14z'

export const crossAndSprig: Motif = (_random, papers) =>
  sprig({ x: 70, y: 126, turn: 22, pairs: 5, length: 226, colour: papers.second, leafSize: 0.95 }) +
  cut(crossOutline, papers.main) +
  flat(outlines.petal, papers.accent, 'translate(-10 -2) scale(1.15)')

export const twoCircles: Motif = (_random, papers) =>
  disc(-50, -10, 92, papers.main) +
  disc(58, 26, 80, papers.second) +
  stroke('M-118-14C-70-86 10-30-34 14S-92-2-50-30 60-52 92 2 66 82 30 56 60 2 122 52', papers.line, 4) +
  `<circle cx="122" cy="-92" r="18" fill="${papers.accent}"/>`

export const sprigsAndSun: Motif = (_random, papers) => {
  const plant = { colour: papers.main, other: papers.second, lean: 52 }
  return (
    disc(44, -34, 66, papers.accent) +
    sprig({ ...plant, x: -16, y: 140, turn: -12, pairs: 6, length: 250 }) +
    sprig({ ...plant, x: 20, y: 150, turn: 32, pairs: 4, length: 170 })
  )
}
