/** A text in the language of the reader, or in the first one it was written in. */
import type { Words } from './draft.ts'

export const nameIn = (words: Words, locale: string): string => words[locale as keyof Words] ?? words.en ?? words.fr ?? words.ar ?? ''
