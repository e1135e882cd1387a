/** What calls answered to pages, kept as long as a page may be old: pages made from the same answers share one reading of them. */
import { hash } from 'node:crypto'

export type ReadCall = (name: string, input: unknown) => Promise<unknown>

export interface KeptAnswer {
  /** The answer as JSON. */
  json: string
  /** Two answers that say the same have the same. */
  digest: string
  /** When it was true. */
  readAt: number
}
export type ReadAnswer = (name: string, input: unknown) => Promise<KeptAnswer>

export interface PageAnswersOptions {
  /** Milliseconds an answer is given again without asking. */
  freshForMs: number
  size: number
  now?: () => number
}

/** A reader over another one; answers of different scopes (languages) are told apart. */
export function keepAnswers({
  freshForMs,
  size,
  now = () => performance.now(),
}: PageAnswersOptions): (scope: string, read: ReadCall) => ReadAnswer {
  const kept = new Map<string, { readAt: number; answer: Promise<KeptAnswer> }>()
  return (scope, read) => (name, input) => {
    const key = `${scope} ${name} ${JSON.stringify(input)}`
    const known = kept.get(key)
    const readAt = now()
    if (known && readAt - known.readAt < freshForMs) return known.answer
    const answer = read(name, input).then((said) => {
      const json = JSON.stringify(said ?? null)
      return { json, digest: hash('sha1', json, 'base64'), readAt }
    })
    kept.delete(key)
    kept.set(key, { readAt, answer })
    if (kept.size > size) kept.delete(kept.keys().next().value ?? '')
    answer.catch(() => kept.get(key)?.answer === answer && kept.delete(key))
    return answer
  }
}
