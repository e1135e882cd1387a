// What can be done about an open class: another time, other seats, or none of it.
import type { Diary, DiarySession, DiaryVisit } from '@soigne/contract/diary'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { CancelMoney, cancellationOfAll } from '#/cancel-money.tsx'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useRefusalWords } from '#/diary-in-the-way.ts'
import { DateField } from '#/kit/date-field.tsx'
import { NumberField } from '#/kit/number-field.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { failureText } from '#/platform/api-error.ts'
import { clock, instantAt, wallMinutes } from '#/platform/dashboard-time.ts'
import { dayOf, minutesBetween, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Notice } from '#/ui/notice.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import { seatsTaken, useCancelSession, useMoveSession, useResizeSession, useSessionPlan } from './use-sessions.ts'
import styles from './sessions.module.css'

export type ChangeProps = { session: DiarySession; diary: Diary; onDone: () => void }

/** The bounds of `contract/src/group-sessions.ts`. */
const mostSeats = 500

function Failure({ error, textOf = failureText }: { error: Error | null; textOf?: (error: Error) => string }) {
  if (!error) return null
  return (
    <Notice tone="error" announce>
      {textOf(error)}
    </Notice>
  )
}

function useMoveForm({ session, diary, onDone }: ChangeProps) {
  const { t } = useTranslation('diary-sessions')
  const times = useTimes()
  const zone = diary.timeZone
  const [day, setDay] = useState(dayOf(session.startsAt, zone))
  const [minute, setMinute] = useState(wallMinutes(session.startsAt, zone))
  const [staffId, setStaff] = useState(session.staffId)
  const startsAt = instantAt(day, minute, zone)
  const isSame = minutesBetween(session.startsAt, startsAt) === 0 && staffId === session.staffId
  const asked = { serviceId: session.serviceId, staffId, startsAt, everyWeeks: 1, times: 1, sessionId: session._id }
  const plan = useSessionPlan(isSame ? null : asked)
  const move = useMoveSession()
  const conflict = isSame || plan.isPlaceholderData ? null : (plan.data?.items[0]?.conflict ?? null)
  const isReady = !isSame && !plan.isPlaceholderData && plan.data !== undefined && conflict === null
  function send() {
    const when = { name: session.serviceName, day: times.day(day, zone, 'long'), time: timeText(startsAt, zone) }
    const onSuccess = () => {
      showToast({ type: 'success', title: t('moved', when) })
      onDone()
    }
    move.mutate({ session, startsAt, ...(staffId !== session.staffId && { staffId }) }, { onSuccess })
  }
  return { day, setDay, minute, setMinute, setStaff, conflict, isReady, error: move.error ?? plan.error, isPending: move.isPending, send }
}

export function MoveSession(props: ChangeProps) {
  const { t } = useTranslation('diary-sessions')
  const form = useMoveForm(props)
  const group = useId()
  const { session, diary, onDone } = props
  const wordsOf = useRefusalWords(diary.timeZone)
  const able = diary.members.filter(({ services }) => services.includes(session.serviceId))
  function submit(event: FormEvent) {
    event.preventDefault()
    if (form.isReady) form.send()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label={t('move')}>
      <div className={styles.two}>
        <DateField label={t('fields.day')} isRequired value={form.day} onChange={(picked) => picked !== null && form.setDay(picked)} />
        <TimeField
          label={t('fields.time')}
          isRequired
          value={clock(form.minute).padStart(5, '0')}
          onChange={(time) => {
            const [hours, minutes] = (time ?? '').split(':').map(Number)
            if (hours !== undefined && minutes !== undefined) form.setMinute(hours * 60 + minutes)
          }}
        />
      </div>
      {able.length > 1 && (
        <ChoiceChips
          legend={t('fields.with')}
          name={group}
          chosen={session.staffId}
          choices={able.map(({ _id, name }) => ({ value: _id, label: <bdi>{name}</bdi> }))}
          onChoose={form.setStaff}
        />
      )}
      {form.conflict !== null && (
        <Notice tone="error" announce>
          {form.conflict}
        </Notice>
      )}
      {session.booked > 0 && <p className="small muted">{t('movesAll', { count: session.booked })}</p>}
      {session.held > 0 && <p className="small muted">{t('letsGo', { count: session.held })}</p>}
      <Failure error={form.error} textOf={wordsOf} />
      <div className={styles.actions}>
        <Button variant="outline" onClick={onDone}>
          {t('keep')}
        </Button>
        <Button type="submit" loading={form.isPending} disabled={!form.isReady}>
          {t('moveTo', { time: clock(form.minute) })}
        </Button>
      </div>
    </form>
  )
}

