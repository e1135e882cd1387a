/** The address a page is rendered for. */
import { refuse } from '#/platform/refuse.ts'

/** What was asked, on our own host whatever it looks like: `//evil.test` and `/\evil.test` are paths of ours. @throws bad_input for what is no path */
export function pageAddress(asked: string, publicUrl: string): URL {
  const address = asked.startsWith('/') ? URL.parse(new URL(publicUrl).origin + asked) : null
  if (!address) throw refuse('bad_input')
  return address
}
