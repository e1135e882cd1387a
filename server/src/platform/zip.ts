/** Several texts as one zip. It is made piece by piece, so that what is packed is never in memory as a whole; compressing runs beside this thread. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** ASCII, with `/` between folders. */
  name: string
  /** Read once, when it is its turn. */
  pieces(): AsyncIterable<string>
}

/** The entries one after the other, dated `at`. @throws what an entry throws */
export async function zipOf(entries: readonly ZipEntry[], at: Date): Promise<Buffer> {
  const zip = new ZipFile()
  const open = new Set<Readable>()
  const failed = new Promise<never>((_, reject) => zip.once('error', reject))
  for (const { name, pieces } of entries)
    zip.addReadStreamLazy(name, { mtime: at }, (give) => {
      const stream = Readable.from(pieces(), { objectMode: false })
      open.add(stream)
      // Told here, since the zip hears of it only while it reads.
      stream.once('error', (error) => zip.emit('error', error)).once('close', () => open.delete(stream))
      give(null, stream)
    })
  zip.end()
  try {
    return await Promise.race([buffer(zip.outputStream as Readable), failed])
  } finally {
    for (const stream of open) stream.destroy()
  }
}
