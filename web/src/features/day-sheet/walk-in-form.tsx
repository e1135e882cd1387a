// A walk-in without a connection: what, with whom, when, and a name if there is one.
import type { Diary } from '@soigne/contract/diary'
import { minuteMs } from '@soigne/contract/time'
import { useId, useState } from 'react'
import type { FrameOf } from '#/diary-changes.ts'
import { instantAt } from '#/platform/dashboard-time.ts'
import { instantText, parseInstant, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Field } from '#/ui/field.tsx'
import { InTheWay, type Place, PlaceFields } from './place-fields.tsx'
import type { SheetService } from './sheet.ts'
import type { DeskActs } from './use-desk-acts.ts'
import styles from './day-sheet.module.css'

export type WalkInDraft = { day: string; minute: number | null; staffId: string | null }

type WalkInFormProps = {
  draft: WalkInDraft
  diary: Diary
  days: readonly string[]
  services: readonly SheetService[]
  acts: DeskActs
  Frame: FrameOf
  onClose: () => void
}

const performersIn = (diary: Diary, service: SheetService | undefined) =>
  service ? diary.members.filter((member) => member.services.includes(service._id)) : []

function useWalkIn({ draft, diary, services }: Pick<WalkInFormProps, 'draft' | 'diary' | 'services'>) {
  const [serviceId, setServiceId] = useState<string | null>(null)
  const [place, setPlace] = useState<Place>({
    day: draft.day,
    startsAt: draft.minute === null ? null : instantAt(draft.day, draft.minute, diary.timeZone),
    staffId: draft.staffId ?? '',
  })
  const offered = services.filter((service) => performersIn(diary, service).length > 0)
  const service = offered.find(({ _id }) => _id === serviceId)
  const members = performersIn(diary, service)
  const staffId = members.find(({ _id }) => _id === place.staffId)?._id ?? members[0]?._id ?? ''
  const minutes = service?.performers.find((one) => one.staffId === staffId)?.durationMinutes ?? service?.durationMinutes ?? 0
  const endsAt = place.startsAt === null ? null : instantText(parseInstant(place.startsAt) + minutes * minuteMs)
  return { offered, service, setServiceId, members, minutes, place: { ...place, staffId }, setPlace, endsAt }
}

export function WalkInForm({ draft, diary, days, services, acts, Frame, onClose }: WalkInFormProps) {
  const { t } = useTranslation('day-sheet')
  const times = useTimes()
  const [title, serviceName] = [useId(), useId()]
  const [name, setName] = useState('')
  const { offered, service, setServiceId, members, place, setPlace, endsAt } = useWalkIn({ draft, diary, services })
  const { startsAt, staffId } = place
  const isReady = service !== undefined && startsAt !== null && endsAt !== null
  function send() {
    if (!isReady) return
    acts.walkIn({ startsAt, endsAt, staffId, service: { _id: service._id, name: service.name }, name: name.trim() })
    onClose()
  }
  const head = (
    <h2 id={title} className="d4">
      {t('walkInTitle')}
    </h2>
  )
  const foot = (
    <Button className={styles.send} disabled={!isReady} onClick={send}>
      {startsAt === null ? t('note') : t('noteAt', { time: timeText(startsAt, diary.timeZone) })}
    </Button>
  )
  return (
    <Frame labelledBy={title} head={head} foot={foot}>
      <div className={styles.form}>
        <p className="small muted">{t('walkInHint')}</p>
        <ChoiceChips
          legend={t('service')}
          name={serviceName}
          chosen={service?._id ?? 'none'}
          choices={offered.map((one) => ({ value: one._id, label: `${one.name} · ${times.duration(one.durationMinutes)}` }))}
          onChoose={setServiceId}
        />
        {service && <PlaceFields place={place} days={days} members={members} diary={diary} onChange={setPlace} />}
        {isReady && <InTheWay diary={diary} staffId={staffId} startsAt={startsAt} endsAt={endsAt} but="" />}
        <Field
          label={t('name')}
          hint={t('nameHint')}
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </div>
    </Frame>
  )
}
