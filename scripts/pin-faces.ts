/** npm run faces: pins the Latin Newsreader to its display cut, which is all that pages show of it. The results are committed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import subsetFont from 'subset-font'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'node_modules/@fontsource-variable/newsreader/files')
const target = join(root, 'web/src/theme/faces')

/** The unicode-range of the Latin file, as fonts.css names it. */
const latin: [from: number, to: number][] = [
  [0x00, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x304, 0x304],
  [0x308, 0x308],
  [0x329, 0x329],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
  [0xfeff, 0xfeff],
  [0xfffd, 0xfffd],
]
const letters = latin
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)))
  .join('')

const cuts = [
  { from: 'newsreader-latin-opsz-normal.woff2', to: 'newsreader-display-latin.woff2', weight: { min: 300, max: 500 } },
  // The italic is one voice in one weight: the second half of a headline.
  { from: 'newsreader-latin-opsz-italic.woff2', to: 'newsreader-display-latin-italic.woff2', weight: 340 },
]

mkdirSync(target, { recursive: true })
for (const { from, to, weight } of cuts) {
  const face = await subsetFont(readFileSync(join(source, from)), letters, {
    targetFormat: 'woff2',
    variationAxes: { opsz: 72, wght: weight },
  })
  writeFileSync(join(target, to), face)
  process.stdout.write(`${to} ${face.length} bytes\n`)
}
