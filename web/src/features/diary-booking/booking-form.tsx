// Booking for whoever phones or walks in: whom, what, with whom, when. What is not free says why and what is.
import type { Diary } from '@soigne/contract/diary'
import { minuteMs } from '@soigne/contract/time'
import { useEffect, useId, useState, type ReactNode } from 'react'
import type { FrameOf } from '#/diary-changes.ts'
import { failureText, nearestStarts } from '#/platform/api-error.ts'
import { dayOf, instantText, parseInstant, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { useMenu } from '#/own-institute.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { RowSkeleton } from '#/ui/skeleton.tsx'
import { SlotChip } from '#/ui/slot-chip.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { useClientAddress } from './client-address.ts'
import { ClientField, isNamed, useClient } from './client-field.tsx'
import { anyone, ServicesField } from './services-field.tsx'
import { TimePart } from './time-part.tsx'
import { useChoice, useSend, useTotal, type BookingChoice, type BookingDraft } from './use-booking.ts'
import { useMay } from '#/use-may.ts'
import { WhereField } from './where-field.tsx'
import { WhyNot } from './why-not.tsx'
import styles from './booking.module.css'

function Overbook({ reason, onReason }: { reason: string | null; onReason: (reason: string | null) => void }) {
  const { t } = useTranslation('diary')
  const mayOverbook = useMay('diary.overbook')
  if (!mayOverbook) return null
  if (reason === null) {
    return (
      <p className="small muted">
        {t('overbook.text')}{' '}
        <button type="button" className="link" onClick={() => onReason('')}>
          {t('overbook.action')}
        </button>
      </p>
    )
  }
  return (
    <Field
      label={t('overbook.reason')}
      hint={t('overbook.hint')}
      value={reason}
      maxLength={500}
      dir="auto"
      autoFocus
      onChange={(event) => onReason(event.target.value)}
    />
  )
}

function Failure({ error, zone, onTime }: { error: Error; zone: string; onTime: (startsAt: string) => void }) {
  return (
    <Notice tone="error" announce>
      <p>{failureText(error)}</p>
      <div className={styles.times}>
        {nearestStarts(error).map((startsAt) => (
          <SlotChip key={startsAt} time={timeText(startsAt, zone)} onClick={() => onTime(startsAt)} />
        ))}
      </div>
    </Notice>
  )
}

export type BookingFormProps = {
  draft: BookingDraft
  diary: Diary
  slug: string
  now: number
  Frame: FrameOf
  /** Another way to fill the time, said first. */
  instead?: ReactNode
  /** What would be booked, as it is drawn on the calendar meanwhile. */
  onDraw: (drawn: { startsAt: string; endsAt: string; staffId: string } | null) => void
  onClose: () => void
}

/** The draft is seen on the calendar while it is being made. */
function useDrawn(booking: BookingChoice, minutes: number, onDraw: BookingFormProps['onDraw']) {
  const { wanted, found, asked } = booking
  const endsAt = found?.endsAt ?? (wanted === null ? null : instantText(parseInstant(wanted) + minutes * minuteMs))
  useEffect(() => {
    onDraw(wanted !== null && endsAt !== null && asked !== null && minutes > 0 ? { startsAt: wanted, endsAt, staffId: asked } : null)
  }, [wanted, endsAt, asked, minutes, onDraw])
  useEffect(() => () => onDraw(null), [onDraw])
}

/** Why the time is not free, what is, and the way past it. */
function NotFree({
  booking,
  diary,
  overbook,
  onOverbook,
}: {
  booking: BookingChoice
  diary: Diary
  overbook: string | null
  onOverbook: (reason: string | null) => void
}) {
  const { choice, setChoice, isTaken, why, asked } = booking
  if (!isTaken || !why.data || why.data.isFree || !asked) return null
  function choose({ staffId, startsAt }: { staffId: string; startsAt: string }) {
    const lines = choice.lines.map((line) => (line.staffId === asked || line.staffId === anyone ? { ...line, staffId } : line))
    setChoice({ ...choice, day: dayOf(startsAt, diary.timeZone), startsAt, lines })
  }
  return (
    <>
      <WhyNot why={why.data} diary={diary} staffId={asked} onChoose={choose} />
      <Overbook reason={overbook} onReason={onOverbook} />
    </>
  )
}

function Services({
  menu,
  booking,
  diary,
  staffId,
}: {
  menu: ReturnType<typeof useMenu>
  booking: BookingChoice
  diary: Diary
  staffId: string | null
}) {
  const { choice, setChoice } = booking
  if (menu.data)
    return (
      <ServicesField
        lines={choice.lines}
        menu={menu.data}
        diary={diary}
        staffId={staffId}
        onChange={(lines) => setChoice({ ...choice, lines })}
      />
    )
  return menu.error ? <Notice tone="error">{failureText(menu.error)}</Notice> : <RowSkeleton />
}

type FootProps = {
  booking: BookingChoice
  diary: Diary
  total: ReturnType<typeof useTotal>
  isReady: boolean
  isOver: boolean
  isPending: boolean
  onSend: () => void
}

function Foot({ booking, diary, total, isReady, isOver, isPending, onSend }: FootProps) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const { wanted, choice } = booking
  return (
    <>
      <p className={styles.sum}>
        {choice.lines.length > 0 && (
          <>
            <bdi className="time">{total.price}</bdi> <span className="small muted">{times.duration(total.minutes)}</span>
          </>
        )}
      </p>
      <Button className={styles.send} loading={isPending} disabled={!isReady} onClick={onSend}>
        {wanted === null ? t('book') : t(isOver ? 'overbook.book' : 'bookAt', { time: timeText(wanted, diary.timeZone) })}
      </Button>
    </>
  )
}

