import { describe, expect, it } from 'vitest'
import { coverAddress, coverSheet, faceAddress, roomAddress, vignetteAddress, workAddress } from './art-address.ts'
import { artDocument } from './art-document.ts'
import { vignettes } from './vignettes.ts'

function parses(svg: string | undefined): boolean {
  if (svg === undefined) return false
  return new DOMParser().parseFromString(svg, 'application/xml').querySelector('parsererror') === null
}

describe('the address of a picture', () => {
  it('leads to a cover in each shape', () => {
    for (const shape of ['landscape', 'wide', 'square', 'panel'] as const) {
      const svg = artDocument(coverAddress({ category: 'hair-removal', seed: 'été & co', shape }))
      expect(parses(svg)).toBe(true)
    }
    expect(artDocument('/art/cover/hair/a.svg?shape=square')).toContain('viewBox="0 0 400 400"')
  })

  it('leads to faces, rooms and vignettes', () => {
    for (let index = 0; index < 50; index += 1) expect(parses(artDocument(faceAddress(`person-${index}`, 'bob')))).toBe(true)
    for (const index of [0, 1, 2, 3]) expect(parses(artDocument(roomAddress('hair', 'a', index)))).toBe(true)
    for (const index of [0, 1]) expect(parses(artDocument(workAddress('hair-removal', 'été', index)))).toBe(true)
    for (const name of Object.keys(vignettes)) expect(parses(artDocument(vignetteAddress(name)))).toBe(true)
  })

  it('leads to a sheet of covers, each in a view of its own and drawn as if it were alone', () => {
    const covers = [
      { category: 'hair', seed: 'été & co' },
      { category: 'nails', seed: 'b,c#d' },
    ] as const
    const addresses = coverSheet(covers, 'panel')
    expect(new Set(addresses.map((address) => address.split('#')[0])).size).toBe(1)
    expect(addresses.map((address) => address.split('#')[1])).toEqual(['0', '1'])
    const svg = artDocument(addresses[1] ?? '') ?? ''
    expect(parses(svg)).toBe(true)
    const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
    expect([root.getAttribute('width'), root.getAttribute('height')]).toEqual(['260', '900'])
    expect([...root.querySelectorAll('view')].map((view) => view.getAttribute('viewBox'))).toEqual(['0 0 260 900', '0 900 260 900'])
    for (const cover of covers) expect(svg).toContain(artDocument(coverAddress({ ...cover, shape: 'panel' }))?.slice('<svg '.length))
  })

  it('leads to no sheet of what is no cover, of nothing, or of a whole page', () => {
    const sheet = (...of: string[]) => artDocument(`/art/sheet/square.svg?${new URLSearchParams(of.map((one) => ['of', one]))}`)
    expect(sheet('hair/a', 'nails/b')).toBeDefined()
    for (const wrong of [
      [],
      ['hair'],
      ['hair/'],
      ['hair/a/b'],
      ['plumbing/a'],
      ['hair/a', 'x/y'],
      [`hair/${'a'.repeat(81)}`],
      Array(13).fill('hair/a'),
    ])
      expect(sheet(...(wrong as string[])), String(wrong)).toBeUndefined()
    expect(artDocument('/art/sheet/round.svg?of=hair%2Fa')).toBeUndefined()
  })

  it('leads nowhere when there is no such picture', () => {
    const wrong = [
      '/art/cover/plumbing/a.svg',
      '/art/cover/hair/a.svg?shape=round',
      '/art/cover/hair.svg',
      '/art/vignette/constructor.svg',
      '/art/room/hair/a.svg?n=4',
      '/art/room/hair/a.svg?n=1.5',
      '/art/room/plumbing/a.svg',
      '/art/work/hair/a.svg?n=2',
      '/art/work/a.svg',
      '/art/face/.svg',
      '/art/face/a.svg',
      '/art/face/a.svg?style=wig',
      '/art/face/a/b.svg',
      '/art/face/%E0%A4%A.svg',
      `/art/face/${'a'.repeat(200)}.svg`,
      '/somewhere/else.svg',
      '/art/face/a.png',
    ]
    for (const address of wrong) expect(artDocument(address)).toBeUndefined()
  })

  it('carries no part of the seed into the picture', () => {
    expect(artDocument(faceAddress('"><script>alert(1)</script>', 'bun'))).not.toContain('script')
  })
})
