// The place to come back to after signing in. It is always a path of this site.

const origin = 'https://soigne.invalid'
// Browsers drop control characters and read a backslash as a slash; both could smuggle in another site.
const unsafe = /[\u0000-\u0020\u007f\\]/

/** The path, query and hash to return to, or null when the text could lead anywhere else. */
export function returnLocation(text: string | null | undefined): string | null {
  if (!text || !text.startsWith('/') || text.startsWith('//') || unsafe.test(text)) return null
  if (!URL.canParse(text, origin)) return null
  const url = new URL(text, origin)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !path.startsWith('//') ? path : null
}

type Place = { pathname: string; search: string; hash: string }

export function placeText({ pathname, search, hash }: Place): string {
  return pathname + search + hash
}
