// What somebody would take when it falls free: the days, and the part of the day or its hours. For a visit: an earlier time, and the visit is given back for it.
import type { Appointment, HomeAddressInput } from '@soigne/contract/appointments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { useLocation } from 'react-router'
import { partsOfDay } from '#/contract/closed-lists.ts'
import { loginPath, paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useList } from '#/platform/lists.ts'
import { placeText } from '#/platform/return-location.ts'
import { useUser } from '#/platform/session.tsx'
import { addDays, dayOf, daysBetween, type DayStyle, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { HomeLine } from './home-line.tsx'
import { type Hours, HoursFields, usualHours } from './hours-fields.tsx'
import styles from './waiting.module.css'

export type WaitingWish = {
  institute: { _id: string; name: string; timeZone: string }
  items: readonly { serviceId: string; staffId: string | null }[]
  /** The day on show; today where none is. */
  day: string | null
  /** The time that was chosen; its day is on show where none is named. */
  at?: string | null | undefined
  /** The visit that is given back for an earlier time. */
  visit?: Pick<Appointment, '_id' | 'startsAt' | 'segments'> | undefined
  /** Where a visit at home would be. */
  home?: HomeAddressInput | undefined
  /** The present, by the server's clock where it is known. */
  now: number
}

/** Days that are offered at once, in rows of a week. */
const mostDays = 14

type Window = { from: string; to: string }

/** A tap chooses a day; a second one after it, all days between. */
const afterTap = ({ from, to }: Window, day: string): Window => (from === to && day > from ? { from, to: day } : { from: day, to: day })

/** The days that are asked about: from the one on show, or up to that of the visit. */
function daysOf({ at, visit, now, institute, ...wish }: WaitingWish): string[] {
  const today = dayOf(now, institute.timeZone)
  const day = wish.day ?? (at ? dayOf(at, institute.timeZone) : null)
  const first = day === null || day < today || visit ? today : day
  const last = visit ? daysBetween(first, dayOf(visit.startsAt, institute.timeZone)) : mostDays - 1
  return Array.from({ length: Math.min(mostDays, last + 1) }, (_, n) => addDays(first, n))
}

/** Longest window the server takes, in days after its first. */
const furthest = 61

/** The day of a visit, or as far as a window goes. */
function lastBefore(startsAt: string, timeZone: string, first: string): string {
  const day = dayOf(startsAt, timeZone)
  const last = addDays(first, furthest)
  return day < last ? day : last
}

type DaysProps = { days: readonly string[]; chosen: Window; onChoose: (window: Window) => void; timeZone: string; now: number }

function Days({ days, chosen, onChoose, timeZone, now }: DaysProps) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const weekdays = times.weekdays(times.locale === 'ar' ? 'narrow' : 'short')
  const text = (day: string, style: DayStyle = 'full') => times.day(day, timeZone, style, now)
  const title = useId()
  return (
    <fieldset aria-describedby={title}>
      <legend className={styles.legend}>{t('waiting.days')}</legend>
      <div className={styles.days}>
        {days.map((day) => (
          <button
            key={day}
            type="button"
            className={styles.day}
            aria-pressed={day >= chosen.from && day <= chosen.to}
            aria-label={text(day)}
            onClick={() => onChoose(afterTap(chosen, day))}
          >
            <span className={styles.weekday}>{weekdays[(new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7]}</span>
            <span className={styles.date}>{Number(day.slice(8))}</span>
          </button>
        ))}
      </div>
      <p id={title} role="status" className="small muted">
        {chosen.from === chosen.to
          ? text(chosen.from)
          : t('waiting.fromTo', { from: text(chosen.from, 'within'), to: text(chosen.to, 'within') })}
      </p>
    </fieldset>
  )
}

/** When on those days: a part of the day, or between two times. */
type When = { part?: (typeof partsOfDay)[number] | undefined; hours?: Hours | undefined }

function useJoin({ institute, items, visit, home }: WaitingWish, onClose: () => void) {
  const { t } = useTranslation('appointments')
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ from, to, part, hours, isAnyone }: Window & When & { isAnyone: boolean }) =>
      api.joinWaitingList({
        body: {
          instituteId: institute._id,
          services: items.map(({ serviceId, staffId }) => ({ serviceId, ...(staffId !== null && !isAnyone && { staffId }) })),
          fromDay: from,
          toDay: to,
          ...(part && { part }),
          ...(hours && { hours }),
          ...(visit && { visitId: visit._id }),
          ...(home && { home }),
        },
      }),
    onSuccess: () => {
      showToast({ type: 'success', title: t('waiting.joined'), line: t('waiting.joinedLine') })
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.appointments.list('waiting') }),
  })
}

