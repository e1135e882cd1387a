// What a guest wanted to mark, carried through sign-in by the address to come back to. A hash never reaches the server.
export const favouriteHash = (id: string): string => `#favourite=${id}`

/** Null when the address carries none, or something that is no id. */
export const favouriteOfHash = (hash: string): string | null => /^#favourite=([\da-f-]{36})$/.exec(hash)?.[1] ?? null
