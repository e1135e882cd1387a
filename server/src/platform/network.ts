/** The network an address counts for in limits. */
import ipaddr from 'ipaddr.js'

/** An IPv4 address itself; of an IPv6 address the first 64 bits, since one subscriber has all the rest. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
