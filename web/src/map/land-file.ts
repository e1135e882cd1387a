// Serves a piece of the world's land for the paper map: cut out on the server, so a page never loads the planet.
// Natural Earth's coastline through the npm package world-atlas, finer the smaller the piece.
import type { LoaderFunctionArgs } from 'react-router'
import { feature } from 'topojson-client'
import { clipRing, type Position } from './clip-ring.ts'
import type { Land } from './land-area.ts'
import type { Area } from './mercator.ts'

type Detail = '10m' | '50m' | '110m'
type Atlas = Parameters<typeof feature>[0]

const rings = new Map<Detail, Promise<readonly (readonly Position[])[]>>()
const kept = new Map<string, string>()
const mostKept = 200

function polygonsOf(geometry: { type: string; coordinates?: unknown; geometries?: unknown }): Position[][][] {
  if (geometry.type === 'Polygon') return [geometry.coordinates as Position[][]]
  if (geometry.type === 'MultiPolygon') return geometry.coordinates as Position[][][]
  return []
}

/** As text, so that the server's bundle carries each file apart and reads it only when somebody asks. */
const texts: Record<Detail, () => Promise<{ default: string }>> = {
  '10m': () => import('world-atlas/land-10m.json?raw'),
  '50m': () => import('world-atlas/land-50m.json?raw'),
  '110m': () => import('world-atlas/land-110m.json?raw'),
}

async function readRings(detail: Detail): Promise<readonly (readonly Position[])[]> {
  const atlas = JSON.parse((await texts[detail]()).default) as Atlas & { objects: { land: never } }
  const land = feature(atlas, atlas.objects.land) as unknown as
    | { type: 'Feature'; geometry: { type: string } }
    | { type: 'FeatureCollection'; features: { geometry: { type: string } }[] }
  const features = land.type === 'Feature' ? [land] : land.features
  return features.flatMap(({ geometry }) => polygonsOf(geometry)).flat()
}

function ringsOf(detail: Detail): Promise<readonly (readonly Position[])[]> {
  const known = rings.get(detail)
  if (known) return known
  const read = readRings(detail)
  rings.set(detail, read)
  return read
}

function detailFor([west, , east]: Area): Detail {
  if (east - west > 130) return '110m'
  return east - west > 20 ? '50m' : '10m'
}

/** Four whole degrees that a map may ask for. */
function readArea(text: string): Area | null {
  const match = /^(-?\d{1,3})_(-?\d{1,2})_(-?\d{1,3})_(-?\d{1,2})\.json$/.exec(text)
  if (!match) return null
  const [west, south, east, north] = match.slice(1).map(Number) as [number, number, number, number]
  if (west < -180 || east > 180 || south < -90 || north > 90 || west >= east || south >= north) return null
  return [west, south, east, north]
}

async function landOf(area: Area): Promise<Land> {
  const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4
  const cut = (await ringsOf(detailFor(area))).map((ring) => clipRing(ring, area))
  return { area, rings: cut.filter((ring) => ring.length > 2).map((ring) => ring.flat().map(round)) }
}

export async function loader({ params }: LoaderFunctionArgs): Promise<Response> {
  const name = params['*'] ?? ''
  const area = readArea(name)
  if (!area) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
  let body = kept.get(name)
  if (body === undefined) {
    body = JSON.stringify(await landOf(area))
    kept.set(name, body)
    if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '')
  }
  return new Response(body, {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=31536000, immutable' },
  })
}
