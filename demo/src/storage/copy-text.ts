// Rows as the text that COPY reads: a line for each row, tabs between columns.
import { arrayColumns } from '#/rows/tables.ts'

const special = /[\\\t\n\r]/
const escaped = (text: string): string =>
  special.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : text

/** Words of menus and titles come again and again as the same objects. */
const known = new WeakMap<object, string>()

function jsonOf(value: object): string {
  let text = known.get(value)
  if (text === undefined) known.set(value, (text = escaped(JSON.stringify(value))))
  return text
}

const arrayOf = (list: readonly unknown[]): string => `{${list.map((one) => `"${String(one)}"`).join()}}`

function textOf(column: string, value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value !== 'object') return String(value)
  return Array.isArray(value) && arrayColumns.has(column) ? arrayOf(value) : jsonOf(value)
}

/** One line; the columns are the keys in this order. */
export function copyLine(columns: readonly string[], row: Readonly<Record<string, unknown>>): string {
  let line = ''
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at] ?? ''
    line += at === 0 ? textOf(column, row[column]) : `\t${textOf(column, row[column])}`
  }
  return `${line}\n`
}

const encoder = new TextEncoder()
/** Bytes that a letter takes at most. */
const widest = 3

/** Text that grows, kept as UTF-8: strings by the hundred thousand would keep the collector busy. */
export class GrowingText {
  #bytes = new Uint8Array(1 << 16)
  #length = 0

  add(text: string): void {
    const most = this.#length + text.length * widest
    if (most > this.#bytes.length) {
      const wider = new Uint8Array(Math.max(most, this.#bytes.length * 2))
      wider.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = wider
    }
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }
}
