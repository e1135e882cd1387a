// Small scenes of 240 by 150 for empty and broken pages. Each is its own export, so a page takes only its own.
import { papers as box } from './papers.ts'
import { arch, cut, dot, flat, outlines, sprig, stroke, times } from './shapes.ts'
import { svgDocument } from './svg-document.ts'

const scene = (...pieces: readonly string[]) => svgDocument(240, 150, pieces.join(''))

/** A waiting chair under an arch: no appointments, nobody yet. */
export const chairVignette = () =>
  scene(
    cut(arch(30, 10, 120, 140), '#E6ECDD'),
    cut('M84 108c0-34 8-56 28-56h8c20 0 28 22 28 56z', box.plum),
    cut('M74 104h84v16q0 8-8 8H82q-8 0-8-8z', box.clay),
    stroke('M116 128v16M96 147h40', box.plum, 5),
    dot(190, 46, 18, box.blush),
  )

/** A desk bell: nothing answers this search. */
export const bellVignette = () =>
  scene(
    dot(120, 80, 66, '#F5E0D8'),
    cut('M78 112c0-44 10-72 42-72s42 28 42 72z', box.ochre),
    cut('M66 110h108v10H66z', box.plum),
    dot(120, 36, 7, box.plum),
    flat(outlines.petal, box.clay, 'translate(196 44) scale(.6)'),
  )

/** A thread that broke between two circles: something failed. */
export const threadVignette = () =>
  scene(
    cut('M34 76a50 50 0 1 0 100 0a50 50 0 1 0-100 0z', box.sky),
    cut('M120 76a40 40 0 1 0 80 0a40 40 0 1 0-80 0z', box.blush),
    stroke('M20 96C40 40 84 44 76 74S48 96 58 66 96 52 108 62M132 88c10 8 34 10 44-10s-8-34-18-18 22 40 62 10', box.plum, 4),
    stroke('M116 66l5 3M120 80l5 3', box.clay, 4),
  )

/** A letter with a petal: a code on its way, no messages. */
export const letterVignette = () =>
  scene(
    `<g transform="translate(60 22)">`,
    cut('M10 40L60 6l50 34v56q0 4-4 4H14q-4 0-4-4z', box.clay),
    cut('M22 24h76v60H22z', '#FFFDF9'),
    flat(outlines.petal, box.plum, 'translate(60 48) scale(.5)'),
    cut('M10 42l50 34 50-34v54q0 4-4 4H14q-4 0-4-4z', box.blush),
    '</g>',
  )

/** A vase waiting for its flower: no favourites yet. */
export const vaseVignette = () =>
  scene(
    dot(128, 74, 62, '#F5E0D8'),
    sprig({ x: 122, y: 92, turn: -6, pairs: 4, length: 78, colour: box.moss, other: box.sage, leafSize: 0.42 }),
    cut('M98 88h50c-4 10 10 18 10 36 0 14-10 20-35 20s-35-6-35-20c0-18 14-26 10-36z', box.plum),
    cut('M94 82h58v10H94z', box.clay),
    dot(196, 118, 12, box.ochre),
  )

/** Leaves of a calendar: no sales, no visits in this time. */
export const pagesVignette = () =>
  scene(
    cut('M58 34h104v100H58z', box.sky, 'rotate(-7 110 84)'),
    cut('M66 28h110v108H66z', '#FFFDF9'),
    cut('M66 28h110v24H66z', box.plum),
    ...times(6, (index) =>
      flat(
        outlines.petal,
        index === 4 ? box.clay : box.sand,
        `translate(${92 + (index % 3) * 29} ${76 + Math.floor(index / 3) * 34}) scale(.3)`,
      ),
    ),
    dot(204, 54, 13, box.blush),
  )

/** An arched door left ajar: this page is not here. */
export const doorVignette = () =>
  scene(
    `<path d="M0 132h240v18H0z" fill="#F5E0D8"/>`,
    cut(arch(78, 12, 84, 122), box.butter),
    cut('M78 134V54a42 42 0 0 1 34-41l-4 139z', box.plum),
    dot(101, 88, 3.5, box.ochre),
    sprig({ x: 196, y: 128, turn: 5, pairs: 4, length: 66, colour: box.moss, leafSize: 0.36 }),
    cut('M180 126h34l-4 22h-26z', box.clay),
    dot(44, 48, 16, box.blush),
  )

export const vignettes = {
  chair: chairVignette,
  bell: bellVignette,
  thread: threadVignette,
  letter: letterVignette,
  vase: vaseVignette,
  pages: pagesVignette,
  door: doorVignette,
}

export type VignetteName = keyof typeof vignettes

export function isVignetteName(name: string): name is VignetteName {
  return Object.hasOwn(vignettes, name)
}
