// The calendar of the institute: head, view, and what is open beside it.
import type { Diary } from '@soigne/contract/diary'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { WaitingVisits } from '#/diary-changes.ts'
import { CommandHelp } from '#/features/diary/command-help.tsx'
import { spanOf, stepped, useDiaryAddress, type DiaryView } from '#/features/diary/diary-address.ts'
import { DiaryHead, Legend, People, useDiaryTitle } from '#/features/diary/diary-head.tsx'
import { DiaryLanguage, diaryLinks, DiarySkeleton, DiaryStale } from '#/features/diary/diary-states.tsx'
import { useCommands, type CommandName } from '#/features/diary/use-commands.ts'
import { minuteOfNow, useDiary, useDiaryMonth, useDiaryNews, useMedia, useServerNow } from '#/features/diary/use-diary.ts'
import type { BlockDraft } from '#/features/diary-booking/block-form.tsx'
import { draftOfBlock } from '#/features/diary-booking/block-form.tsx'
import type { BookingDraft } from '#/features/diary-booking/use-booking.ts'
import { useMay } from '#/use-may.ts'
import type { SessionDraft } from '#/features/diary-sessions/session-form.tsx'
import type { GridItem } from '#/features/time-grid/grid-model.ts'
import { NotKept, SheetNotice } from '#/features/day-sheet/sheet-notice.tsx'
import { LateButton } from '#/features/rearranging/late-drawer.tsx'
import { failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { addDays, dayOf, ownZone } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { classNames } from '#/ui/class-names.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading } from '#/ui/skeleton.tsx'
import { mondayOf } from '#/ui/calendar-days.ts'
import type { Drawn } from './diary-grid.tsx'
import { DiaryMonth, DiaryViews, personOn } from './diary-views.tsx'
import { BesideConflicts, BesideDiary, type Beside } from './beside-diary.tsx'
import { useKeeping, useKept, useSheet } from './use-sheet.ts'
import styles from '#/features/diary/diary.module.css'

export const links = diaryLinks

export const handle = { namespaces: ['diary', 'day-sheet', 'diary-sessions', 'labels', 'prices'] }

/** What is read for the place in the address, and the present by the server's clock. */
function useShown() {
  const { place, go } = useDiaryAddress()
  const [ownToday] = useState(() => dayOf(Date.now(), ownZone()))
  const [zone, setZone] = useState<string | null>(null)
  const [instant, setInstant] = useState(0)
  const today = zone === null ? ownToday : dayOf(instant, zone)
  const day = place.day ?? today
  const kept = useKept()
  const diary = useDiary(place.view, day, kept)
  const month = useDiaryMonth(day.slice(0, 7), place.view === 'month')
  const now = useServerNow(diary.data, diary.dataUpdatedAt)
  // The institute's day may be another than the reader's: known from the first answer on.
  if (diary.data && (zone !== diary.data.timeZone || instant !== now)) {
    setZone(diary.data.timeZone)
    setInstant(now)
  }
  const sheet = useSheet(diary)
  useKeeping(today, kept)
  // A form that a link asks for begins with the first answer: by the institute's day too.
  const todayThere = diary.data ? dayOf(now, diary.data.timeZone) : today
  return { place, go, today: todayThere, day: place.day ?? todayThere, diary, data: sheet.data, sheet, month, now }
}

type Shown = ReturnType<typeof useShown>

/** The forms that stand beside the calendar; a visit that is open is in the address. */
function useBeside(shown: Shown) {
  const { place, go, data, day, today, now } = shown
  const [query] = useSearchParams()
  const [form, setForm] = useState<Beside | null>(query.has('choose') ? { kind: 'conflicts' } : null)
  const isAsked = query.has('new') || query.has('block')
  const staffId = place.staff ?? (data ? personOn(data, day, null) : null)
  const close = () => {
    setForm(null)
    if (place.visit !== null || isAsked) go({ visit: null }, { replace: isAsked })
  }
  const open = (next: Beside) => {
    setForm(next)
    if (place.visit !== null) go({ visit: null }, { replace: true })
  }
  const visitForm = (part: Partial<BookingDraft> = {}): Beside => ({
    kind: 'booking',
    draft: { day: day < today ? today : day, minute: null, staffId: place.staff, ...part },
  })
  const blockForm = (part: Partial<BlockDraft> = {}): Beside => {
    const step = data?.gridMinutes ?? 20
    const from = data && day === today ? Math.ceil(minuteOfNow(now, data.timeZone) / step) * step : 12 * 60
    return { kind: 'block', draft: { day, from, to: from + 60, staffId: staffId ?? '', blocked: null, ...part } }
  }
  const newVisit = (part?: Partial<BookingDraft>) => open(visitForm(part))
  const block = (part?: Partial<BlockDraft>) => open(blockForm(part))
  // A link from elsewhere may ask for a form: it opens once the day is known.
  const [hasBegun, setHasBegun] = useState(false)
  if (data && !hasBegun) {
    setHasBegun(true)
    if (query.has('new')) setForm(visitForm({ customerId: query.get('customer') ?? undefined }))
    else if (query.has('block')) setForm(blockForm())
  }
  const openVisit = (id: string) => {
    setForm(null)
    go({ visit: id }, { replace: place.visit !== null })
  }
  const openSession = (id: string) => open({ kind: 'session', id })
  const openItsVisit = (visit: { _id: string }) => openVisit(visit._id)
  const openItsSession = (session: { _id: string }) => openSession(session._id)
  function openItem(item: GridItem) {
    if (item.kind === 'visit') openVisit(item.visit._id)
    else if (item.kind === 'session') openSession(item.session._id)
    else if (item.kind === 'break') newVisit({ day: item.day, staffId: item.staffId, minute: item.from })
    else if (data) open({ kind: 'block', draft: draftOfBlock(item.blocked, data.timeZone) })
  }
  /** A cell or a free stretch is for a visit; a longer stretch drawn by hand is time to keep. */
  function create({ day: on, staffId: whose, from, to }: { day: string; staffId: string; from: number; to: number }, isRange: boolean) {
    if (isRange && to - from > (data?.gridMinutes ?? 0)) block({ day: on, staffId: whose, from, to })
    else newVisit({ day: on, staffId: whose, minute: from })
  }
  const beside: Beside | null = form ?? (place.visit === null ? null : { kind: 'visit', id: place.visit })
  const late = () => open({ kind: 'late', staffId: place.staff })
  const choose = () => open({ kind: 'conflicts' })
  const newSession = ({ day: on, minute, staffId: whose }: SessionDraft) =>
    open({ kind: 'newSession', draft: { day: on, minute, staffId: whose } })
  return { beside, close, newVisit, newSession, block, late, choose, create, openVisit, openItsVisit, openItsSession, openItem }
}

function useRun(shown: Shown, beside: ReturnType<typeof useBeside>, onHelp: () => void) {
  const { place, go, day } = shown
  useCommands((command: CommandName) => {
    if (command === 'today') return go({ day: null })
    if (command === 'new') return beside.newVisit()
    if (command === 'block') return beside.block()
    if (command === 'search') return beside.newVisit({ searchFirst: true })
    if (command === 'help') return onHelp()
    if (command === 'next' || command === 'previous') return go({ day: stepped(place.view, day, command === 'next' ? 1 : -1) })
    go({ view: command })
  })
}

const memberActionsOf = ({ go }: Shown, beside: ReturnType<typeof useBeside>) => ({
  onNew: (staffId: string) => beside.newVisit({ staffId }),
  onBlock: (staffId: string) => beside.block({ staffId }),
  onWeek: (staff: string) => go({ view: 'week', staff }),
})

function Body({
  shown,
  beside,
  drawn,
  isNarrow,
  onLift,
}: {
  shown: Shown
  beside: ReturnType<typeof useBeside>
  drawn: Drawn | null
  isNarrow: boolean
  onLift: (isLifted: boolean) => void
}) {
  const { t } = useTranslation('diary')
  const { place, go, today, day, diary, data, sheet, month, now } = shown
  const onDay = (picked: string, view: DiaryView = place.view, staffId: string | null = place.staff) =>
    go({ day: picked === today ? null : picked, view, staff: staffId })
  const asked = place.view === 'month' ? month : diary
  const mayChange = useMay('diary.change')
  if (sheet.isOffline && !asked.data && (asked.error || asked.fetchStatus === 'paused'))
    return <NotKept onDay={(days) => onDay(addDays(today, days), 'day')} />
  if (asked.error && !asked.data) {
    return (
      <ErrorState className={styles.failed} title={t('failed')} retryLabel={t('retry')} onRetry={() => void asked.refetch()}>
        {failureText(asked.error)}
      </ErrorState>
    )
  }
  return (
    <Loading loading={asked.isPending} label={t('loading')} skeleton={<DiarySkeleton view={place.view} isNarrow={isNarrow} />}>
      {asked.error && !sheet.isOffline && <DiaryStale since={asked.dataUpdatedAt} />}
      {place.view === 'month'
        ? month.data && <DiaryMonth answer={month.data} day={day} today={today} onDay={onDay} />
        : data && (
            <DiaryViews
              view={place.view}
              day={day}
              staffId={place.staff}
              isNarrow={isNarrow}
              diary={data}
              sheet={sheet}
              today={today}
              now={minuteOfNow(now, data.timeZone)}
              instant={now}
              openVisit={place.visit}
              drawn={drawn}
              memberActions={memberActionsOf(shown, beside)}
              onDay={onDay}
              onOpen={beside.openItem}
              onOpenVisit={beside.openItsVisit}
              onOpenSession={beside.openItsSession}
              mayChange={mayChange}
              onCreate={beside.create}
              onLift={onLift}
            />
          )}
    </Loading>
  )
}

function Choices({ diary, shown, isNarrow, onLate }: { diary: Diary; shown: Shown; isNarrow: boolean; onLate: () => void }) {
  const { place, go, day, today, sheet } = shown
  const hasPeople = place.view === 'week' || place.view === 'agenda' || (place.view === 'day' && isNarrow)
  const isDay = place.view === 'day'
  return (
    <div className={styles.line}>
      {hasPeople && (
        <People
          members={diary.members}
          chosen={isDay ? personOn(diary, day, place.staff) : place.staff}
          hasEveryone={!isDay}
          onChoose={(staff) => go({ staff }, { replace: true })}
        />
      )}
      {place.view !== 'agenda' && <Legend />}
      {isDay && day === today && !sheet.isOffline && <LateButton onOpen={onLate} />}
    </div>
  )
}

function Calendar() {
  const { t } = useTranslation('diary')
  const shown = useShown()
  const { place, go, today, day, data, sheet } = shown
  const zone = data?.timeZone ?? ownZone()
  const [isHelp, setIsHelp] = useState(false)
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const isNarrow = useMedia('(max-width: 799px)')
  const hasRoom = useMedia('(min-width: 1200px)')
  const beside = useBeside(shown)
  const onLift = useDiaryNews()
  useRun(shown, beside, () => setIsHelp(true))
  const span = place.view === 'month' ? { from: `${day.slice(0, 7)}-01`, days: 28 } : spanOf(place.view, day)
  const title = useDiaryTitle(place.view, { from: span.from, to: addDays(mondayOf(day), 6) }, today, isNarrow)
  return (
    <div className={classNames(styles.diary, hasRoom && beside.beside !== null && styles.pushed)}>
      <PageHead title={t('head')} />
      <DiaryHead
        view={place.view}
        day={day}
        today={today}
        title={title}
        onView={(view) => go({ view })}
        onDay={(picked) => go({ day: picked === today ? null : picked })}
        onStep={(by) => go({ day: stepped(place.view, day, by) })}
        onNew={() => beside.newVisit()}
      />
      <SheetNotice
        asOf={sheet.asOf}
        zone={zone}
        waiting={sheet.desk.waiting.length}
        refused={sheet.desk.refused.length}
        onChoose={beside.choose}
      />
      {data && place.view !== 'month' && <Choices diary={data} shown={shown} isNarrow={isNarrow} onLate={beside.late} />}
      <WaitingVisits value={sheet.waitingIds}>
        <Body shown={shown} beside={beside} drawn={drawn} isNarrow={isNarrow} onLift={onLift} />
      </WaitingVisits>
      {beside.beside?.kind === 'conflicts' && <BesideConflicts sheet={sheet} zone={zone} isBeside={hasRoom} onClose={beside.close} />}
      {data && beside.beside && beside.beside.kind !== 'conflicts' && (
        <BesideDiary
          key={keyOf(beside.beside)}
          beside={beside.beside}
          diary={data}
          sheet={sheet}
          now={shown.now}
          isBeside={hasRoom}
          onDraw={setDrawn}
          onOpenVisit={beside.openVisit}
          onNewSession={beside.newSession}
          onClose={beside.close}
        />
      )}
      <CommandHelp open={isHelp} onClose={() => setIsHelp(false)} />
    </div>
  )
}

/** Another draft is another form. */
const keyOf = (beside: Beside): string =>
  'draft' in beside ? beside.kind + JSON.stringify(beside.draft) : 'id' in beside ? `${beside.kind}${beside.id}` : beside.kind

export default function DiaryPage() {
  return (
    <DiaryLanguage>
      <Calendar />
    </DiaryLanguage>
  )
}
