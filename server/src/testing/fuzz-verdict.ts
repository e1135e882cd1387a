/** Whether an answer is one we promised: never our fault, always a code and words, always the declared shape. */
import { calls } from '@soigne/contract/calls'
import type { Call } from '@soigne/contract/define'
import { refusals } from '@soigne/contract/refusals'

export interface FuzzAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

const insides = /\bat .*\.ts:|\bselect .* from |\binsert into |violates|node_modules/i

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}

/**
 * What is wrong with a refusal; null when nothing is. `page`: the address is one of a page, which may refuse with a page. `declared`: what the call says it may
 * be refused with; that somebody else cannot be reached is none of our faults where it is said so.
 */
export function wrongWithRefusal(answer: FuzzAnswer, asked: { head: boolean; page: boolean; declared?: readonly string[] }): string | null {
  const type = answer.headers['content-type'] ?? ''
  const isDeclared = answer.status === 503 && asked.declared?.includes(String(jsonOf(answer.text)?.['code'])) === true
  if (answer.status >= 500 && !isDeclared) return 'our fault'
  if (answer.status < 400 || asked.head) return null
  if (asked.page && type.startsWith('text/html')) return /<title|<h1/i.test(answer.text) ? null : 'a page without words'
  if (!type.startsWith('application/json')) return `a refusal of type '${type}'`
  const body = jsonOf(answer.text)
  if (!body || !Object.hasOwn(refusals, String(body['code']))) return 'a refusal without a code of the list'
  if (typeof body['message'] !== 'string' || body['message'] === '') return 'a refusal without words'
  if (refusals[body['code'] as keyof typeof refusals] !== answer.status) return 'a status that is not the code’s'
  if (insides.test(answer.text)) return 'a refusal that shows our insides'
  if (answer.status === 429 && answer.headers['retry-after'] === undefined && body['timeLeft'] === undefined)
    return 'a wait without its length'
  return null
}

/** What is wrong with the answer of a call; null when nothing is. */
export function wrongWithCall(operationId: string, answer: FuzzAnswer): string | null {
  const call: Call = calls[operationId as keyof typeof calls]
  if (answer.status >= 400) return wrongWithRefusal(answer, { head: false, page: false, declared: call.refusals ?? [] })
  if (answer.status !== (call.status ?? 200)) return 'a status that was not declared'
  const type = answer.headers['content-type'] ?? ''
  if (typeof call.answer === 'string') return type.includes(call.answer) ? null : `type '${type}' instead of ${call.answer}`
  const body = jsonOf(answer.text)
  if (body === null) return 'no JSON'
  return call.answer.safeParse(body).success ? null : 'another shape than declared'
}
