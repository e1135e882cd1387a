/** The clock rules of the zones in use, as pages carry them. */
import type { Instant } from '@soigne/contract/time'
import { zoneOffsets } from '#/platform/zone-offsets.ts'

/** One line for all zones with the same rules: their names, then their offsets around now. A text, since a page with hundreds of lists is slow to write. */
export function clockRules(zones: readonly string[], now: Instant): string {
  const byOffsets = new Map<string, string[]>()
  for (const zone of zones) {
    const offsets = zoneOffsets(zone, now).join(' ')
    byOffsets.set(offsets, [...(byOffsets.get(offsets) ?? []), zone])
  }
  return [...byOffsets].map(([offsets, names]) => `${names.join(' ')} ${offsets}`).join('\n')
}
