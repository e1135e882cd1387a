// Massage: pebbles on water, raked sand, rolled towels, and a bowl with a drop.
import { blob, cut, flat, group, outlines, oval, short, sprig, stack, stroke, times, type Blob } from '#/theme/art/shapes.ts'
import { visible, type Motif } from './motif.ts'

function ring(x: number, y: number, width: number, height: number, colour: string, line: number, opacity: number) {
  return `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="none" stroke="${colour}" stroke-width="${line}" opacity="${short(opacity)}"/>`
}

const pebbles: Motif = (random, papers) => {
  const stones: readonly (Blob & { colour: string })[] = [
    { x: 0, y: 86, width: 112, height: 34, colour: papers.deep },
    { x: -8, y: 34, width: 86, height: 29, colour: papers.second },
    { x: 10, y: -10, width: 62, height: 25, colour: papers.main },
    { x: -2, y: -47, width: 38, height: 18, colour: papers.accent },
  ]
  const water = times(4, (index) => ring(0, 104, 140 + index * 38, 40 + index * 17, papers.line, 2, 0.8 - index * 0.15))
  const pile = stones.map(({ colour, ...stone }) => cut(blob(random, { ...stone, wobble: 0.045, corners: 8 }), colour))
  return water.join('') + pile.join('') + flat(outlines.petal, papers.accent, 'translate(0 -104) scale(.9)')
}

const rakedSand: Motif = (random, papers) => {
  const lines = times(9, (index) => 9 - index).map((step) =>
    ring(-36, 26, 52 + step * 25, 32 + step * 19, papers.line, 3.5, 1 - step * 0.05),
  )
  return (
    lines.join('') +
    cut(blob(random, { x: -36, y: 22, width: 62, height: 40, wobble: 0.06, corners: 8 }), papers.accent) +
    cut(blob(random, { x: -14, y: 6, width: 30, height: 20, wobble: 0.06, corners: 8 }), papers.second) +
    cut(blob(random, { x: 92, y: -74, width: 34, height: 24, wobble: 0.07 }), visible(papers.deep, papers.ground, papers.main))
  )
}

function towel(x: number, y: number, colour: string, seam: string): string {
  return stack(
    `translate(${x} ${y})`,
    `<circle r="54" fill="${colour}"/>`,
    stroke('M38 18C26 46-34 44-38 4-40-36 22-42 26-4 28 24-16 24-16 2-16-14 6-14 6 0', seam, 5),
  )
}

const towels: Motif = (_random, papers) => {
  const top = papers.line === papers.main ? papers.accent : papers.line
  return (
    sprig({ x: 104, y: 118, turn: 20, pairs: 5, length: 230, colour: papers.accent, leafSize: 0.9 }) +
    cut('M-150 112h276q8 0 8 8t-8 8h-276q-8 0-8-8t8-8z', visible(papers.deep, papers.ground, papers.accent)) +
    towel(-74, 58, papers.main, papers.accent) +
    towel(34, 58, papers.second, papers.line === papers.second ? papers.accent : papers.line) +
    towel(-20, -34, top, visible(papers.second, top, papers.main))
  )
}

const bowl: Motif = (_random, papers) => {
  const petals = [
    { x: -24, y: 26, size: 0.26, turn: 20 },
    { x: 40, y: 30, size: 0.22, turn: -30 },
    { x: 12, y: 22, size: 0.18, turn: 80 },
  ].map(({ x, y, size, turn }) => flat(outlines.petal, papers.line, `translate(${x} ${y}) rotate(${turn}) scale(${size} ${size * 0.6})`))
  return (
    sprig({ x: -96, y: 110, turn: -24, pairs: 5, length: 216, colour: papers.accent, other: papers.second, leafSize: 0.85 }) +
    cut('M-96 26h204c0 72-48 104-102 104S-96 98-96 26z', papers.main) +
    oval(6, 26, 102, 20, papers.second) +
    oval(6, 28, 84, 13, papers.accent) +
    petals.join('') +
    group('translate(28 -70) scale(.52)', cut(outlines.drop, visible(papers.deep, papers.ground, papers.second)))
  )
}

export const massageMotifs = [pebbles, rakedSand, towels, bowl] as const
