/** The library draws elements of React; this is all of React that the server knows, and none of it is of the web. */
export type Drawn = import('react').ReactNode
export const { createElement: h } = await import('react')
