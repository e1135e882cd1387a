/** Pictures for tests: good ones of any kind, and some made to do harm. */
import { crc32, createDeflate, deflateSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import sharp, { type Sharp } from 'sharp'

/** A plain picture with words in its metadata. */
export const plain = (format: 'jpeg' | 'png' | 'webp', width = 900, height = 500): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#5B1F47' } })
    .withExif({ IFD0: { Copyright: 'private words' }, IFD3: { GPSLatitudeRef: 'N' } })
    [format]()
    .toBuffer()

/** Left half dark, right half light: what is turned or mirrored shows. */
export function halves(width: number, height: number): Sharp {
  const dark = { create: { width: Math.floor(width / 2), height, channels: 3, background: '#101010' } } as const
  return sharp({ create: { width, height, channels: 3, background: '#f0f0f0' } }).composite([{ input: dark, left: 0, top: 0 }])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

async function pngOf(width: number, height: number, pixels: Buffer, extra: Buffer[] = []): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** 30,000 × 30,000 pixels, all of them there: 112 MB of rows packed into a tenth of a megabyte. */
export async function bomb(side = 30_000): Promise<Buffer> {
  const row = Buffer.alloc(1 + Math.ceil(side / 8))
  const packed = await buffer(Readable.from(Array.from({ length: side }, () => row)).pipe(createDeflate({ level: 9 })))
  return pngOf(side, side, packed)
}

/** A PNG that says it has 900 million pixels in a few bytes. */
export const promise900Megapixels = (): Promise<Buffer> => pngOf(30_000, 30_000, deflateSync(Buffer.alloc(200_000)))

/** A small picture with words that unpack to 200 MB beside it. */
export const wordyPng = (): Promise<Buffer> =>
  pngOf(8, 8, deflateSync(Buffer.alloc(16)), [
    chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(200_000_000))])),
  ])

/** Bytes that mean nothing, the same every time. */
export const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 7919 + (index >> 3)) % 256))

/** The smallest document a reader of PDF opens. */
export const pdf = (): Buffer =>
  Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  )
