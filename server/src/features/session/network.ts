/** The network an address counts for in limits. */
import { isIPv6 } from 'node:net'

/** An IPv4 address itself; of an IPv6 address the first 64 bits, since one subscriber has all the rest. */
export function networkOf(address: string): string {
  const bare = address.split('%')[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped) return mapped[1] ?? bare
  if (!isIPv6(bare)) return bare
  const [head = '', tail = ''] = bare.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = bare.includes('::') ? Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0') : []
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
