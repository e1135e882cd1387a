// Turns the address of a picture into its SVG file; the one entry a server needs.
import { longestSheet, type CoverShape } from './art-address.ts'
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

/** Covers below each other; a view shows one, in a file as large as one. */
function sheet(shape: CoverShape, asked: readonly string[]): string | undefined {
  const { width, height } = shapes[shape]
  const covers = asked.map((one) => {
    const [category = '', seed = '', more] = one.split('/')
    if (!isCoverCategory(category) || seed === '' || seed.length > longestSeed || more !== undefined) return undefined
    return cover({ category, seed, width, height })
  })
  if (covers.length === 0 || covers.length > longestSheet || covers.includes(undefined)) return undefined
  const placed = covers.map((one, index) => {
    const at = index * height
    return `<view id="${index}" viewBox="0 ${at} ${width} ${height}"/>${one?.replace('<svg ', `<svg y="${at}" `)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">${placed.join('')}</svg>`
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
  if (kind === 'sheet') return isCoverShape(name) ? sheet(name, query.getAll('of')) : undefined
  if (kind === 'vignette') return isVignetteName(name) ? vignettes[name]() : undefined
  return undefined
}
