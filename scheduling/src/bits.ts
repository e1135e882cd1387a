/** Rows of one bit per minute: a day of a member is 45 words, and a question about a stretch reads one or two of them. */

/** Bit i is minute i of the row; every stretch asked about must lie inside the row. */
export type Bits = Int32Array

/** A row of `length` minutes, all clear. */
export function newBits(length: number): Bits {
  return new Int32Array((length + 31) >>> 5)
}

/** Sets the minutes from…to (half-open); the part outside the row is dropped. */
export function setStretch(bits: Bits, from: number, to: number): void {
  const start = Math.max(from, 0)
  const end = Math.min(to, bits.length << 5)
  if (end <= start) return
  const first = start >>> 5
  const last = (end - 1) >>> 5
  const head = -1 << (start & 31)
  const tail = -1 >>> (31 - ((end - 1) & 31))
  if (first === last) {
    bits[first]! |= head & tail
    return
  }
  bits[first]! |= head
  if (last - first > 1) bits.fill(-1, first + 1, last)
  bits[last]! |= tail
}

/** Clears the minutes from…to (half-open); the part outside the row is ignored. */
export function clearStretch(bits: Bits, from: number, to: number): void {
  const start = Math.max(from, 0)
  const end = Math.min(to, bits.length << 5)
  if (end <= start) return
  const first = start >>> 5
  const last = (end - 1) >>> 5
  const head = -1 << (start & 31)
  const tail = -1 >>> (31 - ((end - 1) & 31))
  if (first === last) {
    bits[first]! &= ~(head & tail)
    return
  }
  bits[first]! &= ~head
  if (last - first > 1) bits.fill(0, first + 1, last)
  bits[last]! &= ~tail
}

/** Whether any minute of from…to (half-open) is set. */
export function anySet(bits: Bits, from: number, to: number): boolean {
  if (to <= from) return false
  let word = from >>> 5
  const last = (to - 1) >>> 5
  const head = -1 << (from & 31)
  const tail = -1 >>> (31 - ((to - 1) & 31))
  if (word === last) return (bits[word]! & head & tail) !== 0
  if ((bits[word]! & head) !== 0) return true
  while (++word < last) if (bits[word] !== 0) return true
  return (bits[last]! & tail) !== 0
}

/** Whether one minute is set. */
export function isSet(bits: Bits, minute: number): boolean {
  return (bits[minute >>> 5]! & (1 << (minute & 31))) !== 0
}

/** The first set minute of from…limit, or `limit`. */
export function nextSet(bits: Bits, from: number, limit: number): number {
  if (from >= limit) return limit
  let word = from >>> 5
  const last = (limit - 1) >>> 5
  let found = bits[word]! & (-1 << (from & 31))
  while (found === 0) {
    if (++word > last) return limit
    found = bits[word]!
  }
  const minute = (word << 5) + (31 - Math.clz32(found & -found))
  return minute < limit ? minute : limit
}

/** The first minute of from…limit that is set in `bits` and not in `other`, or `limit`. */
export function nextMissing(bits: Bits, other: Bits, from: number, limit: number): number {
  if (from >= limit) return limit
  let word = from >>> 5
  const last = (limit - 1) >>> 5
  let found = bits[word]! & ~other[word]! & (-1 << (from & 31))
  while (found === 0) {
    if (++word > last) return limit
    found = bits[word]! & ~other[word]!
  }
  const minute = (word << 5) + (31 - Math.clz32(found & -found))
  return minute < limit ? minute : limit
}

/** The first clear minute of from…limit, or `limit`. */
export function nextClear(bits: Bits, from: number, limit: number): number {
  if (from >= limit) return limit
  let word = from >>> 5
  const last = (limit - 1) >>> 5
  let found = ~bits[word]! & (-1 << (from & 31))
  while (found === 0) {
    if (++word > last) return limit
    found = ~bits[word]!
  }
  const minute = (word << 5) + (31 - Math.clz32(found & -found))
  return minute < limit ? minute : limit
}

/** The minute after the last set one of limit…from (half-open), or `limit` when none is set. */
export function previousSetEnd(bits: Bits, from: number, limit: number): number {
  if (from <= limit) return limit
  let word = (from - 1) >>> 5
  const first = limit >>> 5
  let found = bits[word]! & (-1 >>> (31 - ((from - 1) & 31)))
  while (found === 0) {
    if (--word < first) return limit
    found = bits[word]!
  }
  const minute = (word << 5) + (32 - Math.clz32(found))
  return minute > limit ? minute : limit
}

/** How many minutes of from…to (half-open) are set. */
export function countSet(bits: Bits, from: number, to: number): number {
  if (to <= from) return 0
  const first = from >>> 5
  const last = (to - 1) >>> 5
  let count = 0
  for (let word = first; word <= last; word++) {
    let value = bits[word]!
    if (value === 0) continue
    if (word === first) value &= -1 << (from & 31)
    if (word === last) value &= -1 >>> (31 - ((to - 1) & 31))
    value -= (value >>> 1) & 0x55555555
    value = (value & 0x33333333) + ((value >>> 2) & 0x33333333)
    count += Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

/** Sets in `bits` every minute that is set in `more`, a row of the same length. */
export function addBits(bits: Bits, more: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word]! |= more[word]!
}

/** Leaves set in `bits` what is set in `other` too, a row of the same length. */
export function keepBits(bits: Bits, other: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word]! &= other[word]!
}

/** Sets in `bits` every minute of from…to (half-open, inside the rows) that is set in `more`, a row of the same length. */
export function addStretch(bits: Bits, more: Bits, from: number, to: number): void {
  if (to <= from) return
  const first = from >>> 5
  const last = (to - 1) >>> 5
  for (let word = first; word <= last; word++) {
    let value = more[word]!
    if (word === first) value &= -1 << (from & 31)
    if (word === last) value &= -1 >>> (31 - ((to - 1) & 31))
    bits[word]! |= value
  }
}
