// Turns the address of a picture into its SVG file; the one entry a server needs.
import type { CoverShape } from './art-address.ts'
import { cover } from './cover.ts'
import { face } from './face.ts'
import { hairStyleNames } from './hair-styles.ts'
import { interior, isInteriorKind } from './interior.ts'
import { isCoverCategory } from './palettes.ts'
import { isVignetteName, vignettes } from './vignettes.ts'

const shapes: Record<CoverShape, { width: number; height: number }> = {
  landscape: { width: 400, height: 310 },
  wide: { width: 640, height: 300 },
  square: { width: 400, height: 400 },
  panel: { width: 260, height: 900 },
}

function isCoverShape(name: string): name is CoverShape {
  return Object.hasOwn(shapes, name)
}

/** A seed may be any id, but not a page of text. */
const longestSeed = 80

function readAddress(address: string): { parts: string[]; query: URLSearchParams } | undefined {
  const url = new URL(address, 'http://art.invalid')
  if (!url.pathname.startsWith('/art/') || !url.pathname.endsWith('.svg')) return undefined
  try {
    const parts = url.pathname.slice('/art/'.length, -'.svg'.length).split('/').map(decodeURIComponent)
    return parts.every((part) => part.length > 0 && part.length <= longestSeed) ? { parts, query: url.searchParams } : undefined
  } catch {
    return undefined
  }
}

/** The SVG of an address such as /art/cover/nails/abc.svg?shape=square; undefined if there is no such picture. */
export function artDocument(address: string): string | undefined {
  const read = readAddress(address)
  if (!read) return undefined
  const { parts, query } = read
  const [kind, name = '', seed] = parts
  if (kind === 'cover' && parts.length === 3 && seed && isCoverCategory(name)) {
    const shape = query.get('shape') ?? 'landscape'
    return isCoverShape(shape) ? cover({ category: name, seed, ...shapes[shape] }) : undefined
  }
  if (parts.length !== 2) return undefined
  if (kind === 'face') {
    const style = hairStyleNames.find((known) => known === query.get('style'))
    return face({ seed: name, ...(style && { style }) })
  }
  if (kind === 'vignette') return isVignetteName(name) ? vignettes[name]() : undefined
  if (kind === 'interior') {
    const room = query.get('kind') ?? undefined
    if (room === undefined) return interior({ seed: name })
    return isInteriorKind(room) ? interior({ seed: name, kind: room }) : undefined
  }
  return undefined
}
