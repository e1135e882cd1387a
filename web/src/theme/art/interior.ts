// Four rooms for galleries without photos: a mirror, shelves, a window, a basin.
import { blend, papers as box, type Papers } from './papers.ts'
import { pickFrom, randomFrom } from './random.ts'
import { arch, cut, sprig, stroke } from './shapes.ts'
import { svgDocument } from './svg-document.ts'

const roomPapers: readonly [Papers, ...Papers[]] = [
  { ground: box.shell, main: box.clay, second: box.sage, accent: box.ochre, deep: box.plum, line: box.ivory },
  { ground: box.sky, main: box.teal, second: box.moss, accent: box.clay, deep: box.forest, line: box.ivory },
  { ground: box.butter, main: box.rose, second: box.moss, accent: box.clay, deep: box.wine, line: box.ivory },
  { ground: box.lilac, main: box.mauve, second: box.sage, accent: box.butter, deep: box.wine, line: box.ivory },
]

const floorOf = (papers: Papers) => blend(papers.ground, papers.main, 0.3)

type Room = (papers: Papers) => string

const mirror: Room = (papers) =>
  `<rect y="222" width="400" height="80" fill="${floorOf(papers)}"/>` +
  cut(arch(136, 34, 128, 188), papers.line) +
  stroke('M160 200L236 92M178 214L250 112', papers.ground, 5) +
  cut('M52 240c0-40 10-70 34-70h10c20 0 30 28 30 70z', papers.deep) +
  cut('M40 236h98v20q0 8-8 8H48q-8 0-8-8z', papers.main) +
  stroke('M89 264v22M66 290h46', papers.deep, 5) +
  sprig({ x: 332, y: 248, turn: 4, pairs: 5, length: 130, colour: papers.second, leafSize: 0.62 }) +
  cut('M306 246h50l-6 44h-38z', papers.main)

const shelf: Room = (papers) =>
  `<path d="M0 300v-40h400v40z" fill="${floorOf(papers)}"/>` +
  [96, 206].map((y) => cut(`M40 ${y}h320v10H40z`, papers.deep)).join('') +
  cut('M70 96V52q0-8 8-8h20q8 0 8 8v44z', papers.main) +
  cut('M124 96V66q0-6 6-6h26q6 0 6 6v30z', papers.second) +
  cut('M188 96c-18-20-14-52 10-56h8c24 4 28 36 10 56z', papers.accent) +
  cut('M250 96V38q0-6 6-6h16q6 0 6 6v58z', papers.line) +
  cut('M296 96V70q0-8 8-8h30q8 0 8 8v26z', papers.main) +
  cut('M64 206c-10-30 4-46 30-46s40 16 30 46z', papers.line) +
  cut('M150 206V146q0-6 6-6h14q6 0 6 6v60z', papers.main) +
  cut('M192 206v-34q0-8 8-8h44q8 0 8 8v34z', papers.accent) +
  cut('M270 206l8-56h44l8 56z', papers.second) +
  sprig({ x: 300, y: 154, turn: 6, pairs: 3, length: 56, colour: papers.deep, leafSize: 0.4 })

const window: Room = (papers) =>
  `<rect y="262" width="400" height="38" fill="${floorOf(papers)}"/>` +
  cut(arch(60, 30, 150, 232), papers.line) +
  cut('M60 262v-70c40-30 90-20 150-44v114z', papers.second) +
  `<circle cx="166" cy="92" r="22" fill="${papers.accent}"/>` +
  stroke('M135 30v232M60 160h150', papers.ground, 5) +
  cut('M262 226c-6-50 14-72 50-72s56 22 50 72v20H262z', papers.deep) +
  cut('M250 262c0-26 14-40 46-40h30c32 0 46 14 46 40v14H250z', papers.main)

const basin: Room = (papers) =>
  `<path d="M0 190h400v110H0z" fill="${floorOf(papers)}"/>` +
  cut('M96 190c0 56 46 80 104 80s104-24 104-80z', papers.line) +
  stroke('M200 190v-64q0-34 34-34t34 34v8', papers.accent, 13) +
  sprig({ x: 58, y: 190, turn: -8, pairs: 5, length: 150, colour: papers.second, leafSize: 0.65 }) +
  cut('M322 184V120q0-8 8-8h20q8 0 8 8v64z', papers.main) +
  cut('M60 184h310v13H60z', papers.deep)

const rooms = { mirror, shelf, window, basin }

export type InteriorKind = keyof typeof rooms

export const interiorKinds: readonly [InteriorKind, ...InteriorKind[]] = ['mirror', 'shelf', 'window', 'basin']

export function isInteriorKind(name: string): name is InteriorKind {
  return Object.hasOwn(rooms, name)
}

export type InteriorRequest = { seed: string; kind?: InteriorKind | undefined }

export function interior({ seed, kind }: InteriorRequest): string {
  const random = randomFrom(`interior ${seed}`)
  const papers = pickFrom(random, roomPapers)
  const room = rooms[kind ?? pickFrom(random, interiorKinds)]
  return svgDocument(400, 300, `<rect width="400" height="300" fill="${papers.ground}"/>${room(papers)}`)
}
