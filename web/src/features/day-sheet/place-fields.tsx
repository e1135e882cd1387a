// When and with whom, without the server: by hand, with what stands in the way said from the kept calendar.
import type { Diary } from '@soigne/contract/diary'
import { useId } from 'react'
import { TimeField } from '#/kit/time-field.tsx'
import { instantAt } from '#/platform/dashboard-time.ts'
import { timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Notice } from '#/ui/notice.tsx'
import { inTheWay } from './changes.ts'
import styles from './day-sheet.module.css'

export type Place = { day: string; startsAt: string | null; staffId: string }

type PlaceFieldsProps = {
  place: Place
  /** Days that are kept. */
  days: readonly string[]
  members: readonly { _id: string; name: string }[]
  diary: Diary
  onChange: (place: Place) => void
}

export function PlaceFields({ place, days, members, diary, onChange }: PlaceFieldsProps) {
  const { t } = useTranslation('day-sheet')
  const times = useTimes()
  const [dayName, memberName] = [useId(), useId()]
  const zone = diary.timeZone
  const { startsAt } = place
  const time = startsAt === null ? null : timeText(startsAt, zone)
  function at(day: string, text: string | null) {
    const [hours, minutes] = (text ?? '').split(':').map(Number)
    onChange({ ...place, day, startsAt: hours === undefined || minutes === undefined ? null : instantAt(day, hours * 60 + minutes, zone) })
  }
  return (
    <>
      {days.length > 1 && (
        <ChoiceChips
          legend={t('day')}
          name={dayName}
          chosen={place.day}
          choices={days.map((day) => ({ value: day, label: times.day(day, zone) }))}
          onChoose={(day) => at(day, time)}
        />
      )}
      <TimeField label={t('time')} value={time?.padStart(5, '0') ?? null} onChange={(text) => at(place.day, text)} />
      <ChoiceChips
        key={members.map(({ _id }) => _id).join()}
        legend={t('with')}
        name={memberName}
        chosen={place.staffId}
        choices={members.map(({ _id, name }) => ({ value: _id, label: <bdi>{name}</bdi> }))}
        onChoose={(staffId) => onChange({ ...place, staffId })}
      />
    </>
  )
}

/** What the kept calendar has there already; the server knows more, and says so on return. */
export function InTheWay({
  diary,
  staffId,
  startsAt,
  endsAt,
  but,
}: {
  diary: Diary
  staffId: string
  startsAt: string
  endsAt: string
  but: string
}) {
  const { t } = useTranslation('day-sheet')
  const { t: word } = useTranslation('diary')
  const zone = diary.timeZone
  const there = inTheWay(diary, staffId, { startsAt, endsAt }, but)
  if (there.length === 0) return <p className="small muted">{t('freeAsKept')}</p>
  return (
    <Notice tone="warning" announce title={t('standsThere')}>
      <ul className={styles.plain}>
        {there.map((visit) => (
          <li key={visit._id}>
            <bdi>{timeText(visit.startsAt, zone)}</bdi>–<bdi>{timeText(visit.endsAt, zone)}</bdi>{' '}
            <bdi>{visit.customer.name || word('walkIn')}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
