// The eleven ways a cut-paper face wears its hair: what lies behind the head, on it, and over the face.
import { papers as box } from './papers.ts'
import { dot, flat, stroke } from './shapes.ts'

export type HairStyle = { behind?: string; front?: string; over?: string }

type Dresser = (hair: string, scarf: string, line: string) => HairStyle

function glasses(colour: string): string {
  return stroke('M37 47.5a6 6 0 1 0 12 0a6 6 0 1 0-12 0M51 47.5a6 6 0 1 0 12 0a6 6 0 1 0-12 0M49 46.5q1-.8 2 0', colour, 1.6)
}

const cap = 'M31 44c-3-18 6-27 19-27 14 0 22 9 19 27-2-6-4-9-6-12-8 2-18 2-26 0-3 3-5 7-6 12z'

const long: Dresser = (hair) => ({
  behind: flat('M26 46c0-22 12-32 25-32s25 10 24 34c0 16 4 26 6 36H21c3-10 5-22 5-38z', hair),
  front: flat('M32 44c2-16 12-22 20-21 10 1 16 8 17 20-8-2-14-6-18-12-4 7-11 11-19 13z', hair),
})

const bun: Dresser = (hair) => ({
  behind: dot(52, 14, 9.5, hair) + flat('M29 46c-1-20 10-29 21-29s22 9 21 29c0 6-3 11-5 13H34c-3-2-5-7-5-13z', hair),
  front: flat('M32 43c3-14 10-19 18-19s15 5 18 19c-5-9-11-13-18-13s-13 4-18 13z', hair),
})

const bob: Dresser = (hair) => ({
  behind: flat('M25 48c-1-22 11-33 25-33s26 11 25 33c0 8 0 12-3 18-14 5-30 5-44 0-3-6-3-10-3-18z', hair),
  front: flat('M31 46c0-16 8-22 19-22s19 6 19 22c-4-6-6-9-7-12-8 2-16 2-24 0-1 3-3 7-7 12z', hair),
})

const short: Dresser = (hair) => ({ front: flat(cap, hair) })

const beard: Dresser = (hair) => ({
  front:
    flat(cap, hair) +
    flat('M32 48c1 18 9 24 18 24s17-6 18-24c-3 6-6 9-10 9-5 0-11 0-16 0-4 0-7-3-10-9z', hair) +
    stroke('M46 61q4 2.4 8 0', box.shell, 1.5),
})

const curly: Dresser = (hair) => ({
  behind: [
    [34, 34, 12],
    [44, 24, 13],
    [57, 24, 13],
    [67, 34, 12],
    [70, 47, 10],
    [30, 47, 10],
    [31, 58, 8],
    [69, 58, 8],
  ]
    .map(([x = 0, y = 0, radius = 0]) => dot(x, y, radius, hair))
    .join(''),
  front: dot(40, 32, 7, hair) + dot(50, 29, 8, hair) + dot(60, 32, 7, hair),
})

const hijab: Dresser = (_hair, scarf) => ({
  behind: flat('M24 50c-2-24 10-37 26-37s28 13 26 37c0 14 8 28 12 40H12c4-12 12-26 12-40z', scarf),
  front: `<path fill-rule="evenodd" fill="${scarf}" d="M31 50c-1-18 8-27 19-27s20 9 19 27c0 10-5 20-12 24 10-1 16-4 20-10l4 30H22l3-28c3 6 9 8 18 8-7-4-12-14-12-24zm5-2c0 12 6 22 14 22s14-10 14-22c0-11-6-18-14-18s-14 7-14 18z"/>`,
})

const crop: Dresser = (hair) => ({
  front: flat('M31 43c-3-16 5-26 18-27 13-1 22 8 20 27-2-5-3-8-5-11-6 1-10 0-15-3-4 4-10 5-14 5-2 3-3 5-4 9z', hair),
  over: flat('M43.5 57.5c2.5-2.6 10.5-2.6 13 0-3 .8-5 .4-6.5-.4-1.5.8-3.5 1.2-6.5.4z', hair),
})

const bald: Dresser = (hair, _scarf, line) => ({
  front:
    flat('M33 52c1 15 8 20 17 20s16-5 17-20c-3 5-6 8-10 8-5-1-9-1-14 0-4 0-7-3-10-8z', hair) + stroke('M46 62.5q4 2.4 8 0', box.shell, 1.5),
  over: glasses(line),
})

const locs: Dresser = (hair) => ({
  behind:
    [28, 33, 38, 62, 67, 72]
      .map((x, index) => stroke(`M${x} 34C${x - 3} 52 ${x + 3} 66 ${x - 1} ${index % 2 ? 88 : 94}`, hair, 7))
      .join('') + flat('M29 46c-1-20 9-30 21-30s22 10 21 30z', hair),
  front: flat('M32 42c2-15 9-21 18-21s16 6 18 21c-3-5-6-8-9-10-2 2-5 3-9 3s-7-1-9-3c-3 2-6 5-9 10z', hair),
})

const silverHair = '#CFC8C4'

const silver: Dresser = (_hair, _scarf, line) => ({
  behind: flat('M28 48c-2-21 9-32 22-32s24 11 22 32c0 7-3 11-5 14H33c-2-3-5-7-5-14z', silverHair),
  front: flat('M31 45c1-15 8-23 20-23s17 9 18 23c-5-3-9-8-11-13-6 5-16 8-22 8-2 1-4 3-5 5z', silverHair),
  over: glasses(line),
})

const dressers = { long, bun, bob, short, beard, curly, hijab, crop, bald, locs, silver }

export type HairStyleName = keyof typeof dressers

export const hairStyleNames: readonly [HairStyleName, ...HairStyleName[]] = [
  'long',
  'bun',
  'bob',
  'short',
  'beard',
  'curly',
  'hijab',
  'crop',
  'bald',
  'locs',
  'silver',
]

/** The line is the colour that shows on the skin: glasses are drawn with it. */
export function dressHair(name: HairStyleName, hair: string, scarf: string, line: string): HairStyle {
  return dressers[name](hair, scarf, line)
}
