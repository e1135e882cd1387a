// Three palettes for each category: ground, main, second, accent, deep, line.
import { papers, type PaperName, type Papers } from './papers.ts'

type Palette = readonly [PaperName, PaperName, PaperName, PaperName, PaperName, PaperName]

const table = {
  hair: [
    ['shell', 'clay', 'brick', 'ochre', 'plum', 'ivory'],
    ['lilac', 'wine', 'plum', 'mauve', 'ink', 'butter'],
    ['butter', 'ochre', 'brick', 'clay', 'ink', 'ivory'],
  ],
  barbering: [
    ['sky', 'forest', 'teal', 'clay', 'ink', 'ivory'],
    ['sand', 'ink', 'brick', 'clay', 'forest', 'ivory'],
    ['bone', 'teal', 'forest', 'ochre', 'ink', 'ivory'],
  ],
  nails: [
    ['blush', 'plum', 'wine', 'clay', 'rose', 'ivory'],
    ['ivory', 'rose', 'clay', 'ochre', 'plum', 'ink'],
    ['sage', 'ivory', 'blush', 'rose', 'forest', 'plum'],
  ],
  massage: [
    ['sage', 'bone', 'moss', 'forest', 'sand', 'ivory'],
    ['sand', 'moss', 'ivory', 'clay', 'forest', 'ivory'],
    ['sky', 'ivory', 'teal', 'sand', 'forest', 'ivory'],
  ],
  body: [
    ['butter', 'clay', 'blush', 'ochre', 'brick', 'ivory'],
    ['shell', 'rose', 'clay', 'butter', 'wine', 'ivory'],
    ['sage', 'sand', 'moss', 'butter', 'forest', 'ivory'],
  ],
  skincare: [
    ['bone', 'sage', 'moss', 'clay', 'forest', 'ink'],
    ['sky', 'ivory', 'teal', 'butter', 'forest', 'ink'],
    ['shell', 'ivory', 'blush', 'sage', 'wine', 'plum'],
  ],
  makeup: [
    ['plum', 'blush', 'rose', 'clay', 'ochre', 'ivory'],
    ['shell', 'clay', 'wine', 'ochre', 'plum', 'ink'],
    ['ivory', 'rose', 'brick', 'mauve', 'plum', 'ink'],
  ],
  eyebrows: [
    ['blush', 'ivory', 'clay', 'ochre', 'ink', 'ink'],
    ['butter', 'ivory', 'ochre', 'clay', 'plum', 'ink'],
    ['lilac', 'ivory', 'mauve', 'rose', 'plum', 'plum'],
  ],
  fitness: [
    ['clay', 'butter', 'shell', 'ivory', 'brick', 'ink'],
    ['forest', 'sage', 'butter', 'clay', 'moss', 'ivory'],
    ['sky', 'clay', 'ivory', 'ochre', 'teal', 'ink'],
  ],
  medical: [
    ['sky', 'ivory', 'teal', 'clay', 'forest', 'ivory'],
    ['sage', 'ivory', 'forest', 'blush', 'moss', 'ivory'],
    ['ivory', 'sage', 'teal', 'ochre', 'forest', 'ivory'],
  ],
  counseling: [
    ['lilac', 'plum', 'blush', 'ochre', 'wine', 'ivory'],
    ['sage', 'forest', 'butter', 'clay', 'moss', 'ivory'],
    ['sand', 'teal', 'blush', 'ochre', 'forest', 'ivory'],
  ],
  fillers: [
    ['shell', 'wine', 'clay', 'rose', 'plum', 'ivory'],
    ['blush', 'brick', 'plum', 'ivory', 'wine', 'ivory'],
    ['lilac', 'rose', 'wine', 'butter', 'plum', 'ivory'],
  ],
  'hair-removal': [
    ['butter', 'ivory', 'ochre', 'clay', 'brick', 'ink'],
    ['shell', 'ivory', 'blush', 'sage', 'wine', 'plum'],
    ['sky', 'ivory', 'sand', 'teal', 'forest', 'ink'],
  ],
  tatto: [
    ['sand', 'ink', 'forest', 'clay', 'brick', 'ink'],
    ['bone', 'plum', 'ink', 'clay', 'forest', 'ink'],
    ['blush', 'ink', 'forest', 'ivory', 'wine', 'ink'],
  ],
} as const satisfies Record<string, readonly [Palette, Palette, Palette]>

export type CoverCategory = keyof typeof table

export const palettes: Record<CoverCategory, readonly [Palette, Palette, Palette]> = table

export function isCoverCategory(name: string): name is CoverCategory {
  return Object.hasOwn(table, name)
}

export function papersOf(category: CoverCategory, index: 0 | 1 | 2): Papers {
  const [ground, main, second, accent, deep, line] = palettes[category][index]
  return {
    ground: papers[ground],
    main: papers[main],
    second: papers[second],
    accent: papers[accent],
    deep: papers[deep],
    line: papers[line],
  }
}
