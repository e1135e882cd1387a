// Time kept free of visits: a break, a meeting, an errand. Made, changed and given back here.
import type { Diary, DiaryBlock } from '@soigne/contract/diary'
import { useId, useState, type FormEvent } from 'react'
import { undoMs, type FrameOf } from '#/diary-changes.ts'
import { useRefusalWords, useTakeBack } from '#/diary-in-the-way.ts'
import { DateField } from '#/kit/date-field.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { clock, instantAt, wallMinutes } from '#/platform/dashboard-time.ts'
import { dayOf } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useBlockedTime } from './use-booking-changes.ts'
import styles from './booking.module.css'

const blockedKinds = ['break', 'meeting', 'training', 'errand', 'other'] as const satisfies readonly DiaryBlock['kind'][]

/** What is to be kept free; with `blocked`, what is kept already. */
export type BlockDraft = { day: string; from: number; to: number; staffId: string; blocked: DiaryBlock | null }

export function draftOfBlock(blocked: DiaryBlock, zone: string): BlockDraft {
  const day = dayOf(blocked.startsAt, zone)
  const to = dayOf(blocked.endsAt, zone) === day ? wallMinutes(blocked.endsAt, zone) : 1440
  return { day, from: wallMinutes(blocked.startsAt, zone), to, staffId: blocked.staffId ?? '', blocked }
}

const padded = (minute: number): string => clock(minute).padStart(5, '0')

function minutesOfText(text: string): number | null {
  const [hours, minutes] = text.split(':').map(Number)
  return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes) ? null : hours * 60 + minutes
}

type Values = { day: string; from: string; to: string; staffId: string; kind: DiaryBlock['kind']; note: string }

/** Sends it; says what is wrong before that. */
function useSend(draft: BlockDraft, zone: string, onClose: () => void) {
  const { t } = useTranslation('diary')
  const { block, change, unblock } = useBlockedTime()
  const takeBack = useTakeBack(zone)
  const done = (title: string, undo?: () => void) => {
    showToast({ type: 'success', title, ...(undo && { durationMs: undoMs, action: { label: t('undo'), onAction: undo } }) })
    onClose()
  }
  function send(values: Values, from: number, to: number) {
    const { blocked } = draft
    // The fields show one day: what goes on after it ends where it did, unless its times are changed.
    const isSameTime = values.day === draft.day && from === draft.from && to === draft.to
    const kept = blocked && isSameTime ? { startsAt: blocked.startsAt, endsAt: blocked.endsAt } : null
    const body = {
      ...(kept ?? { startsAt: instantAt(values.day, from, zone), endsAt: instantAt(values.day, to, zone) }),
      staffId: values.staffId,
      kind: values.kind,
      note: values.note.trim(),
    }
    if (!blocked)
      return block.mutate(body, { onSuccess: ({ _id }) => done(t('block.done'), () => takeBack(() => unblock.mutateAsync(_id))) })
    change.mutate({ id: blocked._id, body }, { onSuccess: () => done(t('block.changed')) })
  }
  const remove = ({ _id, staffId, startsAt, endsAt, kind, note }: DiaryBlock) =>
    unblock.mutate(_id, {
      onSuccess: () =>
        done(t('block.removed'), () =>
          takeBack(() =>
            block.mutateAsync({ startsAt, endsAt, kind, ...(staffId !== null && { staffId }), ...(note !== null && { note }) }),
          ),
        ),
    })
  return {
    send,
    remove,
    error: block.error ?? change.error ?? unblock.error,
    isPending: block.isPending || change.isPending,
    isRemoving: unblock.isPending,
  }
}

function NoteField({ note, onChange }: { note: string; onChange: (part: Partial<Values>) => void }) {
  const { t } = useTranslation('diary')
  return (
    <Field
      label={t('block.note')}
      value={note}
      maxLength={200}
      dir="auto"
      hint={t('block.noteHint')}
      onChange={(event) => onChange({ note: event.target.value })}
    />
  )
}

function Fields({
  values,
  diary,
  isWrong,
  onChange,
}: {
  values: Values
  diary: Diary
  isWrong: boolean
  onChange: (part: Partial<Values>) => void
}) {
  const { t } = useTranslation('diary')
  const people = diary.members.map((member) => ({ value: member._id, label: member.name }))
  const kinds = blockedKinds.map((kind) => ({ value: kind, label: t(`blockedKinds.${kind}`) }))
  return (
    <>
      <ChoiceChips
        legend={t('block.kind')}
        name={useId()}
        chosen={values.kind}
        choices={kinds}
        onChoose={(value) => onChange({ kind: blockedKinds.find((one) => one === value) ?? 'other' })}
      />
      <SelectField
        label={t('block.who')}
        value={values.staffId}
        options={people}
        onChange={(event) => onChange({ staffId: event.target.value })}
      />
      <DateField label={t('fields.day')} isRequired value={values.day} onChange={(day) => day !== null && onChange({ day })} />
      <div className={styles.two}>
        <TimeField label={t('fields.from')} isRequired value={values.from} onChange={(from) => from !== null && onChange({ from })} />
        <TimeField
          label={t('fields.until')}
          isRequired
          isEnd
          value={values.to}
          error={isWrong ? t('block.wrong') : undefined}
          onChange={(to) => to !== null && onChange({ to })}
        />
      </div>
      <NoteField note={values.note} onChange={onChange} />
    </>
  )
}

/** What the fields begin with. */
function valuesOf({ day, from, to, staffId, blocked }: BlockDraft): Values {
  return {
    day,
    from: padded(from),
    to: to === 1440 ? '24:00' : padded(to),
    staffId,
    kind: blocked?.kind ?? 'break',
    note: blocked?.note ?? '',
  }
}

export function BlockForm({ draft, diary, Frame, onClose }: { draft: BlockDraft; diary: Diary; Frame: FrameOf; onClose: () => void }) {
  const { t } = useTranslation('diary')
  const [title, form] = [useId(), useId()]
  const { blocked } = draft
  const wordsOf = useRefusalWords(diary.timeZone)
  const [values, setValues] = useState<Values>(() => valuesOf(draft))
  const [isWrong, setIsWrong] = useState(false)
  const { send, remove, error, isPending, isRemoving } = useSend(draft, diary.timeZone, onClose)
  function submit(event: FormEvent) {
    event.preventDefault()
    const [from, to] = [minutesOfText(values.from), minutesOfText(values.to)]
    const isRight = from !== null && to !== null && to > from
    setIsWrong(!isRight)
    if (isRight) send(values, from, to)
  }
  const head = (
    <h2 id={title} className="d4">
      {blocked ? t('block.change') : t('block.title')}
    </h2>
  )
  const foot = (
    <>
      {blocked && (
        <Button variant="text" loading={isRemoving} onClick={() => remove(blocked)}>
          {t('block.remove')}
        </Button>
      )}
      <Button type="submit" form={form} loading={isPending} className={styles.send}>
        {blocked ? t('save') : t('block.action')}
      </Button>
    </>
  )
  return (
    <Frame labelledBy={title} head={head} foot={foot}>
      <form id={form} onSubmit={submit} className={styles.form} noValidate>
        <Fields values={values} diary={diary} isWrong={isWrong} onChange={(part) => setValues((now) => ({ ...now, ...part }))} />
        {error && (
          <Notice tone="error" announce>
            {wordsOf(error)}
          </Notice>
        )}
      </form>
    </Frame>
  )
}
