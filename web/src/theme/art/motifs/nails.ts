// Nails: a fan of almonds, a bottle on its stroke of colour, a hand, and a set of ovals.
import { papers as box } from '#/theme/art/papers.ts'
import { bar, cut, flat, group, outlines, stack, stroke, times } from '#/theme/art/shapes.ts'
import { visible, type Motif } from './motif.ts'

const gloss = (path: string, width: number, opacity: number) => stroke(path, '#fff', width, opacity)

const almonds: Motif = (_random, papers) => {
  const colours = [papers.main, papers.second, papers.accent, papers.deep, papers.main]
  return colours
    .map((colour, index) => {
      const lift = index === 2 ? 14 : index % 2 ? 6 : 0
      return stack(
        `translate(0 128) rotate(${(index - 2) * 23}) translate(0 ${-158 - lift}) scale(1.02)`,
        flat(outlines.almond, colour),
        gloss('M-9-34C-15-10-15 14-12 32', 4, 0.55),
      )
    })
    .join('')
}

const bottle: Motif = (_random, papers) =>
  stroke('M-128 84C-60 40 30 118 132 62', visible(papers.accent, papers.ground, papers.main), 46) +
  group(
    'rotate(7)',
    cut('M-54-8h108q18 0 18 18v86q0 24-24 24H-48q-24 0-24-24V10q0-18 18-18z', papers.main),
    gloss('M-50 22v58', 7, 0.5),
    cut('M-22-30h44v26h-44z', papers.line === box.ink ? papers.accent : papers.line),
    cut('M-26-140h52q9 0 9 11l-7 103h-56l-7-103q0-11 9-11z', papers.deep),
  )

type Finger = { x: number; y: number; length: number; turn: number }

const fingers: readonly Finger[] = [
  { x: -52, y: 74, length: 66, turn: -52 },
  { x: -40, y: 20, length: 104, turn: -10 },
  { x: -4, y: 12, length: 128, turn: -2 },
  { x: 31, y: 18, length: 112, turn: 6 },
  { x: 60, y: 36, length: 78, turn: 15 },
]

const hand: Motif = (_random, papers) => {
  const skin = papers.second
  const varnish = [papers.main, papers.accent, papers.deep, papers.main, papers.accent]
  const drawn = fingers.map(({ x, y, length, turn }, index) => {
    const colour = visible(varnish[index] ?? papers.main, skin, papers.deep)
    return stack(
      `translate(${x} ${y}) rotate(${turn})`,
      bar(-19, -length, 38, length + 40, 19, skin),
      flat(outlines.almond, visible(colour, skin, papers.line), `translate(0 ${14 - length}) scale(.34)`),
    )
  })
  return group(
    'translate(4 26) rotate(-8) scale(.96)',
    cut('M-48 60h100v700H-36z', skin),
    ...drawn,
    flat('M-66 40C-66 6 68-4 78 40L70 116C60 150-46 150-54 116z', skin),
    stroke('M-20 96C0 110 30 108 46 92', papers.line, 3, 0.5),
  )
}

const ovals: Motif = (_random, papers) => {
  const colours = [papers.main, papers.second, papers.accent, papers.deep]
  const nail = 'M0-62C27-62 38-34 38 2V34C38 60 20 70 0 70S-38 60-38 34V2C-38-34-27-62 0-62z'
  const moon = 'M-36 42C-32 62-17 70 0 70S32 62 36 42C22 28-22 28-36 42z'
  return times(15, (index) => {
    const row = Math.floor(index / 5)
    const column = index % 5
    const colour = (column * 2 + row * 3) % 4
    return stack(
      `translate(${-144 + column * 72 + (row % 2 ? 36 : 0)} ${-92 + row * 94}) scale(.56)`,
      flat(nail, colours[colour] ?? papers.main),
      flat(moon, colours[(colour + 2) % 4] ?? papers.deep),
      gloss('M-18-22C-22-6-22 8-20 18', 5, 0.45),
    )
  }).join('')
}

export const nailMotifs = [almonds, bottle, hand, ovals] as const
