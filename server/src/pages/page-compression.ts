/** Pages compressed for those who take brotli: quickly for the first who asks, thoroughly for all after the second. */
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants } from 'node:zlib'

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
/** A hundredth more bytes than the next quality for two thirds of the work: most addresses are asked once while they are kept. The window of 128 kB holds nearly every page whole. */
const quick = { params: { [BROTLI_PARAM_QUALITY]: 2, [BROTLI_PARAM_LGWIN]: 17 } }
const thorough = { params: { [BROTLI_PARAM_QUALITY]: 5 } }
const compress = promisify(brotliCompress)

const compressible = /^(?:text\/|application\/json|image\/svg)/

/** Whether compressing is worth it. */
export const isCompressible = (type: string, body: Buffer): boolean => body.length >= 1000 && compressible.test(type)

/** So quick that handing it to another thread would cost more. */
export const quicklyCompressed = (body: Buffer): Buffer => brotliCompressSync(body, quick)

export interface CompressedBody {
  /** The body in brotli. */
  bytes(): Buffer
}

/** @param made what was quickly compressed already, if it was */
export function compressedBody(body: Buffer, made: Buffer | null = null): CompressedBody {
  let bytes = made
  let isAsked = false
  let isThorough = false
  return {
    bytes() {
      bytes ??= quicklyCompressed(body)
      if (!isAsked) {
        isAsked = true
        return bytes
      }
      if (!isThorough) {
        isThorough = true
        // What was made quickly is as true as what is made better.
        void compress(body, thorough).then(
          (better) => (bytes = better),
          () => undefined,
        )
      }
      return bytes
    },
  }
}

/** Whether an `Accept-Encoding` takes brotli; a weight of 0 says no. */
export function takesBrotli(header: string | string[] | undefined): boolean {
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name === 'br') return !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  }
  return false
}
