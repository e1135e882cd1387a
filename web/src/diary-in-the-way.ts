// A change of the calendar that was refused, in words: whatever has the time is named, as the reader may see it.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useSettled } from '#/diary-changes.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { instantText, parseInstant, timeText } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

type Stretch = { startsAt: string; endsAt: string }

/** Something that has time of a member. */
type Taken = Stretch & { kind: 'visit' | 'hold' | 'blocked' | 'leave' | 'session' | 'external'; id: string; customer: string | null }

/** A visit as it was wished: its services at their new places. */
export type WishedVisit = Pick<DiaryVisit, '_id' | 'segments'>

/** No more is named: whoever reads it looks at the calendar next. */
const mostNamed = 2

/** The services later or earlier by so many minutes, each with whom it is given to. */
export function shifted(visit: DiaryVisit, minutes: number, staffOf: (segment: DiaryVisit['segments'][number]) => string): WishedVisit {
  const at = (instant: string) => instantText(parseInstant(instant) + minutes * minuteMs)
  const moved = <Of extends Stretch>(one: Of): Of => ({ ...one, startsAt: at(one.startsAt), endsAt: at(one.endsAt) })
  const segments = visit.segments.map((one) => ({ ...moved(one), idle: one.idle && moved(one.idle), staffId: staffOf(one) }))
  return { _id: visit._id, segments }
}

/** When a member works for a visit: not while it waits. With what is kept before and after, where that is asked. */
function workOf({ segments }: Pick<DiaryVisit, 'segments'>, staffId: string, isWide: boolean): Stretch[] {
  const at = (instant: string, minutes: number) => (isWide ? instantText(parseInstant(instant) + minutes * minuteMs) : instant)
  return segments
    .filter((one) => one.staffId === staffId)
    .flatMap((one) => {
      const whole = { startsAt: at(one.startsAt, -one.bufferBeforeMinutes), endsAt: at(one.endsAt, one.bufferAfterMinutes) }
      if (!one.idle) return [whole]
      return [
        { ...whole, endsAt: one.idle.startsAt },
        { ...whole, startsAt: one.idle.endsAt },
      ]
    })
}

const overlap = (one: Stretch, other: Stretch): boolean =>
  parseInstant(one.startsAt) < parseInstant(other.endsAt) && parseInstant(other.startsAt) < parseInstant(one.endsAt)

/** What the calendar has where a visit was wished. */
function takenIn(diary: Diary, wished: WishedVisit, isWide: boolean): Taken[] {
  const plain = (one: Stretch, kind: Taken['kind'], id: string): Taken => ({
    startsAt: one.startsAt,
    endsAt: one.endsAt,
    kind,
    id,
    customer: null,
  })
  const found = [...new Set(wished.segments.map(({ staffId }) => staffId))].flatMap((staffId) => {
    const work = workOf(wished, staffId, isWide)
    const isHit = (one: Stretch) => work.some((part) => overlap(part, one))
    const visits = diary.visits.filter(
      (one) =>
        // The seats of a class are said with the class.
        one._id !== wished._id &&
        one.sessionId === null &&
        one.status !== 'cancelled' &&
        one.attendance !== 'no_show' &&
        workOf(one, staffId, isWide).some(isHit),
    )
    return [
      ...visits.map((one) => ({ ...plain(one, one.isHeld ? 'hold' : 'visit', one._id), customer: one.customer.name || null })),
      ...diary.blocked.filter((one) => one.staffId === staffId && isHit(one)).map((one) => plain(one, 'blocked', one._id)),
      ...diary.sessions.filter((one) => one.staffId === staffId && isHit(one)).map((one) => plain(one, 'session', one._id)),
      ...diary.days
        .flatMap(({ members }) => members.filter((one) => one.staffId === staffId).flatMap(({ external }) => external))
        .filter(isHit)
        .map((one) => plain(one, 'external', one.startsAt)),
    ]
  })
  return found.toSorted((one, other) => parseInstant(one.startsAt) - parseInstant(other.startsAt))
}

/** The calendar on screen, as it was read last. */
function shownDiary(queries: QueryClient): Diary | undefined {
  const [shown] = queries.getQueryCache().findAll({ queryKey: dashboardKeys.diary.allDays, type: 'active' })
  return shown && queries.getQueryData<Diary>(shown.queryKey)
}

const isTaken = (one: unknown): one is Taken =>
  typeof one === 'object' && one !== null && 'kind' in one && 'startsAt' in one && typeof one.startsAt === 'string' && 'endsAt' in one

/** What a refusal names; of a visit the calendar says it, read again since: overlaps first, then what is too near. */
function takenOf(error: unknown, diary: Diary | undefined, wished: WishedVisit | undefined): readonly Taken[] {
  if (!(error instanceof ApiError)) return []
  const named = error.code === 'time_taken' ? error.body.details?.['taken'] : undefined
  if (Array.isArray(named)) return named.filter(isTaken)
  if (error.code !== 'slot_taken' || !diary || !wished) return []
  const hits = takenIn(diary, wished, false)
  return hits.length > 0 ? hits : takenIn(diary, wished, true)
}

/** The server's words where nothing is named. */
export function useRefusalWords(zone: string) {
  const { t } = useTranslation('diary')
  const queries = useQueryClient()
  function nameOf({ kind, id, customer }: Taken, diary: Diary | undefined): string {
    const blocked = diary?.blocked.find(({ _id }) => _id === id)
    if (kind === 'visit') return customer ?? t('walkIn')
    if (kind === 'session') return diary?.sessions.find(({ _id }) => _id === id)?.serviceName ?? t('blocked')
    if (kind === 'blocked') return blocked?.note ?? t(`blockedKinds.${blocked?.kind ?? 'other'}`)
    return t(kind === 'external' ? 'grounds.external' : 'grounds.other')
  }
  function sentence(one: Taken, diary: Diary | undefined): string {
    const [from, until] = [timeText(one.startsAt, zone), timeText(one.endsAt, zone)]
    if (one.kind !== 'hold') return t('inTheWay.taken', { name: nameOf(one, diary), from, until })
    return one.customer ? t('inTheWay.heldBy', { name: one.customer, time: from }) : t('inTheWay.held', { time: from })
  }
  return (error: unknown, wished?: WishedVisit): string => {
    const diary = shownDiary(queries)
    const taken = takenOf(error, diary, wished).slice(0, mostNamed)
    return taken.length > 0 ? taken.map((one) => sentence(one, diary)).join(' ') : failureText(error)
  }
}

/** Takes something back, also where what offered it is gone by then: what has its time meanwhile is said. */
export function useTakeBack(zone: string) {
  const { readAgain } = useSettled()
  const wordsOf = useRefusalWords(zone)
  const back = useMutation({
    mutationFn: (ask: () => Promise<unknown>) => ask(),
    onError: (error) => showToast({ type: 'error', title: wordsOf(error) }),
    onSettled: readAgain,
  })
  return back.mutate
}