export function ResizeSession({ session, onDone }: ChangeProps) {
  const { t } = useTranslation('diary-sessions')
  const [capacity, setCapacity] = useState<number | null>(session.capacity)
  const resize = useResizeSession()
  const taken = seatsTaken(resize.error)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (capacity === null) return
    // What is typed counts when the field is left: the button cannot wait for it.
    if (capacity === session.capacity) return onDone()
    const onSuccess = () => {
      showToast({ type: 'success', title: t('resized', { count: capacity }) })
      onDone()
    }
    resize.mutate({ id: session._id, capacity }, { onSuccess })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label={t('seats')}>
      <NumberField
        label={t('fields.seats')}
        least={1}
        most={mostSeats}
        value={capacity}
        error={taken === null ? undefined : t('tooFew', { count: taken })}
        onChange={setCapacity}
      />
      {taken === null && <Failure error={resize.error} />}
      <div className={styles.actions}>
        <Button variant="outline" onClick={onDone}>
          {t('keep')}
        </Button>
        <Button type="submit" loading={resize.isPending} disabled={capacity === null}>
          {t('saveSeats')}
        </Button>
      </div>
    </form>
  )
}

/** `visits`: of those who sit in it. */
type CancelProps = ChangeProps & { visits: readonly DiaryVisit[]; onCancelled: () => void }

/** What becomes of what they paid, as the server reckons it; nothing where nobody did, and where it cannot be asked. */
function useMoneyBack(visits: readonly DiaryVisit[]) {
  const paid = visits.filter(({ status }) => status === 'deposit_paid' || status === 'completed').map(({ _id }) => _id)
  const { data, isLoading } = useQuery({
    queryKey: dashboardKeys.diary.cancellation(paid),
    queryFn: () => cancellationOfAll(paid),
    enabled: paid.length > 0,
  })
  return { isLoading, words: data && <CancelMoney {...data} many={paid.length > 1} /> }
}

export function CancelSession({ session, visits, onDone, onCancelled }: CancelProps) {
  const { t } = useTranslation('diary-sessions')
  const [reason, setReason] = useState('')
  const cancel = useCancelSession()
  const back = useMoneyBack(visits)
  function submit(event: FormEvent) {
    event.preventDefault()
    const onSuccess = () => {
      showToast({ type: 'success', title: t('cancelled', { name: session.serviceName }) })
      onCancelled()
    }
    // The class may be gone from the calendar before the answer is here. A refusal is shown as it is.
    cancel.mutateAsync({ id: session._id, reason: reason.trim() }).then(onSuccess, () => {})
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label={t('cancelClass')}>
      <p>{session.booked === 0 ? t('cancelsNobody') : t('cancelsAll', { count: session.booked })}</p>
      {back.words}
      {session.booked > 0 && (
        <TextArea
          label={t('fields.reason')}
          hint={t('reasonHint')}
          rows={3}
          dir="auto"
          maxLength={300}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <Failure error={cancel.error} />
      <div className={styles.actions}>
        <Button variant="outline" onClick={onDone}>
          {t('keep')}
        </Button>
        <Button type="submit" variant="danger" loading={cancel.isPending || back.isLoading}>
          {t('cancelClass')}
        </Button>
      </div>
    </form>
  )
}
