// The lines of a file of any size, one at a time, without ever holding a line that is too long.
import { createReadStream } from 'node:fs'

/** Longest line read, in bytes: a place with hundreds of tags has a few thousand. */
export const longestLine = 64 * 1024

export type Line = { number: number } & ({ text: string } | { tooLong: true })

const newline = 0x0a

/** @throws ENOENT and its like when the file cannot be read */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 1
  let held: Buffer[] = []
  let length = 0
  const line = (): Line => {
    const read: Line = length > longestLine ? { number, tooLong: true } : { number, text: textOf(Buffer.concat(held), number) }
    number++
    held = []
    length = 0
    return read
  }
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      hold(chunk.subarray(from, at))
      yield line()
      from = at + 1
    }
    hold(chunk.subarray(from))
  }
  if (length > 0) yield line()

  function hold(part: Buffer): void {
    length += part.length
    if (length > longestLine) held = []
    else if (part.length > 0) held.push(part)
  }
}

function textOf(bytes: Buffer, number: number): string {
  const text = bytes.toString('utf8').trim()
  return number === 1 ? text.replace(/^\uFEFF/, '') : text
}
