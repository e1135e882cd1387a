// A new class: what, with whom, when, how many seats, in which room, and whether it comes again. Each date says before whether it fits.
import type { Diary } from '@soigne/contract/diary'
import type { Service } from '@soigne/contract/institutes'
import { useEffect, useId, useState, type FormEvent } from 'react'
import type { FrameOf } from '#/diary-changes.ts'
import { DateField } from '#/kit/date-field.tsx'
import { NumberField } from '#/kit/number-field.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { failureText } from '#/platform/api-error.ts'
import { clock, instantAt } from '#/platform/dashboard-time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { SessionPlan } from './session-plan.tsx'
import { useOpenSessions, useSessionPlan } from './use-sessions.ts'
import styles from './sessions.module.css'

/** Where on the calendar it began. */
export type SessionDraft = { day: string; minute: number | null; staffId: string | null }

type Values = {
  serviceId: string
  staffId: string
  day: string
  minute: number
  capacity: number | null
  resourceId: string
  /** 0: it does not come again. */
  everyWeeks: number
  times: number
}

/** The bounds of `contract/src/group-sessions.ts`. */
const mostSeats = 500
const rhythms = [1, 2, 3, 4]
const counts = Array.from({ length: 25 }, (_, n) => n + 2)
const evening = 18 * 60
const eightWeeks = 8

const performersOf = (diary: Diary, serviceId: string) => diary.members.filter(({ services }) => services.includes(serviceId))

function firstValues({ day, minute, staffId }: SessionDraft, classes: readonly Service[], diary: Diary): Values {
  const own = classes.find(({ _id }) => performersOf(diary, _id).some((one) => one._id === staffId))
  const service = own ?? classes[0]
  const able = service ? performersOf(diary, service._id) : []
  return {
    serviceId: service?._id ?? '',
    staffId: able.find(({ _id }) => _id === staffId)?._id ?? able[0]?._id ?? '',
    day,
    minute: minute ?? evening,
    capacity: service?.capacity ?? null,
    resourceId: '',
    everyWeeks: 0,
    times: eightWeeks,
  }
}

/** What is asked, what was found, and what of it is left out. */
function useSessionForm(draft: SessionDraft, classes: readonly Service[], diary: Diary) {
  const [values, setValues] = useState(() => firstValues(draft, classes, diary))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const { serviceId, staffId, day, minute, resourceId, everyWeeks, times } = values
  const isAsked = serviceId !== '' && staffId !== ''
  const plan = useSessionPlan(
    isAsked
      ? {
          serviceId,
          staffId,
          startsAt: instantAt(day, minute, diary.timeZone),
          everyWeeks: Math.max(1, everyWeeks),
          times: everyWeeks === 0 ? 1 : times,
          ...(resourceId !== '' && { resourceId }),
        }
      : null,
  )
  const items = plan.data?.items ?? []
  const chosen = items.filter(({ startsAt, conflict }) => conflict === null && !left.has(startsAt)).map(({ startsAt }) => startsAt)
  return {
    values,
    set(part: Partial<Values>) {
      const service = part.serviceId === undefined ? null : classes.find(({ _id }) => _id === part.serviceId)
      const able = service ? performersOf(diary, service._id) : []
      const whose = service && !able.some(({ _id }) => _id === staffId) ? { staffId: able[0]?._id ?? '' } : {}
      setValues((now) => ({ ...now, ...part, ...(service && { capacity: service.capacity ?? null, resourceId: '', ...whose }) }))
    },
    plan,
    items,
    chosen,
    left,
    leave: (startsAt: string, isLeft: boolean) =>
      setLeft((now) => new Set(isLeft ? [...now, startsAt] : [...now].filter((one) => one !== startsAt))),
  }
}

type Form = ReturnType<typeof useSessionForm>

function WhatFields({ form, classes, diary }: { form: Form; classes: readonly Service[]; diary: Diary }) {
  const { t } = useTranslation('diary-sessions')
  const { values, set } = form
  const able = performersOf(diary, values.serviceId)
  const group = useId()
  return (
    <>
      <SelectField
        label={t('fields.class')}
        value={values.serviceId}
        options={classes.map(({ _id, name }) => ({ value: _id, label: name }))}
        onChange={({ target }) => set({ serviceId: target.value })}
      />
      {able.length === 0 ? (
        <Notice tone="warning">{t('nobodyGives')}</Notice>
      ) : (
        <ChoiceChips
          key={values.serviceId}
          legend={t('fields.with')}
          name={`${group}${values.serviceId}`}
          chosen={values.staffId}
          choices={able.map(({ _id, name }) => ({ value: _id, label: <bdi>{name}</bdi> }))}
          onChoose={(staffId) => set({ staffId })}
        />
      )}
    </>
  )
}

