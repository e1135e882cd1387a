// What stands beside the calendar: an open visit, a session, or a form.
import type { Diary } from '@soigne/contract/diary'
import { createContext, use, useMemo } from 'react'
import type { FrameParts } from '#/diary-changes.ts'
import { Drawer } from '#/features/diary/drawer.tsx'
import { BlockForm, type BlockDraft } from '#/features/diary-booking/block-form.tsx'
import { BookingForm } from '#/features/diary-booking/booking-form.tsx'
import type { BookingDraft } from '#/features/diary-booking/use-booking.ts'
import { SessionDrawer, VisitDrawer } from '#/features/diary-visit/visit-drawer.tsx'
import { LateDrawer } from '#/features/rearranging/late-drawer.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { useUser } from '#/platform/session.tsx'
import type { Drawn } from './diary-grid.tsx'

export type Beside =
  | { kind: 'visit'; id: string }
  | { kind: 'session'; id: string }
  | { kind: 'booking'; draft: BookingDraft }
  | { kind: 'block'; draft: BlockDraft }
  | { kind: 'late'; staffId: string | null }

export type BesideDiaryProps = {
  beside: Beside
  diary: Diary
  now: number
  isBeside: boolean
  onDraw: (drawn: Drawn | null) => void
  onOpenVisit: (id: string) => void
  onClose: () => void
}

const Place = createContext({ isBeside: false, onClose: () => {} })

function Frame(parts: FrameParts) {
  const { t } = useTranslation('diary')
  return <Drawer {...parts} {...use(Place)} closeLabel={t('close')} />
}

function Content({ beside, diary, now, onDraw, onOpenVisit, onClose }: Omit<BesideDiaryProps, 'isBeside'>) {
  const slug = useUser()?.institute?.slug ?? ''
  const shared = { diary, Frame }
  switch (beside.kind) {
    case 'visit':
      return <VisitDrawer id={beside.id} now={now} {...shared} />
    case 'session':
      return <SessionDrawer sessionId={beside.id} onOpen={onOpenVisit} {...shared} />
    case 'booking':
      return <BookingForm draft={beside.draft} slug={slug} now={now} onDraw={onDraw} onClose={onClose} {...shared} />
    case 'block':
      return <BlockForm draft={beside.draft} onClose={onClose} {...shared} />
    case 'late':
      return <LateDrawer staffId={beside.staffId} Frame={Frame} onClose={onClose} />
  }
}

export function BesideDiary({ isBeside, ...props }: BesideDiaryProps) {
  const { onClose } = props
  const place = useMemo(() => ({ isBeside, onClose }), [isBeside, onClose])
  return (
    <Place value={place}>
      <Content {...props} />
    </Place>
  )
}
