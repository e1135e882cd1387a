// What stands beside the calendar without a connection: a kept visit, a walk-in, or that it needs one.
import type { Diary } from '@soigne/contract/diary'
import { visitIdOf } from '#/features/day-sheet/changes.ts'
import { OnlineOnly, SheetVisit } from '#/features/day-sheet/sheet-visit.tsx'
import { WalkInForm } from '#/features/day-sheet/walk-in-form.tsx'
import type { FrameOf } from '#/diary-changes.ts'
import type { Beside } from './beside-diary.tsx'
import type { Sheet } from './use-sheet.ts'

type BesideOfflineProps = { beside: Beside; diary: Diary; sheet: Sheet; now: number; Frame: FrameOf; onClose: () => void }

export function BesideOffline({ beside, diary: shown, sheet, now, Frame, onClose }: BesideOfflineProps) {
  const { acts, days, desk } = sheet
  const diary = sheet.all ?? shown
  if (beside.kind === 'booking') {
    const { day, minute, staffId } = beside.draft
    const draft = { day: days.includes(day) ? day : (days[0] ?? day), minute, staffId }
    return <WalkInForm draft={draft} diary={diary} days={days} services={sheet.services} acts={acts} Frame={Frame} onClose={onClose} />
  }
  const visit = beside.kind === 'visit' ? diary.visits.find(({ _id }) => _id === beside.id) : undefined
  if (!visit) return <OnlineOnly Frame={Frame} />
  function drop() {
    const walkIn = desk.changes.find((one) => one.kind === 'walkIn' && visitIdOf(one) === visit?._id)
    if (walkIn) void desk.drop(walkIn)
    onClose()
  }
  return (
    <SheetVisit
      visit={visit}
      diary={diary}
      days={days}
      now={now}
      isWaiting={sheet.waitingIds.has(visit._id)}
      acts={acts}
      Frame={Frame}
      onDrop={drop}
    />
  )
}
