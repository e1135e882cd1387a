// Turns the address of a picture into its SVG file; the one entry a server needs.
import type { CoverShape } from './art-address.ts'
import { cover } from './cover.ts'
import { face } from './face.ts'
import { hairStyleNames } from './hair-styles.ts'
import { handwork, interior } from './interior.ts'
import { isCoverCategory, type CoverCategory } from './palettes.ts'
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

function ofTrade(kind: string, category: CoverCategory, seed: string, query: URLSearchParams): string | undefined {
  if (kind === 'cover') {
    const shape = query.get('shape') ?? 'landscape'
    return isCoverShape(shape) ? cover({ category, seed, ...shapes[shape] }) : undefined
  }
  const asked = query.get('n') ?? '0'
  if (!/^\d$/.test(asked)) return undefined
  if (kind === 'room') return interior({ category, seed, index: Number(asked) })
  return kind === 'work' ? handwork({ category, seed, index: Number(asked) }) : undefined
}

/** The SVG of an address such as /art/cover/nails/abc.svg?shape=square; undefined if there is no such picture. */
export function artDocument(address: string): string | undefined {
  const read = readAddress(address)
  if (!read) return undefined
  const { parts, query } = read
  const [kind = '', name = '', seed] = parts
  if (parts.length === 3 && seed) return isCoverCategory(name) ? ofTrade(kind, name, seed, query) : undefined
  if (parts.length !== 2) return undefined
  if (kind === 'face') {
    const style = hairStyleNames.find((known) => known === query.get('style'))
    return style && face({ seed: name, style })
  }
  if (kind === 'vignette') return isVignetteName(name) ? vignettes[name]() : undefined
  return undefined
}
