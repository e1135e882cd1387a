// The grid as the calendar uses it: everybody's day, or somebody's week, with what hangs over it.
import type { Diary } from '@soigne/contract/diary'
import { useMemo } from 'react'
import { DayHead, MemberHead, type MemberActions } from '#/features/diary/column-heads.tsx'
import { MoveQuestion } from '#/features/diary-visit/move-question.tsx'
import { columnOf, hoursOf, rangeIn, type GridColumn, type GridItem } from '#/features/time-grid/grid-model.ts'
import type { Place } from '#/features/time-grid/grid-place.ts'
import { TimeGrid } from '#/features/time-grid/time-grid.tsx'
import { dayOf, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { type GridSheet, useGridChanges } from './use-grid-changes.ts'

/** What would be booked, while the form is open. */
export type Drawn = { startsAt: string; endsAt: string; staffId: string }

export type DiaryGridProps = {
  diary: Diary
  /** Everybody on this day, or this person through the week. */
  shown: { kind: 'day'; day: string; staffId: string | null } | { kind: 'week'; staffId: string }
  today: string
  now: number
  openVisit: string | null
  drawn: Drawn | null
  memberActions: MemberActions
  onDay: (day: string) => void
  onOpen: (item: GridItem) => void
  onCreate: (place: { day: string; staffId: string; from: number; to: number }, isRange: boolean) => void
  onLift: (isLifted: boolean) => void
  mayChange: boolean
  sheet: GridSheet
}

/** Gaps that are over are none: counted again every five minutes, so that the columns stay the same between. */
const gapStep = 5

/** The columns of what is shown, and where each gap may still begin. */
export function useColumns(diary: Diary, shown: DiaryGridProps['shown'], today: string, now: number): GridColumn[] {
  const from = Math.floor(now / gapStep) * gapStep
  const { kind, staffId } = shown
  const day = shown.kind === 'day' ? shown.day : null
  return useMemo(() => {
    const start = (of: string) => (of < today ? 1440 : of === today ? from : 0)
    if (kind === 'week') return diary.days.map((one) => columnOf({ diary, day: one, staffId: staffId ?? '', from: start(one.day) }))
    const one = diary.days.find((of) => of.day === day)
    if (!one) return []
    return diary.members
      .filter(({ _id }) => staffId === null || _id === staffId)
      .map((member) => columnOf({ diary, day: one, staffId: member._id, from: start(one.day) }))
  }, [diary, kind, staffId, day, today, from])
}

/** Days without anything shrink, so that the others have room. */
const isEmpty = (column: GridColumn): boolean => column.shifts.length === 0 && column.items.length === 0 && column.grounds.length === 0

function drawnPlace(drawn: Drawn | null, columns: readonly GridColumn[], zone: string): Place | null {
  if (!drawn) return null
  const day = dayOf(drawn.startsAt, zone)
  const column = columns.findIndex((one) => one.day === day && one.staffId === drawn.staffId)
  return column < 0 ? null : { column, ...rangeIn(drawn, day, zone) }
}

function useHeads(props: DiaryGridProps, columns: readonly GridColumn[]) {
  const { diary, shown, today, memberActions, onDay } = props
  const times = useTimes()
  const dayOfColumn = (column: GridColumn) => diary.days.find((one) => one.day === column.day)
  const memberDay = (column: GridColumn) => dayOfColumn(column)?.members.find((one) => one.staffId === column.staffId)
  if (shown.kind === 'week') {
    return {
      names: columns.map((column) => times.day(column.day, 'UTC', 'full')),
      heads: columns.map((column) => {
        const day = dayOfColumn(column)
        return (
          day && <DayHead key={column.key} day={day} today={today} member={memberDay(column)} isClosed={isEmpty(column)} onDay={onDay} />
        )
      }),
    }
  }
  const members = diary.members.filter(({ _id }) => columns.some(({ staffId }) => staffId === _id))
  return {
    names: members.map(({ name }) => name),
    // On a phone the face above the grid says who it is.
    heads:
      shown.staffId === null
        ? columns.map((column) => {
            const member = members.find(({ _id }) => _id === column.staffId)
            return member && <MemberHead key={column.key} member={member} day={memberDay(column)} actions={memberActions} />
          })
        : [],
  }
}

export function DiaryGrid(props: DiaryGridProps) {
  const { t } = useTranslation('diary')
  const { diary, shown, today, now, drawn } = props
  const columns = useColumns(diary, shown, today, now)
  const hours = useMemo(() => hoursOf(diary, columns), [diary, columns])
  const changes = useGridChanges(diary, columns, props.sheet)
  const { heads, names } = useHeads(props, columns)
  const isWeek = shown.kind === 'week'
  const template = columns.map((column) => (isWeek && isEmpty(column) ? '52px' : 'minmax(var(--least), 1fr)')).join(' ')
  return (
    <>
      <TimeGrid
        label={t(isWeek ? 'weekGrid' : 'dayGrid')}
        columns={columns}
        heads={heads}
        names={names}
        template={template || '1fr'}
        hours={hours}
        step={diary.gridMinutes}
        today={today}
        now={now}
        openVisit={props.openVisit}
        pending={changes.pending}
        drafted={drawnPlace(drawn, columns, diary.timeZone)}
        isShort={isWeek}
        mayChange={props.mayChange && !props.sheet.isOffline}
        onOpen={props.onOpen}
        onChange={changes.change}
        onLift={props.onLift}
        onCreate={(place, isRange) => {
          const column = columns[place.column]
          if (column) props.onCreate({ day: column.day, staffId: column.staffId, from: place.from, to: place.to }, isRange)
        }}
      />
      {changes.pending && (
        <MoveQuestion
          move={changes.pending.move}
          box={changes.pending.box}
          diary={diary}
          isPending={changes.isPending}
          refusal={changes.pending.refusal}
          onMove={changes.confirm}
          onPutBack={changes.putBack}
        />
      )}
    </>
  )
}
