import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bomb, halves, noise, pdf, plain, promise900Megapixels, wordyPng } from '#/testing/pictures.ts'
import { type Decoder, type MadePicture, openDecoder, type PictureShape } from './decoder.ts'
import { openLog } from './log.ts'

let decoder: Decoder
beforeAll(() => {
  decoder = openDecoder(openLog('silent'), { limitMs: 200_000 })
})
afterAll(() => decoder.close())

const inside: PictureShape = { fit: 'inside', sizes: [96, 320, 1280], pixels: 40_000_000 }
const square: PictureShape = { fit: 'square', sizes: [96, 512], pixels: 40_000_000 }

async function made(bytes: Uint8Array, shape: PictureShape): Promise<MadePicture[]> {
  const answer = await decoder.picture(bytes, shape)
  if (!answer.ok) throw new Error(answer.problem)
  return answer.pictures
}
const sides = (pictures: MadePicture[]): number[][] => pictures.map(({ size, width, height }) => [size, width, height])

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('as %s comes back as WebP without metadata', async (format) => {
    for (const { bytes, width, height } of await made(await plain(format), inside)) {
      const facts = await sharp(bytes).metadata()
      expect(facts).toMatchObject({ format: 'webp', width, height })
      expect([facts.exif, facts.icc, facts.xmp, facts.iptc]).toEqual([undefined, undefined, undefined, undefined])
      expect(Buffer.from(bytes).includes('private words')).toBe(false)
    }
  })

  it('comes in every size that is smaller than itself, the largest first, never made larger', async () => {
    expect(sides(await made(await plain('jpeg', 2000, 1000), inside))).toEqual([
      [1280, 1280, 640],
      [320, 320, 160],
      [96, 96, 48],
    ])
    expect(sides(await made(await plain('png', 300, 600), inside))).toEqual([
      [1280, 300, 600],
      [320, 160, 320],
      [96, 48, 96],
    ])
    expect(sides(await made(await plain('png', 90, 40), inside))).toEqual([[1280, 90, 40]])
    expect(sides(await made(await plain('png', 90, 40), square))).toEqual([
      [512, 512, 512],
      [96, 96, 96],
    ])
  })

  it('stands as its camera said it was held', async () => {
    // Orientation 6: to be turned clockwise, so that the left half becomes the upper one.
    const lying = await halves(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const [largest] = await made(lying, inside)
    expect([largest?.width, largest?.height]).toEqual([200, 400])
    const { data } = await sharp(largest!.bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
    expect(data[100 + 200 * 50]).toBeLessThan(60)
    expect(data[100 + 200 * 350]).toBeGreaterThan(200)
  })

  it('keeps what is transparent', async () => {
    const clear = await sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer()
    const [largest] = await made(clear, inside)
    expect((await sharp(largest!.bytes).stats()).isOpaque).toBe(false)
  })

  it('of forty million pixels that must be unpacked whole fits into the limits', async () => {
    const large = await halves(8000, 5000).jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer()
    expect(sides(await made(large, inside))[0]).toEqual([1280, 800, 1280])
  })
})

describe('what is no picture', () => {
  const refused = async (bytes: Uint8Array): Promise<string> => {
    const answer = await decoder.picture(bytes, inside)
    return answer.ok ? 'taken' : answer.problem
  }

  it('is refused whatever it calls itself', async () => {
    const jpeg = await plain('jpeg')
    const hostile = {
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
      gif: await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
        .gif()
        .toBuffer(),
      tiff: await sharp(jpeg).tiff().toBuffer(),
      truncated: jpeg.subarray(0, Math.floor(jpeg.length / 2)),
      head: jpeg.subarray(0, 4),
      noise: noise(40_000),
      empty: Buffer.alloc(0),
      pdf: pdf(),
    }
    for (const [name, bytes] of Object.entries(hostile)) expect([name, await refused(bytes)]).toEqual([name, 'not_picture'])
  })

  it('900 million pixels are refused by their number, told or true', async () => {
    expect(await refused(await bomb())).toBe('too_many_pixels')
    expect(await refused(await promise900Megapixels())).toBe('too_many_pixels')
  })

  it('words that unpack to 200 MB beside a small picture do no harm', async () => {
    expect(['taken', 'not_picture']).toContain(await refused(await wordyPng()))
    expect(sides(await made(await plain('png', 90, 40), inside))).toHaveLength(1)
  })

  it('a picture that takes too long, or more memory than there is, is too costly, and the next one is taken', async () => {
    const large = await halves(8000, 5000).jpeg({ progressive: true }).toBuffer()
    for (const limits of [{ limitMs: 30 }, { limitMs: 200_000, memoryMb: 200 }]) {
      const strict = openDecoder(openLog('silent'), limits)
      try {
        expect([limits, await strict.picture(large, { ...inside, sizes: [4000, 1280] })]).toEqual([
          limits,
          { ok: false, problem: 'too_costly' },
        ])
      } finally {
        strict.close()
      }
    }
    expect(sides(await made(await plain('png', 90, 40), inside))).toHaveLength(1)
  })
})

describe('a document', () => {
  it('is told by its own bytes', async () => {
    expect(await decoder.document(pdf())).toEqual({ ok: true, document: 'application/pdf' })
    expect(await decoder.document(Buffer.from('<script>alert(1)</script>'))).toEqual({ ok: false, problem: 'not_document' })
    expect(await decoder.document(noise(5000))).toEqual({ ok: false, problem: 'not_document' })
  })
})
