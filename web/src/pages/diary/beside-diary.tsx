// What stands beside the calendar: an open visit, a session, or a form.
import type { Diary } from '@soigne/contract/diary'
import { createContext, use, useMemo } from 'react'
import type { FrameParts } from '#/diary-changes.ts'
import { Drawer } from '#/features/diary/drawer.tsx'
import { BlockForm, type BlockDraft } from '#/features/diary-booking/block-form.tsx'
import { BookingForm } from '#/features/diary-booking/booking-form.tsx'
import type { BookingDraft } from '#/features/diary-booking/use-booking.ts'
import { SeatForm } from '#/features/diary-booking/seat-form.tsx'
import { useMenu } from '#/own-institute.ts'
import { useMay } from '#/use-may.ts'
import { SessionDrawer } from '#/features/diary-sessions/session-drawer.tsx'
import { SessionForm, type SessionDraft } from '#/features/diary-sessions/session-form.tsx'
import { SeatRow } from '#/features/diary-visit/seat-row.tsx'
import { VisitDrawer } from '#/features/diary-visit/visit-drawer.tsx'
import { isOfDesk } from '#/features/day-sheet/changes.ts'
import { ConflictsDrawer } from '#/features/day-sheet/conflicts-drawer.tsx'
import { LateDrawer } from '#/features/rearranging/late-drawer.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { useUser } from '#/platform/session.tsx'
import { Button } from '#/ui/button.tsx'
import { BesideOffline } from './beside-offline.tsx'
import type { Drawn } from './diary-grid.tsx'
import type { Sheet } from './use-sheet.ts'

export type Beside =
  | { kind: 'visit'; id: string }
  | { kind: 'session'; id: string }
  | { kind: 'booking'; draft: BookingDraft }
  | { kind: 'newSession'; draft: SessionDraft }
  | { kind: 'block'; draft: BlockDraft }
  | { kind: 'late'; staffId: string | null }
  | { kind: 'conflicts' }

export type BesideDiaryProps = {
  beside: Beside
  diary: Diary
  sheet: Sheet
  now: number
  isBeside: boolean
  onDraw: (drawn: Drawn | null) => void
  onOpenVisit: (id: string) => void
  onNewSession: (draft: SessionDraft) => void
  onClose: () => void
}

const Place = createContext({ isBeside: false, onClose: () => {} })

function Frame(parts: FrameParts) {
  const { t } = useTranslation('diary')
  return <Drawer {...parts} {...use(Place)} closeLabel={t('close')} />
}

/** Services with seats; only an institute that has some opens classes. */
function useClasses(slug: string) {
  const mayChange = useMay('diary.change')
  const classes = useMenu(slug).data?.filter(({ capacity }) => capacity !== undefined) ?? []
  return { mayChange, classes }
}

function ClassInstead({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('diary-sessions')
  return (
    <Button variant="outline" size="small" icon="users" onClick={onOpen}>
      {t('classInstead')}
    </Button>
  )
}

function OnlineContent({ beside, diary, now, isBeside, onDraw, onOpenVisit, onNewSession, onClose }: BesideDiaryProps) {
  const slug = useUser()?.institute?.slug ?? ''
  const { mayChange, classes } = useClasses(slug)
  const shared = { diary, Frame }
  switch (beside.kind) {
    case 'visit':
      return <VisitDrawer id={beside.id} slug={slug} now={now} isBeside={isBeside} {...shared} />
    case 'session':
      return (
        <SessionDrawer
          sessionId={beside.id}
          now={now}
          mayChange={mayChange}
          seatOf={(visit) => <SeatRow visit={visit} onOpen={onOpenVisit} />}
          seatForm={(session, onDone) => <SeatForm session={session} diary={diary} onDone={onDone} />}
          onClose={onClose}
          {...shared}
        />
      )
    case 'newSession':
      return <SessionForm key={classes.length} draft={beside.draft} classes={classes} onDraw={onDraw} onClose={onClose} {...shared} />
    case 'booking':
      return (
        <BookingForm
          draft={beside.draft}
          slug={slug}
          now={now}
          instead={mayChange && classes.length > 0 && <ClassInstead onOpen={() => onNewSession(beside.draft)} />}
          onDraw={onDraw}
          onClose={onClose}
          {...shared}
        />
      )
    case 'block':
      return <BlockForm draft={beside.draft} onClose={onClose} {...shared} />
    case 'late':
      return <LateDrawer staffId={beside.staffId} Frame={Frame} onClose={onClose} />
    case 'conflicts':
      return null
  }
}

/** What the server does not have is done on the device. */
function Content(props: BesideDiaryProps) {
  const { beside, diary, sheet, now, onClose } = props
  const isHere = sheet.isOffline || (beside.kind === 'visit' && isOfDesk(beside.id))
  if (!isHere) return <OnlineContent {...props} />
  return <BesideOffline beside={beside} diary={diary} sheet={sheet} now={now} Frame={Frame} onClose={onClose} />
}

/** What was refused is there also when the calendar cannot be read. */
export function BesideConflicts({
  sheet,
  zone,
  isBeside,
  onClose,
}: Pick<BesideDiaryProps, 'sheet' | 'isBeside' | 'onClose'> & { zone: string }) {
  const place = useMemo(() => ({ isBeside, onClose }), [isBeside, onClose])
  return (
    <Place value={place}>
      <ConflictsDrawer desk={sheet.desk} zone={zone} Frame={Frame} />
    </Place>
  )
}

export function BesideDiary(props: BesideDiaryProps) {
  const { isBeside, onClose } = props
  const place = useMemo(() => ({ isBeside, onClose }), [isBeside, onClose])
  return (
    <Place value={place}>
      <Content {...props} />
    </Place>
  )
}
