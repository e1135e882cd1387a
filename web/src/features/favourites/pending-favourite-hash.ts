// What a guest wanted to mark, carried through sign-in by the address to come back to. A hash never reaches the server.
const start = '#favourite='

export const favouriteHash = (id: string): string => start + encodeURIComponent(id)

/** Null when the address carries none. */
export const favouriteOfHash = (hash: string): string | null =>
  hash.startsWith(start) ? decodeURIComponent(hash.slice(start.length)) : null
