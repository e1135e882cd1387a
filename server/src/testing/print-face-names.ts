/** Gives a TrueType file another name: faces cut from one family would all be called the same, and a PDF knows them by name. */

interface Table {
  tag: string
  bytes: Buffer
}
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

function checksum(bytes: Buffer): number {
  const whole = padded(bytes)
  let sum = 0
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0
  return sum
}

const tablesOf = (font: Buffer): Table[] =>
  Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const record = 12 + 16 * index
    const [offset, length] = [font.readUInt32BE(record + 8), font.readUInt32BE(record + 12)]
    return { tag: font.toString('latin1', record, record + 4), bytes: Buffer.from(font.subarray(offset, offset + length)) }
  })

/** The names of the table for Windows in English, which is all that is read of them. */
function namesOf(table: Buffer): Map<number, Buffer> {
  const texts = table.readUInt16BE(4)
  const names = new Map<number, Buffer>()
  for (let index = 0; index < table.readUInt16BE(2); index++) {
    const [platform, , language, id = 0, length = 0, offset = 0] = Array.from({ length: 6 }, (_, k) =>
      table.readUInt16BE(6 + 12 * index + 2 * k),
    )
    if (platform === 3 && language === 0x409) names.set(id, table.subarray(texts + offset, texts + offset + length))
  }
  return names
}

function nameTable(names: Map<number, Buffer>): Buffer {
  const head = Buffer.alloc(6 + 12 * names.size)
  head.writeUInt16BE(names.size, 2)
  head.writeUInt16BE(head.length, 4)
  let offset = 0
  for (const [index, [id, text]] of [...names].toSorted(([a], [b]) => a - b).entries()) {
    for (const [k, value] of [3, 1, 0x409, id, text.length, offset].entries()) head.writeUInt16BE(value, 6 + 12 * index + 2 * k)
    offset += text.length
  }
  return Buffer.concat([head, ...[...names].toSorted(([a], [b]) => a - b).map(([, text]) => text)])
}

/** The same face under a name of its own; who made it and its licence stay. */
export function renamed(font: Buffer, name: string): Buffer {
  const tables = tablesOf(font)
  for (const table of tables) {
    if (table.tag === 'head') table.bytes.writeUInt32BE(0, 8)
    if (table.tag !== 'name') continue
    const names = namesOf(table.bytes)
    // Family, identity, whole name, PostScript name; the family of an axis is gone with the axis.
    for (const id of [1, 3, 4, 6]) names.set(id, Buffer.from(name, 'utf16le').swap16())
    for (const id of [16, 17, 25]) names.delete(id)
    table.bytes = nameTable(names)
  }
  const head = Buffer.concat([font.subarray(0, 12), Buffer.alloc(16 * tables.length)])
  let offset = head.length
  for (const [index, { tag, bytes }] of tables.entries()) {
    head.write(tag, 12 + 16 * index, 'latin1')
    for (const [k, value] of [checksum(bytes), offset, bytes.length].entries()) head.writeUInt32BE(value, 16 + 16 * index + 4 * k)
    offset += padded(bytes).length
  }
  const whole = Buffer.concat([head, ...tables.map(({ bytes }) => padded(bytes))])
  const at = tables.findIndex(({ tag }) => tag === 'head')
  if (at >= 0) whole.writeUInt32BE((0xb1b0afba - checksum(whole)) >>> 0, whole.readUInt32BE(12 + 16 * at + 8) + 8)
  return whole
}
