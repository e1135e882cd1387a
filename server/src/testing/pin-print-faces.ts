/**
 * The faces of printed documents: those of the screens, cut to one weight each and unpacked, because a PDF knows no variable faces
 * and unpacking them costs a second for each document. Run it to write them anew; they are committed, and a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import subsetFont from 'subset-font'
import { renamed } from './print-face-names.ts'

const scripts = ['latin', 'latin-ext', 'vietnamese'] as const

interface Cut {
  from: string
  to: string
  axes: Record<string, number>
}
const display = (style: string, script: string, weight: number, to: string): Cut => ({
  from: `@fontsource-variable/newsreader/files/newsreader-${script}-opsz-${style}.woff2`,
  to,
  axes: { opsz: 72, wght: weight },
})

export const cuts: readonly Cut[] = [
  ...scripts.map((script) => display('normal', script, 350, `display-${script}.ttf`)),
  display('italic', 'latin', 350, 'display-italic-latin.ttf'),
  { from: '@fontsource-variable/markazi-text/files/markazi-text-arabic-wght-normal.woff2', to: 'display-arabic.ttf', axes: { wght: 450 } },
  ...[400, 600].flatMap((weight) => [
    ...scripts.map((script) => ({
      from: `@fontsource-variable/hanken-grotesk/files/hanken-grotesk-${script}-wght-normal.woff2`,
      to: `text-${script}-${weight}.ttf`,
      axes: { wght: weight },
    })),
    {
      from: `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-${weight}-normal.woff2`,
      to: `text-arabic-${weight}.ttf`,
      axes: {},
    },
  ]),
]

/** Every letter of the first plane: a file keeps those it has. */
const letters = Array.from({ length: 0xffff }, (_, point) => point)
  .filter((point) => point >= 0x20 && (point < 0xd800 || point > 0xdfff))
  .map((point) => String.fromCharCode(point))
  .join('')

const { resolve } = createRequire(import.meta.url)

export async function pinned({ from, to, axes }: Cut): Promise<Buffer> {
  const face = await subsetFont(readFileSync(resolve(from)), letters, { targetFormat: 'truetype', variationAxes: axes })
  return renamed(Buffer.from(face), `soigne-${basename(to, '.ttf')}`)
}

if (import.meta.main)
  for (const cut of cuts) writeFileSync(join(import.meta.dirname, '../features/invoice-print/faces', cut.to), await pinned(cut))
