/** The library draws elements of React; this is all of React that the server knows, and none of it is of the web. */
export { createElement as h, type ReactNode as Drawn } from 'react'
