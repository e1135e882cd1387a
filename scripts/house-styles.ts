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
export const styleRules = { logicalStyles, typeInRem } satisfies Record<string, Rule>
