// Where each picture of the cut-paper generator is served. Small on purpose: the browser knows only addresses.

export type CoverShape = 'landscape' | 'wide' | 'square' | 'panel'

export type CoverAddress = { category: string; seed: string; shape?: CoverShape }

export function coverAddress({ category, seed, shape = 'landscape' }: CoverAddress): string {
  const query = shape === 'landscape' ? '' : `?shape=${shape}`
  return `/art/cover/${encodeURIComponent(category)}/${encodeURIComponent(seed)}.svg${query}`
}

/** No sheet is longer: a part of a page that shows more asks for a second one. */
export const longestSheet = 12

/** Covers of one shape in one file, where a page shows many at once: each is the file's view of its number. */
export function coverSheet(covers: readonly Pick<CoverAddress, 'category' | 'seed'>[], shape: CoverShape): readonly string[] {
  const sheet = new URLSearchParams(covers.map(({ category, seed }) => ['of', `${category}/${seed}`]))
  return covers.map((_, index) => `/art/sheet/${shape}.svg?${sheet}#${index}`)
}

/** A portrait of somebody invented; its style is chosen, never drawn by lot. */
export function faceAddress(seed: string, style: string): string {
  return `/art/face/${encodeURIComponent(seed)}.svg?style=${encodeURIComponent(style)}`
}

/** A room of the trade, for galleries: 0 to 3. */
export function roomAddress(category: string, seed: string, index: number): string {
  return `/art/room/${encodeURIComponent(category)}/${encodeURIComponent(seed)}.svg?n=${index}`
}

/** The work itself, seen close: 0 or 1. */
export function workAddress(category: string, seed: string, index: number): string {
  return `/art/work/${encodeURIComponent(category)}/${encodeURIComponent(seed)}.svg?n=${index}`
}

export function vignetteAddress(name: string): string {
  return `/art/vignette/${encodeURIComponent(name)}.svg`
}
