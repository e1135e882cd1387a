// What is on its way: shown at once, sent in order with the key it keeps, and kept through a reload until the server has it.
import type { ChatMessage } from '@soigne/contract/chat'
import { minuteMs } from '@soigne/contract/time'
import { useEffect } from 'react'
import { api } from '#/platform/api.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { useLive } from '#/platform/live-socket.ts'
import { readStored, storageKeys, writeStored } from '#/platform/storage.ts'
import { createStore, type Store, useStore } from '#/ui/store.ts'
import { type OfferedStart, stillUnsent, type Unsent } from './messages.ts'
import { forgetFile, keepFile, keptFile } from './waiting-files.ts'

interface Kept {
  /** Whose it is: the next person at this browser sends none of it. Absent where it was kept before that was noted. */
  by?: string
  draft?: string
  unsent?: KeptUnsent[]
}
/** As it is written down; its file is kept apart. */
type KeptUnsent = Pick<Unsent, 'clientId' | 'text' | 'appointmentId'> & { freeTime?: OfferedStart | null; hasFile?: boolean }

function readAll(): Record<string, Kept> {
  try {
    const all: unknown = JSON.parse(readStored(storageKeys.messages) ?? '{}')
    return typeof all === 'object' && all !== null ? (all as Record<string, Kept>) : {}
  } catch {
    return {}
  }
}
/** A conversation and who writes in it. */
interface Writing {
  id: string
  userId: string
}
function keptOf({ id, userId }: Writing): Kept {
  const kept = readAll()[id]
  return kept && (kept.by ?? userId) === userId ? kept : {}
}
function keep(of: Writing, change: Kept): void {
  // Whoever has signed out leaves nothing behind.
  if (readStored(storageKeys.token) === null) return
  const { [of.id]: _, ...others } = readAll()
  const next: Kept = { ...keptOf(of), ...change, by: of.userId }
  const isEmpty = !next.draft && (next.unsent ?? []).length === 0
  writeStored(storageKeys.messages, JSON.stringify(isEmpty ? others : { ...others, [of.id]: next }))
}

export const draftOf = (of: Writing): string => keptOf(of).draft ?? ''
export const keepDraft = (of: Writing, draft: string): void => keep(of, { draft })

/** Between one try and the next while the server is away; without a line it waits for one. */
const againMs = { first: 10_000, longest: minuteMs }

/** Asked again later: the server was not reached, or is away for the moment. */
const mayGoLater = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500 || error.status === 429

async function post(id: string, { clientId, text, file, appointmentId, freeTime }: Unsent): Promise<ChatMessage> {
  if (freeTime) return api.offerFreeTime({ params: { id }, body: { clientId, ...freeTime } })
  const body = { chatId: id, clientId, ...(text && { text }), ...(appointmentId && { appointmentId }) }
  return api.sendMessage({ body, files: file ? { file } : {} })
}

/** The outbox of one conversation; it goes on sending when the page shows something else. */
interface Outbox {
  store: Store<readonly Unsent[]>
  add(one: Unsent): void
  drop(one: Unsent): void
  /** What waits for a connection is tried again. */
  resume(): void
  /** Who shows the conversation hears of what was sent. */
  tell(onSent: (message: ChatMessage) => void): void
}

const shownAgain = ({ hasFile: _, ...one }: KeptUnsent, file: File | null): Unsent => ({ freeTime: null, ...one, file, failure: null })

const writtenDown = ({ file, failure: _, ...one }: Unsent): KeptUnsent => ({ ...one, ...(file && { hasFile: true }) })

const without = (items: readonly Unsent[], { clientId }: Unsent) => items.filter((other) => other.clientId !== clientId)
const withFailure = (items: readonly Unsent[], { clientId }: Unsent, failure: string) =>
  items.map((other) => (other.clientId === clientId ? { ...other, failure } : other))
/** For a connection, or for a server that is away. */
const waits = ({ failure }: Unsent): boolean => failure === ''

const isDue = ({ failure }: Unsent): boolean => failure === null

/** Each twice as long as the one before, up to a minute. */
function growingPause() {
  let ms: number = againMs.first
  return {
    next(): number {
      const now = ms
      ms = Math.min(ms * 2, againMs.longest)
      return now
    },
    reset: () => void (ms = againMs.first),
  }
}

