// What waits at the desk: kept on the device until the server has it, shown by every tab, sent by one.
import { useEffect, useEffectEvent, useMemo } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useLive } from '#/platform/live-socket.ts'
import { useUser } from '#/platform/session.tsx'
import { minuteMs } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/platform/time.ts'
import { createStore, useStore } from '#/ui/store.ts'
import { type DeskChange, inOrder, visitOf } from './changes.ts'
import { forget, keep, listKept } from './kept-json.ts'
import { decided, replay } from './replay.ts'
import { ownerOf } from './sheet.ts'

/** Apart from what the worker keeps: a session that ends on the server does not take away what was not sent yet. */
const cacheName = 'desk-1'

const store = createStore<readonly DeskChange[]>([])
// On the server it would keep a thread alive.
const news = typeof window === 'undefined' || typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(cacheName)

const keyOf = ({ owner, id }: DeskChange): string => `${owner}/${id}`
const list = async (owner: string): Promise<DeskChange[]> => inOrder((await listKept(cacheName, `${owner}/`)) as DeskChange[])

async function show(owner: string): Promise<void> {
  store.set(await list(owner))
}
async function put(change: DeskChange): Promise<void> {
  await keep(cacheName, keyOf(change), change)
  await show(change.owner)
  news?.postMessage(null)
}
async function remove(change: DeskChange): Promise<void> {
  await forget(cacheName, keyOf(change))
  await show(change.owner)
  news?.postMessage(null)
}

function send(change: DeskChange): Promise<{ _id: string; version: number }> {
  const { key: idempotencyKey } = change
  switch (change.kind) {
    case 'attendance': {
      const { attendance, was, madeAt } = change
      return dashboardApi.noteAttendance({ params: { id: change.visitId }, body: { attendance, was, at: madeAt }, idempotencyKey })
    }
    case 'move': {
      const { startsAt, version, staffId, segment } = change
      const body = { startsAt, version, ...(staffId !== undefined && { staffId }), ...(segment !== undefined && { segment }) }
      return dashboardApi.moveInstituteVisit({ params: { id: change.visitId }, body, idempotencyKey })
    }
    case 'walkIn': {
      const { startsAt, service, staffId, name, overbook } = change
      const [firstName = '', ...rest] = name.trim().split(/\s+/)
      const customer = firstName === '' ? {} : { customer: { firstName, ...(rest.length > 0 && { lastName: rest.join(' ') }) } }
      const reason = overbook === undefined ? {} : { overbook: { reason: overbook } }
      const body = { services: [{ serviceId: service._id, staffId }], startsAt, ...customer, ...reason }
      return dashboardApi.bookForClient({ body, idempotencyKey })
    }
  }
}

let before: Promise<unknown> = Promise.resolve()
/** One tab sends; where tabs cannot agree, the keys see to it that it is done once. */
function alone(work: () => Promise<boolean>): Promise<boolean> {
  const locks: LockManager | null | undefined = navigator.locks
  if (locks) return locks.request(cacheName, work)
  const next = before.then(work, work)
  before = next
  return next
}

const sendAll = (owner: string): Promise<boolean> => alone(() => replay({ list: () => list(owner), put, remove, send, now: Date.now }))

type New<Change> = Change extends DeskChange ? Omit<Change, 'id' | 'owner' | 'madeAt' | 'key' | 'keyedAt' | 'isTried' | 'refusal'> : never
export type NewChange = New<DeskChange>

/** Later than all before it: the order in which things were done is the order in which they are sent. */
function timeAfter(changes: readonly DeskChange[]): string {
  const last = changes.reduce((latest, { madeAt }) => Math.max(latest, parseInstant(madeAt)), 0)
  return instantText(Math.max(Date.now(), last + 1))
}

export function useDesk() {
  const user = useUser()
  const owner = user && ownerOf(user)
  const queries = useQueryClient()
  const all = useStore(store)
  const changes = useMemo(() => all.filter((one) => one.owner === owner), [all, owner])
  async function sendNow() {
    if (owner === null || !navigator.onLine) return
    await sendAll(owner).catch(() => false)
    await queries.invalidateQueries({ queryKey: dashboardKeys.diary.all })
  }
  return {
    owner,
    changes,
    waiting: changes.filter(({ refusal }) => refusal === null),
    refused: changes.filter(({ refusal }) => refusal !== null),
    sendNow,
    async add(change: NewChange) {
      if (owner === null) return
      const madeAt = timeAfter(changes)
      const kept = { id: crypto.randomUUID(), owner, madeAt, key: crypto.randomUUID(), keyedAt: madeAt, isTried: false, refusal: null }
      await put({ ...change, ...kept })
      await sendNow()
    },
    /** Another wish instead of the one that was refused, or that was not sent yet. */
    async decide<Change extends DeskChange>(change: Change, part: Partial<Change>) {
      await put(decided(change, part, Date.now()))
      await sendNow()
    },
    /** With a walk-in goes what was noted of it. */
    async drop(change: DeskChange) {
      for (const one of changes)
        if (one.id === change.id || (change.kind === 'walkIn' && visitOf(one) === visitOf(change))) await remove(one)
      await sendNow()
    },
  }
}

/** What the server does not have yet, whichever page is open. */
export const waitingAt = (owner: string): Promise<DeskChange[]> => list(owner)
export async function forgetWaiting(changes: readonly DeskChange[]): Promise<void> {
  for (const change of changes) await remove(change)
}

export type Desk = ReturnType<typeof useDesk>

/** Follows what other tabs do, and sends what waits: at once, when the connection is back, and each half minute while something is left. */
export function useDeskWatch(): void {
  const { owner, waiting, sendNow } = useDesk()
  const hasWaiting = waiting.length > 0
  const again = useEffectEvent(() => void sendNow())
  useLive('back', () => void sendNow())
  useEffect(() => {
    if (owner === null) return
    const follow = () => void show(owner)
    follow()
    news?.addEventListener('message', follow)
    return () => news?.removeEventListener('message', follow)
  }, [owner])
  useEffect(() => {
    if (!hasWaiting) return
    again()
    const timer = setInterval(again, minuteMs / 2)
    addEventListener('online', again)
    return () => {
      clearInterval(timer)
      removeEventListener('online', again)
    }
  }, [hasWaiting])
}
