/** Rules of the house about style sheets: both directions of writing, and the size of type that a reader has set. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

type Rule = (files: unknown, root: string) => string[]

const logicalStyles: Rule = (_files, root) =>
  styleSheets(root).flatMap(({ path, text }) =>
    [
      ...text
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/(?:^|[;{\s])((?:margin|padding|border)-(?:left|right)\b|text-align:\s*(?:left|right)\b|(?:^|[;{\s])(?:left|right):)/g),
    ].map((match) => `${path}: '${match[1]?.trim()}' breaks right to left; use logical properties`),
  )

/** The values of a shorthand; what stands in parentheses is one with them. */
function sidesOf(value: string): string[] {
  const sides: string[] = ['']
  let depth = 0
  for (const sign of value.trim().replaceAll(/\s+/g, ' ')) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === ' ' && depth === 0) sides.push('')
    else sides[sides.length - 1] += sign
  }
  return sides
}

/** A shorthand with another figure on the right than on the left stays there when the writing turns. */
const evenSides: Rule = (_files, root) =>
  styleSheets(root).flatMap(({ path, text }) =>
    [...text.matchAll(/(?:^|[;{\s])((?:padding|margin|inset):\s*([^;{}]+))/g)].flatMap(([, found = '', value = '']) => {
      const [, right, , left] = sidesOf(value)
      return left === undefined || left === right ? [] : [`${path}: '${found}' has unlike sides, which do not turn; use -inline and -block`]
    }),
  )

/** Type grows with what a reader has set in the browser; names on the map have their place in pixels. */
const typeInRem: Rule = (_files, root) =>
  styleSheets(root)
    .filter(({ path }) => !path.startsWith('web/src/map/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/font-size:[^;{}]*\dpx/g)].map(([found]) => `${path}: '${found}' ignores the text size a reader has set; use rem`),
    )

function styleSheets(root: string): { path: string; text: string }[] {
  const directory = join(root, 'web/src')
  if (!existsSync(directory)) return []
  const found: string[] = []
  const visit = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.isDirectory()) visit(join(at, entry.name))
      else if (entry.name.endsWith('.css')) found.push(join(at, entry.name))
    }
  }
  visit(directory)
  return found.map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }))
}

/** Rules by name, for the tests that feed each a violation. */
export const styleRules = { logicalStyles, evenSides, typeInRem } satisfies Record<string, Rule>
