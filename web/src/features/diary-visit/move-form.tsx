// "Move to another time": what dragging does, as a form. Day, person, and the times that are free.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { useId, useState } from 'react'
import { undoMs, useFreeTimes, useUndo } from '#/diary-changes.ts'
import { shifted, useRefusalWords } from '#/diary-in-the-way.ts'
import { DateField } from '#/kit/date-field.tsx'
import { dayOf, minutesBetween, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SlotChip } from '#/ui/slot-chip.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useMoveVisit } from './use-visit-changes.ts'
import styles from './visit.module.css'

/** Everybody who performs all of a visit. */
const performersOf = (diary: Diary, visit: DiaryVisit) =>
  diary.members.filter((member) => visit.segments.every((segment) => member.services.includes(segment.serviceId)))

function useMoveForm(visit: DiaryVisit, diary: Diary, onDone: () => void) {
  const { t } = useTranslation('diary')
  const spelt = useTimes()
  const zone = diary.timeZone
  const [day, setDay] = useState(dayOf(visit.startsAt, zone))
  const [staff, setStaff] = useState('')
  const [at, setAt] = useState<string | null>(null)
  const move = useMoveVisit()
  const undo = useUndo()
  const services = visit.segments.map(({ serviceId }) => serviceId)
  const free = useFreeTimes({
    services,
    staff: visit.segments.map(({ staffId }) => staff || staffId),
    day,
    atHome: visit.atHome !== undefined,
    visit: visit._id,
  })
  // Where it is already it need not be moved to.
  const times = free.data?.filter(({ startsAt }) => staff !== '' || minutesBetween(startsAt, visit.startsAt) !== 0)
  function confirm() {
    if (at === null) return
    const title = t('move.done', {
      name: visit.customer.name || t('walkIn'),
      day: spelt.day(dayOf(at, zone), zone, 'long'),
      time: timeText(at, zone),
    })
    const onSuccess = () => {
      showToast({ type: 'success', title, durationMs: undoMs, action: undo(visit._id) })
      onDone()
    }
    // News of the move may have renewed this form before its answer: what follows does not hang on it. A refusal is shown as it is.
    move.mutateAsync({ visit, startsAt: at, ...(staff !== '' && { staffId: staff }) }).then(onSuccess, () => {})
  }
  /** Another day or person has other times. */
  function choose(part: { day?: string; staff?: string }) {
    if (part.day !== undefined) setDay(part.day)
    if (part.staff !== undefined) setStaff(part.staff)
    setAt(null)
  }
  const wishedAt = (startsAt: string) => shifted(visit, minutesBetween(visit.startsAt, startsAt), (one) => staff || one.staffId)
  return { day, at, setAt, choose, free, times, move, confirm, wished: at === null ? undefined : wishedAt(at) }
}

function WhoField({ visit, diary, onChoose }: { visit: DiaryVisit; diary: Diary; onChoose: (staffId: string) => void }) {
  const { t } = useTranslation('diary')
  const name = (id: string) => diary.members.find((one) => one._id === id)?.name ?? ''
  const others = performersOf(diary, visit).filter((member) => visit.segments.some(({ staffId }) => staffId !== member._id))
  return (
    <ChoiceChips
      legend={t('fields.with')}
      name={useId()}
      chosen=""
      choices={[
        { value: '', label: [...new Set(visit.segments.map(({ staffId }) => name(staffId)))].join(', ') },
        ...others.map((member) => ({ value: member._id, label: <bdi>{member.name}</bdi> })),
      ]}
      onChoose={onChoose}
    />
  )
}

export function MoveForm({ visit, diary, onDone }: { visit: DiaryVisit; diary: Diary; onDone: () => void }) {
  const { t } = useTranslation('diary')
  const { day, at, setAt, choose, free, times, move, confirm, wished } = useMoveForm(visit, diary, onDone)
  const zone = diary.timeZone
  const wordsOf = useRefusalWords(zone)
  const error = move.error ?? free.error
  return (
    <section className={styles.form} aria-label={t('move.to')}>
      <DateField label={t('fields.day')} isRequired value={day} onChange={(picked) => picked !== null && choose({ day: picked })} />
      <WhoField visit={visit} diary={diary} onChoose={(staff) => choose({ staff })} />
      <div role="group" aria-label={t('fields.time')}>
        {times?.length === 0 && <p className="muted">{t('noTimes')}</p>}
        <div className={styles.times}>
          {times?.map(({ startsAt }) => (
            <SlotChip key={startsAt} time={timeText(startsAt, zone)} selected={startsAt === at} onClick={() => setAt(startsAt)} />
          ))}
        </div>
      </div>
      {error && (
        <Notice tone="error" announce>
          {wordsOf(error, wished)}
        </Notice>
      )}
      <div className={styles.actions}>
        <Button variant="outline" onClick={onDone}>
          {t('move.keep')}
        </Button>
        <Button loading={move.isPending} disabled={at === null} onClick={confirm}>
          {at === null ? t('move.choose') : t('move.confirm', { time: timeText(at, zone) })}
        </Button>
      </div>
    </section>
  )
}
