// Hair: strands under a slide, a braid, a bob, and scissors over waves.
import { blend, papers as box } from '#/theme/art/papers.ts'
import { cut, disc, dot, flat, bar, group, short, stack, stroke, times } from '#/theme/art/shapes.ts'
import type { Motif } from './motif.ts'

const strands: Motif = (random, papers) => {
  const colours = [papers.main, papers.second, papers.deep]
  const lines = times(13, (index) => {
    const x = -104 + index * 16.6
    const sway = (random() - 0.5) * 6
    const light = index % 5 === 3
    const path = `M${short(x - 34 + sway)}-235C${short(x + 78)}-110 ${short(x - 92)}-20 ${short(x + 18 + sway)} 70S${short(x + 10)} 190 ${short(x + 44)} 240`
    return stroke(path, light ? papers.accent : (colours[(index * 2 + 1) % 3] ?? papers.main), light ? 6 : 15.5)
  })
  const slide = stack(
    'translate(8 -22) rotate(-14)',
    bar(-128, -13, 256, 26, 13, papers.line),
    dot(-104, 0, 4.5, papers.deep),
    stroke('M-78 0H104', papers.accent, 2),
  )
  return lines.join('') + slide
}

const braid: Motif = (_random, papers) => {
  const lobe = 'M2 38C-52 34-80-8-50-56-34-26-10-8 2 38z'
  const start = [papers.main, papers.second, papers.main, papers.accent, papers.main, papers.second, papers.main]
  const end = [papers.deep, papers.main, papers.second, papers.deep, papers.second, papers.main, papers.deep]
  const plaits = times(7, (index) =>
    stack(
      `translate(0 ${-170 + index * 46}) scale(${short(1.02 - index * 0.035)})`,
      flat(lobe, start[index] ?? papers.main),
      flat(lobe, end[index] ?? papers.deep, 'translate(0 20) scale(-1 1)'),
    ),
  )
  return group(
    'rotate(9)',
    cut('M-12 140C-40 190-30 230-34 300H34C30 230 40 190 12 140z', papers.main),
    stroke('M0 150C-8 190-4 220-6 270M6 156C14 200 12 230 14 270', papers.deep, 4),
    ...plaits,
    stack('', bar(-26, 126, 52, 22, 11, papers.accent === papers.main ? papers.line : papers.accent)),
  )
}

const bob: Motif = (_random, papers) => {
  const locks = times(11, (index) => {
    const x = -80 + index * 16
    const light = index % 3 === 1
    const shade = index % 2 ? papers.second : blend(papers.main, papers.line, 0.22)
    const path = `M${short(x * 0.16)}-112C${short(x * 1.1)}-92 ${short(x * 1.28)} 0 ${short(x * 1.06)} ${short(110 - Math.abs(x) * 0.08)}`
    return stroke(path, light ? papers.accent : shade, light ? 4 : 7)
  })
  const clip = stack('translate(34 -34) rotate(28)', bar(-46, -10, 92, 20, 10, papers.line), dot(-26, 0, 4, papers.deep))
  return (
    cut('M-26 60h52v70h-52z', box.rose) +
    cut('M-26 112C-18 132 18 132 26 112 80 116 124 136 150 200V700H-150V200C-124 136-80 116-26 112z', papers.deep) +
    group(
      'translate(0 -26) scale(.74)',
      cut('M-100 112C-124 14-106-122 0-126 106-122 124 14 100 112 44 130-44 130-100 112z', papers.main),
      ...locks,
      clip,
    )
  )
}

function scissorBlade(mirror: 1 | -1, blade: string, grip: string): string {
  return stack(
    `scale(${mirror} 1) rotate(24)`,
    flat('M-13 4L4-150C20-104 20-50 12 4z', blade),
    stroke('M-2 0L-10 44', grip, 15),
    `<circle cx="-16" cy="78" r="30" fill="none" stroke="${grip}" stroke-width="15"/>`,
  )
}

const scissors: Motif = (_random, papers) => {
  const colours = [papers.main, papers.second, papers.accent, papers.main, papers.deep]
  const waves = colours.map((colour, index) => {
    const drop = index * 17
    const rise = index * 15
    return stroke(`M-250 ${70 + drop}C-150 ${20 + drop}-90 ${150 + rise} 0 ${96 + rise}S170 ${40 + drop} 260 ${96 + drop}`, colour, 15)
  })
  return (
    waves.join('') +
    group(
      'translate(6 -14) rotate(18)',
      scissorBlade(1, papers.line, papers.deep),
      scissorBlade(-1, papers.line, papers.deep),
      disc(0, 0, 6, papers.accent),
    )
  )
}

export const hairMotifs = [strands, braid, bob, scissors] as const
