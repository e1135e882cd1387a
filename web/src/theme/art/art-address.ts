// Where each picture of the cut-paper generator is served. Small on purpose: the browser knows only addresses.

export type CoverShape = 'landscape' | 'wide' | 'square' | 'panel'

export type CoverAddress = { category: string; seed: string; shape?: CoverShape }

export function coverAddress({ category, seed, shape = 'landscape' }: CoverAddress): string {
  const query = shape === 'landscape' ? '' : `?shape=${shape}`
  return `/art/cover/${encodeURIComponent(category)}/${encodeURIComponent(seed)}.svg${query}`
}

export function faceAddress(seed: string): string {
  return `/art/face/${encodeURIComponent(seed)}.svg`
}

/** A room for galleries; the kind follows from the seed unless the address names one. */
export function interiorAddress(seed: string, kind?: string): string {
  return `/art/interior/${encodeURIComponent(seed)}.svg${kind ? `?kind=${encodeURIComponent(kind)}` : ''}`
}

export function vignetteAddress(name: string): string {
  return `/art/vignette/${encodeURIComponent(name)}.svg`
}