export function BookingForm({ draft, diary, slug, now, Frame, instead, onDraw, onClose }: BookingFormProps) {
  const { t } = useTranslation('diary')
  const title = useId()
  const menu = useMenu(slug)
  const booking = useChoice(draft, diary, menu.data ?? [], now)
  const { address, changeAddress, isPlaceKnown } = useClientAddress()
  const { client, isReading, setClient } = useClient(draft.customerId)
  const [note, setNote] = useState('')
  const [overbook, setOverbook] = useState<string | null>(null)
  const { send, book } = useSend(booking, diary, onClose)
  const { choice, setChoice, wanted, isTaken } = booking
  const total = useTotal(choice.lines, menu.data ?? [])
  useDrawn(booking, total.minutes, onDraw)
  const isOver = isTaken && overbook !== null
  const hasTime = wanted !== null && (!isTaken || (overbook ?? '').trim() !== '')
  const isReady = isNamed(client) && choice.lines.length > 0 && isPlaceKnown(booking) && hasTime
  const head = (
    <h2 id={title} className="d4">
      {t('newVisit')}
    </h2>
  )
  const onSend = () => send({ client, note, overbook: isOver ? overbook : null, address })
  const foot = (
    <Foot booking={booking} diary={diary} total={total} isReady={isReady} isOver={isOver} isPending={book.isPending} onSend={onSend} />
  )
  return (
    <Frame labelledBy={title} head={head} foot={foot}>
      <div className={styles.form}>
        {instead}
        {isReading ? <RowSkeleton /> : <ClientField client={client} focused={draft.searchFirst === true} onChange={setClient} />}
        <Services menu={menu} booking={booking} diary={diary} staffId={draft.staffId} />
        <WhereField booking={booking} slug={slug} address={address} failure={book.error} onAddress={changeAddress} />
        <TimePart booking={booking} diary={diary} />
        <NotFree booking={booking} diary={diary} overbook={overbook} onOverbook={setOverbook} />
        {choice.lines.length > 0 && (
          <TextArea
            label={t('notes.title')}
            labelEnd={<span className="small muted">{t('notes.onlyTeam')}</span>}
            rows={2}
            dir="auto"
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
        {book.error && (
          <Failure
            error={book.error}
            zone={diary.timeZone}
            onTime={(startsAt) => setChoice({ ...choice, day: dayOf(startsAt, diary.timeZone), startsAt })}
          />
        )}
      </div>
    </Frame>
  )
}
