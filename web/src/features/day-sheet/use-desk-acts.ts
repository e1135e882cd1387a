// What can be done to the kept calendar: each act waits as a change of its own.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { minutesBetween, instantText, parseInstant } from '#/platform/time.ts'
import { minuteMs } from '@soigne/contract/time'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'
import { type Attendance, visitIdOf, type WalkInChange } from './changes.ts'
import type { Desk } from './desk.ts'

export type DeskMove = { startsAt: string; staffId?: string | undefined; segment?: number | undefined }

/** The walk-in that a visit is of, while nobody can have it yet. */
const unsentWalkIn = (desk: Desk, visit: DiaryVisit): WalkInChange | undefined =>
  desk.waiting.find((one): one is WalkInChange => one.kind === 'walkIn' && visitIdOf(one) === visit._id && !one.isTried)

export function useDeskActs(desk: Desk, server: Diary | undefined) {
  const { t } = useTranslation('day-sheet')
  const { t: word } = useTranslation('diary')
  const say = (title: string) => showToast({ type: 'info', title, line: t('waitsLine') })
  /** As the server has it: what waits has not raised it. */
  const versionOf = (visit: DiaryVisit) => server?.visits.find(({ _id }) => _id === visit._id)?.version ?? visit.version
  const about = (visit: DiaryVisit) => ({ visitId: visit._id, version: versionOf(visit), name: visit.customer.name })
  return {
    note(visit: DiaryVisit, attendance: Attendance) {
      void desk.add({ kind: 'attendance', ...about(visit), was: visit.attendance, attendance })
      say(t('noted', { step: word(`attendance.${attendance}`), name: visit.customer.name || word('walkIn') }))
    },
    move(visit: DiaryVisit, { startsAt, staffId, segment }: DeskMove) {
      const walkIn = unsentWalkIn(desk, visit)
      const lead = visit.segments.find(({ position }) => position === (segment ?? 0)) ?? visit.segments[0]
      if (!lead) return
      if (walkIn) {
        const endsAt = instantText(parseInstant(startsAt) + minutesBetween(walkIn.startsAt, walkIn.endsAt) * minuteMs)
        void desk.decide(walkIn, { startsAt, endsAt, staffId: staffId ?? walkIn.staffId })
      } else {
        const from = {
          startsAt: lead.startsAt,
          endsAt: lead.endsAt,
          staffId: lead.staffId,
          services: visit.segments.map(({ serviceId }) => serviceId),
        }
        void desk.add({ kind: 'move', ...about(visit), startsAt, staffId, segment, from })
      }
      say(t('moved', { name: visit.customer.name || word('walkIn') }))
    },
    walkIn(part: Pick<WalkInChange, 'startsAt' | 'endsAt' | 'staffId' | 'service' | 'name'>) {
      void desk.add({ kind: 'walkIn', ...part })
      say(t('walkInKept', { name: part.name || word('walkIn') }))
    },
    /** What has to wait for the connection, said where it was tried. */
    refuse: () => showToast({ type: 'warning', title: t('needsConnection') }),
  }
}

export type DeskActs = ReturnType<typeof useDeskActs>