function WhenFields({ form }: { form: Form }) {
  const { t } = useTranslation('diary-sessions')
  const { values, set, plan } = form
  const rooms = plan.data?.rooms ?? []
  return (
    <>
      <div className={styles.two}>
        <DateField label={t('fields.day')} isRequired value={values.day} onChange={(day) => day !== null && set({ day })} />
        <TimeField
          label={t('fields.time')}
          isRequired
          value={clock(values.minute).padStart(5, '0')}
          onChange={(time) => {
            const [hours, minutes] = (time ?? '').split(':').map(Number)
            if (hours !== undefined && minutes !== undefined) set({ minute: hours * 60 + minutes })
          }}
        />
      </div>
      <div className={styles.two}>
        <NumberField
          label={t('fields.seats')}
          least={1}
          most={mostSeats}
          value={values.capacity}
          onChange={(capacity) => set({ capacity })}
        />
        {rooms.length > 1 && (
          <SelectField
            label={t('fields.room')}
            value={values.resourceId}
            options={[{ value: '', label: t('anyRoom') }, ...rooms.map(({ _id, name }) => ({ value: _id, label: name }))]}
            onChange={({ target }) => set({ resourceId: target.value })}
          />
        )}
      </div>
    </>
  )
}

function RepeatFields({ form: { values, set } }: { form: Form }) {
  const { t } = useTranslation('diary-sessions')
  return (
    <div className={styles.two}>
      <SelectField
        label={t('fields.repeat')}
        value={values.everyWeeks}
        options={[{ value: '0', label: t('once') }, ...rhythms.map((count) => ({ value: String(count), label: t('weeks', { count }) }))]}
        onChange={({ target }) => set({ everyWeeks: Number(target.value) })}
      />
      {values.everyWeeks > 0 && (
        <SelectField
          label={t('fields.times')}
          value={values.times}
          options={counts.map((count) => ({ value: String(count), label: t('times', { count }) }))}
          onChange={({ target }) => set({ times: Number(target.value) })}
        />
      )}
    </div>
  )
}

export type SessionFormProps = {
  draft: SessionDraft
  diary: Diary
  /** Services with seats. */
  classes: readonly Service[]
  Frame: FrameOf
  /** The first of them, as it is drawn on the calendar meanwhile. */
  onDraw: (drawn: { startsAt: string; endsAt: string; staffId: string } | null) => void
  onClose: () => void
}

function useDrawn({ items, values }: Form, onDraw: SessionFormProps['onDraw']) {
  const first = items[0]
  const [startsAt, endsAt] = first && first.startsAt !== first.endsAt ? [first.startsAt, first.endsAt] : [null, null]
  const { staffId } = values
  useEffect(() => {
    onDraw(startsAt !== null && endsAt !== null ? { startsAt, endsAt, staffId } : null)
  }, [startsAt, endsAt, staffId, onDraw])
  useEffect(() => () => onDraw(null), [onDraw])
}

export function SessionForm({ draft, diary, classes, Frame, onDraw, onClose }: SessionFormProps) {
  const { t } = useTranslation('diary-sessions')
  const [title, id] = [useId(), useId()]
  const form = useSessionForm(draft, classes, diary)
  const { values, plan, items, chosen } = form
  const open = useOpenSessions(onClose)
  useDrawn(form, onDraw)
  function submit(event: FormEvent) {
    event.preventDefault()
    const { serviceId, staffId, capacity, resourceId } = values
    if (chosen.length === 0 || capacity === null || plan.isPlaceholderData) return
    open.mutate({ serviceId, staffId, startsAt: chosen, capacity, ...(resourceId !== '' && { resourceId }) })
  }
  const head = (
    <h2 id={title} className="d4">
      {t('newClass')}
    </h2>
  )
  const foot = (
    <Button
      type="submit"
      form={id}
      wide
      loading={open.isPending}
      disabled={chosen.length === 0 || values.capacity === null || plan.isPlaceholderData}
    >
      {items.length > 1 ? t('openMany', { count: chosen.length }) : t('open')}
    </Button>
  )
  const error = open.error ?? plan.error
  return (
    <Frame labelledBy={title} head={head} foot={foot}>
      <form id={id} onSubmit={submit} className={styles.form} noValidate>
        <WhatFields form={form} classes={classes} diary={diary} />
        <WhenFields form={form} />
        <RepeatFields form={form} />
        <SessionPlan items={items} timeZone={diary.timeZone} left={form.left} onLeave={form.leave} />
        {error && (
          <Notice tone="error" announce>
            {failureText(error)}
          </Notice>
        )}
      </form>
    </Frame>
  )
}
