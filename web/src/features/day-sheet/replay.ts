// Sending what waited: in order, each under its key, and by one tab at a time. What the server refuses is left for somebody to choose.
import { hourMs } from '@soigne/contract/time'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { instantText, parseInstant } from '#/platform/time.ts'
import { type DeskChange, inOrder, nextToSend, visitOf } from './changes.ts'

/** The server forgets a key after a day: what is older could be done twice, so it is asked about first. */
const longestMs = 20 * hourMs

export type ReplayPorts = {
  list: () => Promise<DeskChange[]>
  put: (change: DeskChange) => Promise<void>
  remove: (change: DeskChange) => Promise<void>
  /** Answers with the visit as it is afterwards. */
  send: (change: DeskChange) => Promise<{ _id: string; version: number }>
  now: () => number
}

/** Asked again later: the server was not reached, or is away for the moment. */
export const mayGoLater = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429 || error.status === 401

/** What follows about the same visit: it has the server's id now, and was seen as this change left it. */
async function follow({ list, put }: ReplayPorts, done: DeskChange, answer: { _id: string; version: number }): Promise<void> {
  const seen = done.kind === 'walkIn' ? answer.version : done.version
  // A higher version than this change made is somebody else's change, which the next one has to hear of.
  const version = answer.version <= seen + 1 ? answer.version : seen
  for (const later of inOrder(await list())) {
    if (later.id === done.id || later.kind === 'walkIn' || visitOf(later) !== visitOf(done)) continue
    await put({ ...later, visitId: answer._id, version })
  }
}

/** @returns whether everything that can be sent was sent */
export async function replay(ports: ReplayPorts): Promise<boolean> {
  for (let next = nextToSend(await ports.list()); next; next = nextToSend(await ports.list())) {
    if (ports.now() - parseInstant(next.keyedAt) > longestMs) {
      await ports.put({ ...next, refusal: { code: 'too_old', message: '' } })
      continue
    }
    await ports.put({ ...next, isTried: true })
    try {
      await follow(ports, next, await ports.send(next))
      await ports.remove(next)
    } catch (error) {
      if (mayGoLater(error)) return false
      await ports.put({ ...next, isTried: true, refusal: { code: (error as ApiError).code ?? '', message: failureText(error) } })
    }
  }
  return true
}

/** What somebody chose: another wish, with a key of its own. */
export const decided = <Change extends DeskChange>(change: Change, part: Partial<Change>, now: number): Change => ({
  ...change,
  ...part,
  key: crypto.randomUUID(),
  keyedAt: instantText(now),
  isTried: false,
  refusal: null,
})