type InsteadProps = { visit: NonNullable<WaitingWish['visit']>; timeZone: string; now: number; onAnyone: (isAnyone: boolean) => void }

/** What becomes of the visit, and whether who does it may be another. */
function Instead({ visit, timeZone, now, onAnyone }: InsteadProps) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const list = useList()
  const name = useId()
  return (
    <>
      <ChoiceChips
        legend={t('waiting.who')}
        name={name}
        choices={[
          { value: '', label: list([...new Set(visit.segments.map(({ staffName }) => staffName))]) },
          { value: 'any', label: t('waiting.anyone') },
        ]}
        chosen=""
        onChoose={(value) => onAnyone(value === 'any')}
      />
      <Notice tone="kind" title={t('waiting.swap')}>
        {t('waiting.swapText', {
          day: times.dayOfInstant(visit.startsAt, timeZone, 'within', now),
          time: times.time(visit.startsAt, timeZone),
        })}
      </Notice>
    </>
  )
}

/** A part of the day, any, or the hours that are named below. */
function WhenFields({ when, onChange }: { when: When; onChange: (when: When) => void }) {
  const { t } = useTranslation(['appointments', 'availability'])
  return (
    <>
      <ChoiceChips
        legend={t('appointments:waiting.part')}
        name={useId()}
        choices={[
          { value: '', label: t('appointments:waiting.anyPart') },
          ...partsOfDay.map((value) => ({ value, label: t(`availability:parts.${value}`) })),
          { value: 'hours', label: t('appointments:waiting.setHours') },
        ]}
        chosen=""
        onChoose={(value) => onChange(value === 'hours' ? { hours: usualHours } : { part: partsOfDay.find((one) => one === value) })}
      />
      {when.hours && <HoursFields hours={when.hours} onChange={(hours) => onChange({ hours })} />}
    </>
  )
}

function JoinForm({ wish, onClose }: { wish: WaitingWish; onClose: () => void }) {
  const { t } = useTranslation('appointments')
  const { institute, visit, home, now } = wish
  const { timeZone } = institute
  const days = daysOf(wish)
  const [first = ''] = days
  const [chosen, setChosen] = useState<Window>({ from: first, to: visit ? lastBefore(visit.startsAt, timeZone, first) : first })
  const [when, setWhen] = useState<When>({})
  const [isAnyone, setIsAnyone] = useState(false)
  const join = useJoin(wish, onClose)
  function submit(event: FormEvent) {
    event.preventDefault()
    join.mutate({ ...chosen, ...when, isAnyone })
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      {home && <HomeLine home={home} />}
      <Days days={days} chosen={chosen} onChoose={setChosen} timeZone={timeZone} now={now} />
      <WhenFields when={when} onChange={setWhen} />
      {visit && <Instead visit={visit} timeZone={timeZone} now={now} onAnyone={setIsAnyone} />}
      {join.error && (
        <Notice tone="error" announce>
          {failureText(join.error)}
        </Notice>
      )}
      <Button type="submit" size="large" wide loading={join.isPending}>
        {t('waiting.join')}
      </Button>
      <p className="small muted">{t('waiting.how')}</p>
    </form>
  )
}

export function WaitingSheet({ wish, onClose }: { wish: WaitingWish; onClose: () => void }) {
  const { t } = useTranslation('appointments')
  const title = useId()
  const user = useUser()
  const from = placeText(useLocation())
  return (
    <Modal open onClose={onClose} labelledBy={title} placement="sheet" className={styles.sheet}>
      <div className={styles.head}>
        <h2 id={title} className="d3">
          {t(wish.visit ? 'waiting.earlierTitle' : 'waiting.title')}
        </h2>
        <IconButton icon="close" label={t('waiting.close')} onClick={onClose} />
      </div>
      <p className="muted">{t('waiting.text', { name: wish.institute.name })}</p>
      {user ? (
        <JoinForm wish={wish} onClose={onClose} />
      ) : (
        <div className={styles.form}>
          <p>{t('waiting.logInText')}</p>
          <ButtonLink to={loginPath(from)} size="large" wide>
            {t('waiting.logIn')}
          </ButtonLink>
        </div>
      )}
      {user && (
        <ButtonLink to={`${paths.appointments}#waiting`} variant="text" size="small">
          {t('waiting.mine')}
        </ButtonLink>
      )}
    </Modal>
  )
}
