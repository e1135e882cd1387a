// What is done to visits. The answer is on screen at once; the other screens hear of it by themselves.
import type { DiaryVisit } from '@soigne/contract/diary'
import { useMutation } from '@tanstack/react-query'
import { useOnPurpose } from '#/diary-on-purpose.ts'
import { putVisit, undoMs, useKeys, useSettled } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

export type Attendance = DiaryVisit['attendance']

type Noted = { visit: DiaryVisit; attendance: Attendance }

const noteAttendance = ({ visit, attendance }: Noted) => dashboardApi.noteAttendance({ params: { id: visit._id }, body: { attendance } })

/** What was noted is said, and taken back, also where the button that noted it is gone by then; with one thing more about the visit, where there is any. */
export function useAttendance(lineOf?: (noted: DiaryVisit) => string | undefined) {
  const { queries, readAgain } = useSettled()
  const { t } = useTranslation('diary')
  const shared = {
    mutationFn: noteAttendance,
    onMutate: ({ visit, attendance }: Noted) => putVisit(queries, { ...visit, attendance }),
    onError: (error: Error, { visit }: Noted) => {
      putVisit(queries, visit)
      showToast({ type: 'error', title: failureText(error) })
    },
    onSettled: readAgain,
  }
  const back = useMutation({ ...shared, onSuccess: (visit) => putVisit(queries, visit) })
  const note = useMutation({
    ...shared,
    onSuccess: (changed, { visit, attendance }) => {
      putVisit(queries, changed)
      showToast({
        type: 'success',
        title: t(`noted.${attendance}`, { name: visit.customer.name || t('walkIn') }),
        line: lineOf?.(changed),
        durationMs: undoMs,
        action: { label: t('undo'), onAction: () => back.mutate({ visit: changed, attendance: visit.attendance }) },
      })
    },
  })
  return { isPending: note.isPending, set: (visit: DiaryVisit, attendance: Attendance) => note.mutate({ visit, attendance }) }
}

export function useOwnNote(id: string) {
  const { queries, readAgain } = useSettled()
  return useMutation({
    mutationFn: (note: string) => dashboardApi.noteVisit({ params: { id }, body: { note } }),
    onSuccess: (visit) => putVisit(queries, visit),
    onSettled: readAgain,
  })
}

export type Move = { visit: DiaryVisit; startsAt: string; staffId?: string | undefined; segment?: number | undefined }

export function useMoveVisit() {
  const { readAgain } = useSettled()
  const keyOf = useKeys()
  const onPurpose = useOnPurpose()
  return useMutation({
    mutationFn: ({ visit, startsAt, staffId, segment }: Move) =>
      onPurpose((anyway) => {
        const body = {
          startsAt,
          version: visit.version,
          ...(staffId !== undefined && { staffId }),
          ...(segment !== undefined && { segment }),
          ...anyway,
        }
        return dashboardApi.moveInstituteVisit({ params: { id: visit._id }, body, idempotencyKey: keyOf([visit._id, body]) })
      }),
    onSettled: readAgain,
  })
}

export function useResizeVisit() {
  const { queries, readAgain } = useSettled()
  const keyOf = useKeys()
  return useMutation({
    mutationFn: ({ visit, segment, durationMinutes }: { visit: DiaryVisit; segment: number; durationMinutes: number }) => {
      const body = { segment, durationMinutes, version: visit.version }
      return dashboardApi.resizeVisit({ params: { id: visit._id }, body, idempotencyKey: keyOf([visit._id, body]) })
    },
    onSuccess: (visit) => putVisit(queries, visit),
    onSettled: readAgain,
  })
}

export function useCancelVisit() {
  const { readAgain } = useSettled()
  const keyOf = useKeys()
  const onPurpose = useOnPurpose()
  return useMutation({
    mutationFn: (visit: DiaryVisit) =>
      onPurpose((anyway) => {
        const body = { version: visit.version, ...anyway }
        return dashboardApi.cancelInstituteVisit({ params: { id: visit._id }, body, idempotencyKey: keyOf([visit._id, body]) })
      }),
    onSettled: readAgain,
  })
}
