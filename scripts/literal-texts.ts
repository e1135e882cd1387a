/**
 * Texts that people read and that stand in the code instead of a catalogue: no other language can say them. What a pseudo-language
 * shows page by page is read here from the syntax of every page at once, those included that no journey opens.
 */
import { parseSync } from 'vite'

/** A node of ESTree, as far as it is looked at. */
interface SyntaxNode {
  type: string
  [part: string]: unknown
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
const nodesOf = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? value : [value]).filter(isNode)

/** Attributes whose value is read by people. */
const readAttributes = /^(?:aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|alt|label|hint|legend|lede)$/

/** Letters of a word; a single one is a sign, as the × of 2 × 3. */
const word = /\p{L}{2,}/u

/** What is written alike in every language. */
const names = /^(?:Soigné|Google|Google Maps|PayPal|Klarna|Facebook|Instagram|WhatsApp|PDF|CSV|JSON)$/u

/** What an expression can come to, where it is written out: `open ? 'Shut' : 'Open'`. */
function literalsOf(node: SyntaxNode): string[] {
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : []
    case 'TemplateLiteral':
      return nodesOf(node['quasis']).map(({ value }) => (value as { raw: string }).raw)
    case 'ConditionalExpression':
      return [...nodesOf(node['consequent']), ...nodesOf(node['alternate'])].flatMap(literalsOf)
    case 'LogicalExpression':
      return nodesOf(node['right']).flatMap(literalsOf)
    case 'BinaryExpression':
      return [...nodesOf(node['left']), ...nodesOf(node['right'])].flatMap(literalsOf)
    case 'ParenthesizedExpression':
    case 'JSXExpressionContainer':
      return nodesOf(node['expression']).flatMap(literalsOf)
    default:
      return []
  }
}

function textsOf(node: SyntaxNode): string[] {
  if (node.type === 'JSXText') return [node['value'] as string]
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return nodesOf(node['children'])
      .filter(({ type }) => type === 'JSXExpressionContainer')
      .flatMap(literalsOf)
  if (node.type !== 'JSXAttribute' || !readAttributes.test(String((node['name'] as SyntaxNode)['name']))) return []
  return nodesOf(node['value']).flatMap(literalsOf)
}

/** @returns the texts of a .tsx file that are in no catalogue */
export function literalTexts(path: string, code: string): string[] {
  const found: string[] = []
  function visit(node: SyntaxNode): void {
    found.push(...textsOf(node).filter((text) => word.test(text) && !names.test(text.trim())))
    for (const part of Object.values(node)) nodesOf(part).forEach(visit)
  }
  nodesOf(parseSync(path, code).program).forEach(visit)
  return found.map((text) => `${path}: '${text.trim()}' is in no catalogue`)
}
