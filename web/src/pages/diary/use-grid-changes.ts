// What a drop does: a visit asks first, old beside new; blocked time and lengths change at once and can be taken back.
import type { Diary } from '@soigne/contract/diary'
import { useState } from 'react'
import { undoMs, useUndo } from '#/diary-changes.ts'
import { useBlockedTime } from '#/features/diary-booking/use-booking-changes.ts'
import type { PlannedMove } from '#/features/diary-visit/move-question.tsx'
import { useMoveVisit, useResizeVisit } from '#/features/diary-visit/use-visit-changes.ts'
import type { BlockedItem, GridColumn, VisitItem } from '#/features/time-grid/grid-model.ts'
import type { Change, Place } from '#/features/time-grid/grid-place.ts'
import { failureText } from '#/platform/api-error.ts'
import { instantAt } from '#/platform/dashboard-time.ts'
import { dayOf, minutesBetween, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

export type PendingMove = { move: PlannedMove; place: Place; key: string; box: DOMRect; refusal: string | null }

function plannedMove(item: VisitItem, column: GridColumn, from: number, zone: string): PlannedMove {
  const { visit, position, part } = item
  const segment = visit.segments.find((one) => one.position === position)
  return {
    visit,
    startsAt: instantAt(column.day, from, zone),
    staffId: column.staffId,
    segment: part ?? undefined,
    from: { startsAt: segment?.startsAt ?? visit.startsAt, staffId: segment?.staffId ?? column.staffId },
  }
}

function useResize() {
  const { t } = useTranslation('diary')
  const resize = useResizeVisit()
  return (item: VisitItem, to: number) => {
    const last = item.visit.segments.find(({ position }) => position === item.last)
    if (!last) return
    const before = minutesBetween(last.startsAt, last.endsAt)
    const durationMinutes = Math.max(5, Math.round((before + to - item.whole.to) / 5) * 5)
    const put = (minutes: number, visit = item.visit) => ({ visit, segment: item.last, durationMinutes: minutes })
    resize.mutate(put(durationMinutes), {
      onSuccess: (visit) =>
        showToast({
          type: 'success',
          title: t('resized', { services: item.services, minutes: durationMinutes }),
          durationMs: undoMs,
          action: { label: t('undo'), onAction: () => resize.mutate(put(before, visit)) },
        }),
      onError: (error) => showToast({ type: 'error', title: t('putBack'), line: failureText(error) }),
    })
  }
}

function useBlockedMove() {
  const { t } = useTranslation('diary')
  const { change } = useBlockedTime()
  return ({ blocked }: BlockedItem, column: GridColumn, place: Place, zone: string) => {
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
            action: { label: t('undo'), onAction: () => change.mutate({ id: blocked._id, body: back }) },
          }),
        onError: (error) => showToast({ type: 'error', title: t('putBack'), line: failureText(error) }),
      },
    )
  }
}

export function useGridChanges(diary: Diary | undefined, columns: readonly GridColumn[]) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const [pending, setPending] = useState<PendingMove | null>(null)
  const moveVisit = useMoveVisit()
  const undo = useUndo()
  const resize = useResize()
  const moveBlocked = useBlockedMove()
  function change({ item, place, mode }: Change, box: DOMRect) {
    const column = columns[place.column]
    if (!column || !diary) return
    if (item.kind === 'blocked') return moveBlocked(item, column, place, diary.timeZone)
    if (mode === 'end') return resize(item, place.to)
    setPending({ move: plannedMove(item, column, place.from, diary.timeZone), place, key: item.key, box, refusal: null })
  }
  function confirm() {
    if (!pending || !diary) return
    const { visit, startsAt, staffId, from, segment } = pending.move
    const name = visit.customer.name || t('walkIn')
    const day = times.day(dayOf(startsAt, diary.timeZone), diary.timeZone, 'long')
    moveVisit.mutate(
      { visit, startsAt, segment, staffId: staffId === from.staffId ? undefined : staffId },
      {
        onSuccess: () => {
          setPending(null)
          const title = t('move.done', { name, day, time: timeText(startsAt, diary.timeZone) })
          showToast({ type: 'success', title, durationMs: undoMs, action: undo(visit._id) })
        },
        onError: (error) => setPending((now) => now && { ...now, refusal: failureText(error) }),
      },
    )
  }
  return { pending, change, confirm, putBack: () => setPending(null), isPending: moveVisit.isPending }
}
