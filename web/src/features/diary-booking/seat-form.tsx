// One more in a class: whom, and nothing else is asked.
import type { Diary, DiarySession } from '@soigne/contract/diary'
import { useState } from 'react'
import { undoMs, useUndo } from '#/diary-changes.ts'
import { failureText, nearestStarts } from '#/platform/api-error.ts'
import { dayOf, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { ClientField, clientPart, isNamed, type Client } from './client-field.tsx'
import { useBookForClient } from './use-booking-changes.ts'
import styles from './booking.module.css'

export function SeatForm({ session, diary, onDone }: { session: DiarySession; diary: Diary; onDone: () => void }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const [client, setClient] = useState<Client>({ kind: 'none' })
  const book = useBookForClient()
  const undo = useUndo()
  const zone = diary.timeZone
  function send() {
    const { serviceId, staffId, startsAt } = session
    book.mutate(
      { services: [{ serviceId, staffId }], startsAt, ...clientPart(client) },
      {
        onSuccess: (visit) => {
          const day = times.day(dayOf(startsAt, zone), zone, 'long')
          const title = t('booked', { name: visit.customer.name || t('walkIn'), day, time: timeText(startsAt, zone) })
          showToast({ type: 'success', title, durationMs: undoMs, action: undo(visit._id) })
          onDone()
        },
      },
    )
  }
  const nearest = book.error ? nearestStarts(book.error) : []
  return (
    <div className={styles.form}>
      <ClientField client={client} focused={false} onChange={setClient} />
      {book.error && (
        <Notice tone="error" announce>
          <p>{failureText(book.error)}</p>
          {nearest.length > 0 && (
            <p className="small">
              {t('why.works')}: {nearest.map((at) => `${times.dayOfInstant(at, zone)} ${timeText(at, zone)}`).join(', ')}
            </p>
          )}
        </Notice>
      )}
      <div className={styles.pair}>
        <Button variant="outline" onClick={onDone}>
          {t('move.keep')}
        </Button>
        <Button loading={book.isPending} disabled={!isNamed(client)} onClick={send}>
          {t('bookAt', { time: timeText(session.startsAt, zone) })}
        </Button>
      </div>
    </div>
  )
}
