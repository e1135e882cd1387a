// One motif each for body, skincare, makeup, eyebrows, fillers and hair removal.
import { cut, disc, flat, group, outlines, short, sprig, stack, stroke, times } from '#/theme/art/shapes.ts'
import type { Motif } from './motif.ts'

/** Dunes that read as a resting figure under a low sun. */
export const dunes: Motif = (_random, papers) =>
  disc(58, -64, 48, papers.accent) +
  cut('M-320 30C-220-30-190-66-120-44-60-26-40 40 30 30 90 20 120-50 190-34 250-20 280 30 330 20V700H-320z', papers.second) +
  cut('M-320 92C-240 52-170 40-90 74-20 104 30 128 100 92 170 56 250 60 330 96V700H-320z', papers.main) +
  stroke('M-300 130C-220 92-160 82-84 112-20 138 40 160 110 126 180 94 250 100 320 132', papers.line, 2.5)

function drop(x: number, y: number, size: number, colour: string): string {
  return stack(`translate(${x} ${y}) scale(${size})`, flat(outlines.drop, colour), stroke('M-32 24A32 32 0 0 0-4 55', '#fff', 5, 0.7))
}

export const dropsAndSprig: Motif = (_random, papers) =>
  sprig({ x: -84, y: 128, turn: -16, pairs: 5, length: 200, colour: papers.deep, leafSize: 0.9 }) +
  drop(8, 8, 1.15, papers.main) +
  drop(98, 66, 0.56, papers.accent) +
  drop(74, -72, 0.38, papers.second)

export const swatches: Motif = (random, papers) => {
  const colours = [papers.main, papers.accent, papers.second, papers.deep]
  const smears = colours.map((colour, index) => {
    const y = -84 + index * 56
    const shift = (random() - 0.5) * 30
    const smear = `M${short(shift - 132)} ${y + 6}C${short(shift - 70)} ${y - 14}-10 ${y + 16} ${short(60 + shift)} ${y - 2}S${short(116 + shift)} ${y - 6} ${short(126 + shift)} ${y - 10}`
    const shine = `M${short(shift - 118)} ${y - 2}C${short(shift - 60)} ${y - 18} 0 ${y + 8} ${short(70 + shift)} ${y - 10}`
    return stack('', stroke(smear, colour, 42)) + stroke(shine, '#fff', 3, 0.3)
  })
  return group('rotate(-16)', ...smears)
}

export const closedEye: Motif = (_random, papers) => {
  const lashes = times(9, (index) => {
    const along = index / 8
    const bow = Math.sin(Math.PI * along)
    const aside = along - 0.5
    return `M${short(-92 + along * 184)} ${short(34 + bow * 46)}q${short(aside * 18)} ${short(16 + bow * 10)} ${short(aside * 46)} ${short(26 + bow * 14)}`
  })
  return (
    disc(0, 6, 118, papers.main) +
    cut('M-112-22C-66-82 26-100 122-62 40-74-40-62-112-22z', papers.deep) +
    stroke(`M-104 26C-56 96 56 96 104 26${lashes.join('')}`, papers.line, 4.5) +
    `<circle cx="74" cy="104" r="17" fill="${papers.second}"/>`
  )
}

export const lips: Motif = (_random, papers) =>
  cut('M-132 0C-92-30-60-66-30-66-12-66-6-52 0-52S12-66 30-66C60-66 92-30 132 0 90-2 60-8 0 6-60-8-90-2-132 0z', papers.main) +
  cut('M-132 0C-90 4-60 2 0 14 60 2 90 4 132 0 100 56 56 82 0 82S-100 56-132 0z', papers.second) +
  stroke('M-44 42C-20 58 20 58 44 42', papers.line, 5, 0.7) +
  cut(outlines.petal, papers.accent, 'translate(96 -92) scale(.75)')

export const feather: Motif = (_random, papers) => {
  const barbs = times(15, (index) => {
    const along = index / 14
    const y = 108 - along * 214
    const width = 58 * Math.sin(Math.PI * (0.04 + 0.86 * along)) + 4
    const side = (sign: 1 | -1) => `M0 ${short(y)}q${short(sign * width * 0.6)}-10 ${short(sign * width)}-34`
    return side(1) + side(-1)
  })
  return group(
    'rotate(28)',
    cut('M0-150C60-110 84-20 54 60 44 92 16 112 0 120-16 112-44 92-54 60-84-20-60-110 0-150z', papers.main),
    stroke('M0-140V168', papers.deep, 4),
    stroke(barbs.join(''), papers.accent, 3),
  )
}
