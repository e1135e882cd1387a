/** Pages compressed for those who take brotli: quickly for the first who asks, thoroughly for all after the second. */
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants } from 'node:zlib'

const withQuality = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
/** A tenth more bytes for a third of the work: most addresses are asked once while they are kept. */
const quick = withQuality(3)
const thorough = withQuality(5)
const compress = promisify(brotliCompress)

export interface CompressedBody {
  /** The body in brotli. */
  bytes(): Buffer
}

export function compressedBody(body: Buffer): CompressedBody {
  let bytes: Buffer | undefined
  let isThorough = false
  return {
    bytes() {
      // So quick that handing it to another thread costs more.
      if (!bytes) return (bytes = brotliCompressSync(body, quick))
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
