// Addresses of the font files that pages show above the fold, to be preloaded by the document.
import { preload } from 'react-dom'
import newsreader from './faces/newsreader-display-latin.woff2?url'
import newsreaderItalic from './faces/newsreader-display-latin-italic.woff2?url'
import hankenGrotesk from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url'
import markaziText from '@fontsource-variable/markazi-text/files/markazi-text-arabic-wght-normal.woff2?url'
import plexArabic from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2?url'

export const latinFontUrls: readonly string[] = [newsreader, hankenGrotesk]

/** What an Arabic page shows first; its digits and Latin names follow by unicode-range, and stand in measured ones until then. */
export const arabicFontUrls: readonly string[] = [markaziText, plexArabic]

/** For a page whose headline ends in sloping words: their face comes with the page, or the words move when it arrives. Arabic does not slope. */
export function preloadSlopingFace(language: string): void {
  if (language !== 'ar') preload(newsreaderItalic, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
}
