// Addresses of the two font files every Latin page shows above the fold, to be preloaded by the document.
import newsreader from './faces/newsreader-display-latin.woff2?url'
import hankenGrotesk from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url'
import markaziText from '@fontsource-variable/markazi-text/files/markazi-text-arabic-wght-normal.woff2?url'
import plexArabic from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2?url'

export const latinFontUrls: readonly string[] = [newsreader, hankenGrotesk]

/** What an Arabic page shows first; its digits and Latin names follow by unicode-range. */
export const arabicFontUrls: readonly string[] = [markaziText, plexArabic]
