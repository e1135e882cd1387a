// Which view stands on screen, and how it looks while it is coming or cannot come.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Diary, DiarySession, DiaryVisit } from '@soigne/contract/diary'
import { AgendaView, type FreeStretch } from '#/features/diary/agenda-view.tsx'
import type { DiaryView } from '#/features/diary/diary-address.ts'
import { MonthView } from '#/features/diary/month-view.tsx'
import { TeamWeek, WeekRows } from '#/features/diary/team-week.tsx'
import { NextUp } from '#/features/diary-visit/next-up.tsx'
import { columnOf } from '#/features/time-grid/grid-model.ts'
import { DiaryGrid, type DiaryGridProps } from './diary-grid.tsx'

export type DiaryViewsProps = Pick<
  DiaryGridProps,
  'today' | 'now' | 'openVisit' | 'drawn' | 'memberActions' | 'onOpen' | 'onCreate' | 'onLift' | 'mayChange' | 'sheet'
> & {
  view: DiaryView
  day: string
  staffId: string | null
  isNarrow: boolean
  diary: Diary
  /** The present of the server. */
  instant: number
  onDay: (day: string, view?: DiaryView, staffId?: string | null) => void
  onOpenVisit: (visit: DiaryVisit) => void
  onOpenSession: (session: DiarySession) => void
}

/** Whose column a phone shows: the chosen one, else the first who works that day. */
export function personOn(diary: Diary, day: string, staffId: string | null): string | null {
  if (diary.members.some(({ _id }) => _id === staffId)) return staffId
  const members = diary.days.find((one) => one.day === day)?.members ?? []
  const working = diary.members.find(({ _id }) => members.some((one) => one.staffId === _id && one.shiftMinutes > 0))
  return working?._id ?? diary.members[0]?._id ?? null
}

function freeStretches(diary: Diary, today: string, now: number): FreeStretch[] {
  return diary.days
    .filter(({ day }) => day >= today)
    .flatMap((day) =>
      diary.members.flatMap(({ _id }) => {
        const from = day.day === today ? now : 0
        return columnOf({ diary, day, staffId: _id, from }).gaps.map((gap) => ({ day: day.day, staffId: _id, ...gap }))
      }),
    )
}

function DayView(props: DiaryViewsProps) {
  const { diary, day, staffId, isNarrow, instant, onDay } = props
  const person = isNarrow ? personOn(diary, day, staffId) : null
  const { isOffline, acts } = props.sheet
  const onArrived = isOffline ? (visit: DiaryVisit) => acts.note(visit, 'arrived') : undefined
  return (
    <>
      {isNarrow && day === props.today && (
        <NextUp visits={diary.visits} staffId={person} zone={diary.timeZone} now={instant} onArrived={onArrived} />
      )}
      <DiaryGrid {...props} shown={{ kind: 'day', day, staffId: person }} onDay={(picked) => onDay(picked)} />
    </>
  )
}

function WeekView(props: DiaryViewsProps) {
  const { diary, today, staffId, isNarrow, onDay } = props
  const open = (day: string, person: string | null) => onDay(day, 'day', person)
  if (isNarrow) return <WeekRows diary={diary} today={today} staffId={staffId} onOpen={open} />
  if (staffId === null || !diary.members.some(({ _id }) => _id === staffId)) return <TeamWeek diary={diary} today={today} onOpen={open} />
  return <DiaryGrid {...props} shown={{ kind: 'week', staffId }} onDay={(day) => onDay(day, 'day')} />
}

function ListView(props: DiaryViewsProps) {
  const { diary, day, today, now, staffId, onDay, onOpenVisit, onCreate } = props
  return (
    <AgendaView
      diary={diary}
      day={day}
      today={today}
      now={now}
      staffId={staffId}
      free={freeStretches(diary, today, now)}
      onDay={(picked) => onDay(picked)}
      onOpen={onOpenVisit}
      onOpenSession={props.onOpenSession}
      onFree={(stretch) => onCreate(stretch, false)}
    />
  )
}

export function DiaryViews(props: DiaryViewsProps) {
  if (props.view === 'week') return <WeekView {...props} />
  return props.view === 'agenda' ? <ListView {...props} /> : <DayView {...props} />
}

export function DiaryMonth({
  answer,
  day,
  today,
  onDay,
}: {
  answer: Answer<Calls['diaryMonth']>
  day: string
  today: string
  onDay: DiaryViewsProps['onDay']
}) {
  return <MonthView answer={answer} month={day.slice(0, 7)} today={today} onDay={(picked) => onDay(picked, 'day')} />
}