/** What was written down, with its files; without what has lost its own. */
async function withFiles(kept: readonly KeptUnsent[]): Promise<Unsent[]> {
  const files = await Promise.all(kept.map(async ({ clientId, hasFile }) => (hasFile ? keptFile(clientId) : null)))
  return kept.flatMap((one, at) => {
    const file = files[at] ?? null
    return one.hasFile && !file ? [] : [shownAgain(one, file)]
  })
}

function openOutbox(of: Writing): Outbox {
  const kept = keptOf(of).unsent ?? []
  const token = readStored(storageKeys.token)
  /** With the token of whoever signed in next it would be theirs. */
  const isOurs = () => readStored(storageKeys.token) === token
  const store = createStore<readonly Unsent[]>(kept.filter(({ hasFile }) => !hasFile).map((one) => shownAgain(one, null)))
  const pause = growingPause()
  let [isSending, told]: [boolean, (message: ChatMessage) => void] = [false, () => {}]
  /** Files are there a moment later; until then those that have one stay written down. */
  let restoring: Promise<void> | null = kept.some(({ hasFile }) => hasFile) ? restore() : null
  function change(items: readonly Unsent[]) {
    store.set(items)
    if (!isOurs()) return
    keep(of, { unsent: [...(restoring ? kept.filter(({ hasFile }) => hasFile) : []), ...items.map(writtenDown)] })
  }
  async function restore() {
    const before = await withFiles(kept)
    const after = store.get().filter(({ clientId }) => !kept.some((one) => one.clientId === clientId))
    restoring = null
    change([...before, ...after])
  }
  async function send() {
    if (isSending) return
    isSending = true
    await restoring
    const first = () => (isOurs() ? store.get().find(isDue) : undefined)
    for (let next = first(); next; next = first()) {
      try {
        told(await post(of.id, next))
        drop(next)
        pause.reset()
      } catch (error) {
        change(withFailure(store.get(), next, mayGoLater(error) ? '' : failureText(error)))
        if (!mayGoLater(error)) continue
        if (navigator.onLine) setTimeout(resume, pause.next())
        // What comes after it must not come before it.
        break
      }
    }
    isSending = false
  }
  function resume(): void {
    if (!isOurs()) return
    if (store.get().some(waits)) change(store.get().map((one) => (waits(one) ? { ...one, failure: null } : one)))
    void send()
  }
  function drop(one: Unsent) {
    change(without(store.get(), one))
    if (one.file) void forgetFile(one.clientId)
  }
  async function add(one: Unsent) {
    change([...without(store.get(), one), one])
    if (one.file) await keepFile(one.clientId, one.file)
    resume()
  }
  // Whatever the page shows by then.
  addEventListener('online', resume)
  return { store, add: (one) => void add(one), drop, resume, tell: (onSent) => void (told = onSent) }
}

/** What one message says: a text, a file, a visit or a free time. */
export type Draft = Partial<Pick<Unsent, 'text' | 'file' | 'appointmentId' | 'freeTime'>>

/** Of one session. */
const outboxes = new Map<string, Outbox>()
let session: string | null = null
function outboxOf(of: Writing): Outbox {
  const token = readStored(storageKeys.token)
  if (token !== session) outboxes.clear()
  session = token
  const outbox = outboxes.get(of.id) ?? openOutbox(of)
  outboxes.set(of.id, outbox)
  return outbox
}

/** What waited when the page was closed goes out, whatever page is opened next. What somebody else has left here never does. */
export function resumeAll(userId: string): void {
  const all = Object.entries(readAll())
  const own = all.filter(([, { by = userId }]) => by === userId)
  if (own.length < all.length) writeStored(storageKeys.messages, JSON.stringify(Object.fromEntries(own)))
  for (const [id, { unsent = [] }] of own) if (unsent.length > 0) outboxOf({ id, userId }).resume()
}

type Sending = Writing & { known: readonly ChatMessage[]; onSent: (message: ChatMessage) => void }

export function useOutbox({ id, userId, known, onSent }: Sending) {
  const outbox = outboxOf({ id, userId })
  const unsent = stillUnsent(useStore(outbox.store), known)
  useLive('back', outbox.resume)
  useEffect(() => outbox.tell(onSent), [outbox, onSent])
  useEffect(() => outbox.resume(), [outbox])
  return {
    unsent,
    write: ({ text = '', file = null, appointmentId = null, freeTime = null }: Draft) =>
      outbox.add({ clientId: crypto.randomUUID(), text, file, appointmentId, freeTime, failure: null }),
    retry: (one: Unsent) => outbox.add({ ...one, failure: null }),
    drop: outbox.drop,
  }
}
