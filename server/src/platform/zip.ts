/** Several texts and files as one zip. It is made piece by piece, so that what is packed is never in memory as a whole; compressing runs beside this thread. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** ASCII, with `/` between folders. */
  name: string
  /** Read once, when it is its turn. */
  pieces(): AsyncIterable<string | Uint8Array>
  /** As it is, since packing a picture again gains nothing. */
  isPacked?: boolean
}

/** The entries one after the other, dated `at`. What an entry throws breaks it off. */
export function zipStream(entries: readonly ZipEntry[], at: Date): Readable {
  const zip = new ZipFile()
  const made = zip.outputStream as Readable
  const open = new Set<Readable>()
  zip.on('error', (error) => made.destroy(error))
  // Also when nobody wants the rest.
  made.once('close', () => {
    for (const stream of open) stream.destroy()
  })
  for (const { name, pieces, isPacked = false } of entries)
    zip.addReadStreamLazy(name, { mtime: at, compress: !isPacked }, (give) => {
      const stream = Readable.from(pieces(), { objectMode: false })
      open.add(stream)
      // Told here, since the zip hears of it only while it reads.
      stream.once('error', (error) => zip.emit('error', error)).once('close', () => open.delete(stream))
      give(null, stream)
    })
  zip.end()
  return made
}

/** The same as a whole. @throws what an entry throws */
export const zipOf = (entries: readonly ZipEntry[], at: Date): Promise<Buffer> => buffer(zipStream(entries, at))
