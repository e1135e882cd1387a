/** The address a page is rendered for. */
import { refuse } from '#/platform/refuse.ts'

/** What was asked, on our own host whatever it looks like: `//evil.test` and `/\evil.test` are paths of ours. @throws bad_input for what is no path */
export function pageAddress(asked: string, publicUrl: string): URL {
  const address = asked.startsWith('/') ? URL.parse(new URL(publicUrl).origin + asked) : null
  if (!address) throw refuse('bad_input')
  return address
}

/** What advertisements and letters hang on a link to tell where somebody came from; no page of ours reads it. */
const trace = /^(?:utm_\w+|fbclid|gclid|gbraid|wbraid|dclid|msclkid|ttclid|twclid|yclid|igshid|mc_[ce]id|_ga|_gl)(?:=|$)/

/** The path and query without such traces, so that everybody who comes from an advertisement is shown the same kept page. */
export function withoutTraces(asked: string): string {
  const [path = '', ...queries] = asked.split('?')
  const pairs = queries
    .join('?')
    .split('&')
    .filter((pair) => pair !== '' && !trace.test(pair))
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}
