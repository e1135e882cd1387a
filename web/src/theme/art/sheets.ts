// The drawings of each trade, as SVG sheets whose colours are names of papers: "main", "mix(main,dark,.4)", and
// "if(second,light,accent,second)" for a paper that would vanish on another. A sheet becomes a picture when it is given papers.
import { isCoverCategory, type CoverCategory } from './palettes.ts'
import { blend, papers as box } from './papers.ts'

const files = import.meta.glob<string>('./sheets/*.svg', { query: '?raw', import: 'default', eager: true })

type Drawing = { title: string; content: string }

function drawingsOf(file: string): Map<string, Drawing> {
  const found = new Map<string, Drawing>()
  for (const [, id = '', title = '', content = ''] of file.matchAll(
    /<symbol id="([\w-]+)">\s*<title>(.*?)<\/title>([\s\S]*?)<\/symbol>/g,
  )) {
    found.set(id, { title, content: content.replace(/\n */g, '') })
  }
  return found
}

const trades = new Map<CoverCategory, Map<string, Drawing>>()
for (const [path, file] of Object.entries(files)) {
  const category = path.slice('./sheets/'.length, -'.svg'.length)
  if (isCoverCategory(category)) trades.set(category, drawingsOf(file))
}

export type NamedPapers = Readonly<Record<string, string>>

/** The parts between the outermost commas. */
function parts(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (text[index] === ',' && depth === 0) {
      found.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...found, text.slice(start)]
}

function known(papers: NamedPapers, name: string): string | undefined {
  return Object.hasOwn(papers, name) ? papers[name] : undefined
}

/** The colour a sheet names. */
export function colourOf(named: string, papers: NamedPapers): string {
  const [, word, inner = ''] = /^(mix|if)\((.*)\)$/.exec(named) ?? []
  if (!word) {
    const colour = known(papers, named) ?? known(box, named)
    if (colour === undefined) throw new Error(`no paper is called ${named}`)
    return colour
  }
  const [first = '', second = '', third = '', fourth = ''] = parts(inner)
  if (word === 'mix') return blend(colourOf(first, papers), colourOf(second, papers), Number(third))
  return colourOf(colourOf(first, papers) === colourOf(second, papers) ? third : fourth, papers)
}

/** A drawing cut from papers; undefined if the trade has no such drawing. */
export function cutFrom(category: CoverCategory, id: string, papers: NamedPapers): string | undefined {
  const drawing = trades.get(category)?.get(id)
  return drawing?.content.replace(
    /(fill|stroke)="(?!none")([^"]+)"/g,
    (_, kind: string, named: string) => `${kind}="${colourOf(named, papers)}"`,
  )
}

export function titlesOf(category: CoverCategory): Record<string, string> {
  return Object.fromEntries([...(trades.get(category) ?? [])].map(([id, { title }]) => [id, title]))
}
