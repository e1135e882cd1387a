// What a drop does: a visit asks first, old beside new; blocked time and lengths change at once and can be taken back.
import type { Diary, DiarySession, DiaryVisit } from '@soigne/contract/diary'
import { useState } from 'react'
import { undoMs, useUndo } from '#/diary-changes.ts'
import { shifted, useRefusalWords, useTakeBack, type WishedVisit } from '#/diary-in-the-way.ts'
import { useBlockedTime, useMoveBreak } from '#/features/diary-booking/use-booking-changes.ts'
import type { PlannedMove } from '#/features/diary-visit/move-question.tsx'
import { useMoveSession } from '#/features/diary-sessions/use-sessions.ts'
import { useMoveVisit, useResizeVisit } from '#/features/diary-visit/use-visit-changes.ts'
import type { BlockedItem, BreakItem, GridColumn, SessionItem, VisitItem } from '#/features/time-grid/grid-model.ts'
import type { Change, Place } from '#/features/time-grid/grid-place.ts'
import { instantAt } from '#/platform/dashboard-time.ts'
import { dayOf, minutesBetween, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'
import type { Sheet } from './use-sheet.ts'

type Moved = { kind: 'visit'; visit: DiaryVisit; segment: number | undefined } | { kind: 'session'; session: DiarySession }

/** What is done where there is no connection. */
export type GridSheet = Pick<Sheet, 'isOffline' | 'takes' | 'acts'>

export type PendingMove = { move: PlannedMove; of: Moved; place: Place; key: string; box: DOMRect; refusal: string | null }

/** What would be moved, as the question says it. */
function usePlanned() {
  const { t } = useTranslation('diary')
  const { t: sessions } = useTranslation('diary-sessions')
  const to = (column: GridColumn, from: number, zone: string) => ({ startsAt: instantAt(column.day, from, zone), staffId: column.staffId })
  const ofVisit = ({ visit, position, part }: VisitItem, column: GridColumn, from: number, zone: string) => {
    const segment = visit.segments.find((one) => one.position === position)
    const move: PlannedMove = {
      ...to(column, from, zone),
      name: visit.customer.name.split(' ')[0] || t('walkIn'),
      action: t('move.action'),
      total: visit.total,
      hint: null,
      from: { startsAt: segment?.startsAt ?? visit.startsAt, staffId: segment?.staffId ?? column.staffId },
    }
    return { move, of: { kind: 'visit', visit, segment: part ?? undefined } as const }
  }
  const ofSession = ({ session }: SessionItem, column: GridColumn, from: number, zone: string) => {
    const move: PlannedMove = {
      ...to(column, from, zone),
      name: session.serviceName,
      action: sessions('moveAction'),
      total: null,
      hint: session.booked === 0 ? null : sessions('movesAll', { count: session.booked }),
      from: session,
    }
    return { move, of: { kind: 'session', session } as const }
  }
  return { ofVisit, ofSession }
}

/** Where the services of a visit would be. */
function wishedOf({ move: { startsAt, staffId, from }, of }: PendingMove): WishedVisit | undefined {
  if (of.kind === 'session') return undefined
  const { visit, segment } = of
  return shifted(visit, minutesBetween(from.startsAt, startsAt), (one) =>
    segment === undefined || one.position === segment ? staffId : one.staffId,
  )
}

/** The service of this place longer by so many minutes, the ones after it later. */
function resized(visit: DiaryVisit, position: number, minutes: number): WishedVisit {
  const later = shifted(visit, minutes, ({ staffId }) => staffId).segments
  const segments = visit.segments.map((one, index) => {
    const moved = later[index] ?? one
    if (one.position > position) return moved
    return one.position === position ? { ...one, endsAt: moved.endsAt } : one
  })
  return { _id: visit._id, segments }
}

function useResize(zone: string) {
  const { t } = useTranslation('diary')
  const resize = useResizeVisit()
  const takeBack = useTakeBack(zone)
  const wordsOf = useRefusalWords(zone)
  return (item: VisitItem, to: number) => {
    const last = item.visit.segments.find(({ position }) => position === item.last)
    if (!last) return
    const before = minutesBetween(last.startsAt, last.endsAt)
    const durationMinutes = Math.max(5, Math.round((before + to - item.whole.to) / 5) * 5)
    const put = (minutes: number, visit = item.visit) => ({ visit, segment: item.last, durationMinutes: minutes })
    const back = (visit: DiaryVisit) => takeBack(() => resize.mutateAsync(put(before, visit)))
    resize.mutate(put(durationMinutes), {
      onSuccess: (visit) =>
        showToast({
          type: 'success',
          title: t('resized', { services: item.services, minutes: durationMinutes }),
          durationMs: undoMs,
          action: { label: t('undo'), onAction: () => back(visit) },
        }),
      onError: (error) => {
        const line = wordsOf(error, resized(item.visit, item.last, durationMinutes - before))
        showToast({ type: 'error', title: t('putBack'), line })
      },
    })
  }
}

function useBlockedMove(zone: string) {
  const { t } = useTranslation('diary')
  const wordsOf = useRefusalWords(zone)
  const { change } = useBlockedTime()
  const takeBack = useTakeBack(zone)
  return ({ blocked }: BlockedItem, column: GridColumn, place: Place) => {
    const body = {
      startsAt: instantAt(column.day, place.from, zone),
      endsAt: instantAt(column.day, place.to, zone),
      staffId: column.staffId,
    }
    const { startsAt, endsAt, staffId } = blocked
    const back = { startsAt, endsAt, ...(staffId !== null && { staffId }) }
    change.mutate(
      { id: blocked._id, body },
      {
        onSuccess: () =>
          showToast({
            type: 'success',
            title: t('block.moved', { from: timeText(body.startsAt, zone), to: timeText(body.endsAt, zone) }),
            durationMs: undoMs,
            action: { label: t('undo'), onAction: () => takeBack(() => change.mutateAsync({ id: blocked._id, body: back })) },
          }),
        onError: (error) => showToast({ type: 'error', title: t('putBack'), line: wordsOf(error) }),
      },
    )
  }
}

function useBreakMove(zone: string) {
  const { t } = useTranslation('diary')
  const move = useMoveBreak()
  const takeBack = useTakeBack(zone)
  const wordsOf = useRefusalWords(zone)
  return ({ staffId, day, startsAt, endsAt }: BreakItem, column: GridColumn, place: Place) => {
    const isElsewhere = column.staffId !== staffId || column.day !== day || dayOf(endsAt, zone) !== day
    if (isElsewhere) return showToast({ type: 'error', title: t('putBack'), line: t('block.breakStays') })
    const from = { startsAt, endsAt }
    const to = { startsAt: instantAt(day, place.from, zone), endsAt: instantAt(day, place.to, zone) }
    const onError = (error: Error) => showToast({ type: 'error', title: t('putBack'), line: wordsOf(error) })
    const back = () => takeBack(() => move.mutateAsync({ staffId, from: to, to: from }))
    const onSuccess = () =>
      showToast({
        type: 'success',
        title: t('block.moved', { from: timeText(to.startsAt, zone), to: timeText(to.endsAt, zone) }),
        durationMs: undoMs,
        action: { label: t('undo'), onAction: back },
      })
    return move.mutate({ staffId, from, to }, { onSuccess, onError })
  }
}

/** Sends a move that was said yes to, and says what became of it. */
function useConfirmed(diary: Diary | undefined, sheet: GridSheet, onDone: () => void, onRefused: (error: Error) => void) {
  const { t } = useTranslation('diary')
  const { t: sessions } = useTranslation('diary-sessions')
  const times = useTimes()
  const moveVisit = useMoveVisit()
  const moveSession = useMoveSession()
  const undo = useUndo()
  function confirm({ move: { startsAt, staffId, from }, of }: PendingMove) {
    if (!diary) return
    const zone = diary.timeZone
    const when = { day: times.day(dayOf(startsAt, zone), zone, 'long'), time: timeText(startsAt, zone) }
    const taker = staffId === from.staffId ? undefined : staffId
    if (of.kind === 'session') {
      const onSuccess = () => {
        onDone()
        showToast({ type: 'success', title: sessions('moved', { name: of.session.serviceName, ...when }) })
      }
      return moveSession.mutate({ session: of.session, startsAt, staffId: taker }, { onSuccess, onError: onRefused })
    }
    const { visit, segment } = of
    if (sheet.takes(visit._id)) {
      onDone()
      return sheet.acts.move(visit, { startsAt, segment, staffId: taker })
    }
    const onSuccess = () => {
      onDone()
      const title = t('move.done', { name: visit.customer.name || t('walkIn'), ...when })
      showToast({ type: 'success', title, durationMs: undoMs, action: undo(visit._id) })
    }
    moveVisit.mutate({ visit, startsAt, segment, staffId: taker }, { onSuccess, onError: onRefused })
  }
  return { confirm, isPending: moveVisit.isPending || moveSession.isPending }
}

export function useGridChanges(diary: Diary | undefined, columns: readonly GridColumn[], sheet: GridSheet) {
  const [pending, setPending] = useState<PendingMove | null>(null)
  const planned = usePlanned()
  const zone = diary?.timeZone ?? 'UTC'
  const resize = useResize(zone)
  const moveBlocked = useBlockedMove(zone)
  const moveBreak = useBreakMove(zone)
  const wordsOf = useRefusalWords(zone)
  const putBack = () => setPending(null)
  const { confirm, isPending } = useConfirmed(diary, sheet, putBack, (error) =>
    setPending((now) => now && { ...now, refusal: wordsOf(error, wishedOf(now)) }),
  )
  function change({ item, place, mode }: Change, box: DOMRect) {
    const column = columns[place.column]
    if (!column || !diary) return
    const isHere = item.kind === 'visit' ? mode === 'end' && sheet.takes(item.visit._id) : sheet.isOffline
    if (isHere) return sheet.acts.refuse()
    if (item.kind === 'blocked') return moveBlocked(item, column, place)
    if (item.kind === 'break') return moveBreak(item, column, place)
    if (item.kind === 'session') {
      return setPending({ ...planned.ofSession(item, column, place.from, zone), place, key: item.key, box, refusal: null })
    }
    if (mode === 'end') return resize(item, place.to)
    setPending({ ...planned.ofVisit(item, column, place.from, zone), place, key: item.key, box, refusal: null })
  }
  return { pending, change, confirm: () => pending && confirm(pending), putBack, isPending }
}
