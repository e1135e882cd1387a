// What the platform's formats have written: dates, prices, durations, lists. Each is written once, and a document carries
// those it shows. The first text of any of these formats costs a browser 25 to 40 ms, on a phone a tenth of a second, while
// the page takes over; and two browsers may word a day differently.

/** The element of the document that carries the texts. */
export const formattedElementId = 'formatted'

/** Days, prices and languages that a process meets; beyond that the memory starts anew. */
const most = 5000
const known = new Map<string, string>()

type Note = (key: string, text: string) => void
let note: Note | null = null

/** The text under a key that says everything it depends on. */
export function formatted(key: string, write: () => string): string {
  let text = known.get(key)
  if (text === undefined) {
    text = write()
    if (known.size >= most) known.clear()
    known.set(key, text)
  }
  note?.(key, text)
  return text
}

/** Where texts are made for documents: who is told of each that is asked for. */
export function onFormatted(told: Note): void {
  note = told
}

/** Stands in a document until all its texts are known. */
export const formattedPlace = '{"formatted":"here"}'

/** The document with the texts that were written for it. */
export function withFormatted(html: string, texts: ReadonlyMap<string, string>): string {
  const json = JSON.stringify(Object.fromEntries(texts)).replaceAll('<', String.raw`\u003c`)
  return html.replace(formattedPlace, () => json)
}

/** Takes over what the document carries. */
export function readFormatted(json: string | null | undefined): void {
  if (!json || json === formattedPlace) return
  for (const [key, text] of Object.entries(JSON.parse(json) as Record<string, string>)) known.set(key, text)
}
