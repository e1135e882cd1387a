// The box of twenty papers everything is cut from. For art only; the interface has its own colours.

export const papers = {
  ivory: '#F7F0E3',
  shell: '#F3DFD3',
  blush: '#E8BFB2',
  rose: '#D68F8A',
  clay: '#C4674A',
  brick: '#97432F',
  plum: '#5B1F47',
  wine: '#7C2F52',
  mauve: '#B48BA6',
  lilac: '#DDCDDC',
  sage: '#A9B799',
  moss: '#6B7E5C',
  forest: '#2F4438',
  ochre: '#D9A44A',
  butter: '#F1DDA6',
  sky: '#C3D3D6',
  teal: '#4A7173',
  ink: '#2A1D26',
  sand: '#E2D1B6',
  bone: '#EDE3D2',
} as const

export type PaperName = keyof typeof papers

/** The papers of one picture, by the part they play; each value is a colour. */
export type Papers = {
  ground: string
  main: string
  second: string
  accent: string
  deep: string
  line: string
}

function channel(colour: string, shift: number): number {
  return (Number.parseInt(colour.slice(1), 16) >> shift) & 255
}

/** A colour on the way from one to another: share 0 is the first, 1 the second. */
export function blend(from: string, to: string, share: number): string {
  const parts = [16, 8, 0].map((shift) => {
    const value = Math.round(channel(from, shift) * (1 - share) + channel(to, shift) * share)
    return value.toString(16).padStart(2, '0')
  })
  return `#${parts.join('')}`
}
