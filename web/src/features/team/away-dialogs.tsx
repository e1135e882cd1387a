// One day that is not as the rota says, and days away: what that meets is said before it is done.
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { KitInDialog } from '#/kit/provider.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { showToast } from '#/ui/toasts.ts'
import type { ChosenDay } from './rota-table.tsx'
import { type Shift, withinHours } from './shifts.ts'
import styles from './team.module.css'
import type { LeaveKind, Team } from '@soigne/contract/team'
import { DateField } from '#/kit/date-field.tsx'
import { Field } from '#/ui/field.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { SelectField } from '#/ui/select-field.tsx'

/** Hours to change, with the breaks that lie within them. */
function Hours({ shifts, onChange }: { shifts: Shift[]; onChange: (shifts: Shift[]) => void }) {
  const { t } = useTranslation('team')
  const change = (at: number, to: Partial<Shift>) => onChange(shifts.map((shift, index) => (index === at ? { ...shift, ...to } : shift)))
  return (
    <div className={styles.fields}>
      {shifts.map((shift, at) => (
        <div key={at} className={styles.pair}>
          <TimeField label={t('from')} value={shift.opensAt} onChange={(opensAt) => opensAt && change(at, { opensAt })} />
          <TimeField label={t('to')} isEnd value={shift.closesAt} onChange={(closesAt) => closesAt && change(at, { closesAt })} />
          {withinHours(shift).breaks.map((one) => (
            <p key={one.opensAt} className="small muted">
              {t('hours.break')}{' '}
              <bdi>
                {one.opensAt}–{one.closesAt}
              </bdi>
            </p>
          ))}
        </div>
      ))}
    </div>
  )
}

export function DayDialog({ member, day, onClose }: ChosenDay & { onClose: () => void }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const queries = useQueryClient()
  const id = useId()
  const [shifts, setShifts] = useState<Shift[]>(day.shifts.length > 0 ? day.shifts : [{ opensAt: '09:00', closesAt: '18:00', breaks: [] }])
  const [busy, setBusy] = useState(false)
  async function save(to: Shift[] | null) {
    setBusy(true)
    try {
      const body = { shifts: to && to.map((shift) => ({ ...shift, breaks: [...shift.breaks] })) }
      const { outside } = await dashboardApi.setDayShifts({ params: { id: member._id, day: day.day }, body })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
      if (outside.length > 0) showToast({ type: 'warning', title: t('outside', { count: outside.length }), line: t('outsideText') })
      onClose()
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <KitInDialog>
        <h2 id={id} className="d4">
          {t('dayOf', { name: member.name, day: times.day(day.day, 'UTC', 'full') })}
        </h2>
        <p className="muted">{t('dayText')}</p>
        <Hours shifts={shifts} onChange={setShifts} />
        <div className={styles.answers}>
          <Button loading={busy} onClick={() => void save(shifts.map(withinHours))}>
            {t('save')}
          </Button>
          <Button variant="outline" onClick={() => void save([])}>
            {t('dayOff')}
          </Button>
          {day.isReplaced && (
            <Button variant="text" onClick={() => void save(null)}>
              {t('asRota')}
            </Button>
          )}
        </div>
      </KitInDialog>
    </Modal>
  )
}

const kinds: readonly LeaveKind[] = ['on_holiday', 'sick_leave', 'other']
type Asked = { id: string; status: LeaveKind; fromDay: string; toDay: string }

/** What it would meet, without doing it. */
function Meets({ asked, zone }: { asked: Asked; zone: string }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const { id, ...body } = asked
  const { data } = useQuery({
    queryKey: dashboardKeys.leaveMeets(asked),
    queryFn: () => dashboardApi.setAvailability({ params: { id }, query: { dryRun: '1' }, body }),
    enabled: asked.fromDay <= asked.toDay,
  })
  const visits = data?.appointments ?? []
  if (!data) return null
  if (visits.length === 0) return <p className="small muted">{t('timeOff.meetsNothing')}</p>
  return (
    <div className={styles.meets}>
      <p className="strong">{t('timeOff.meets', { count: visits.length })}</p>
      <ul>
        {visits.slice(0, 6).map((visit) => (
          <li key={visit._id} className="small">
            {times.dayOfInstant(visit.startsAt, zone)} <bdi>{times.time(visit.startsAt, zone)}</bdi>{' '}
            <bdi>{visit.customer ?? t(`met.${visit.kind}`)}</bdi>
          </li>
        ))}
      </ul>
      <p className="small muted">{t('timeOff.stay')}</p>
    </div>
  )
}

function useSave(asked: Asked, note: string, onDone: () => void) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function save() {
    const { id, ...body } = asked
    setBusy(true)
    try {
      await dashboardApi.setAvailability({ params: { id }, body: { ...body, note } })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
      onDone()
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setBusy(false)
    }
  }
  return { busy, save }
}

export function TimeOffDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const { t } = useTranslation('team')
  const id = useId()
  const [asked, setAsked] = useState<Asked>({ id: team.items[0]?._id ?? '', status: 'on_holiday', fromDay: team.today, toDay: team.today })
  const [note, setNote] = useState('')
  const { busy, save } = useSave(asked, note, onClose)
  const change = (to: Partial<Asked>) => setAsked({ ...asked, ...to })
  const isTurned = asked.toDay < asked.fromDay
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <KitInDialog>
        <h2 id={id} className="d4">
          {t('timeOff.title')}
        </h2>
        <div className={styles.fields}>
          <SelectField
            label={t('timeOff.who')}
            value={asked.id}
            onChange={({ target }) => change({ id: target.value })}
            options={team.items.map(({ _id, name }) => ({ value: _id, label: name }))}
          />
          <Segmented
            label={t('timeOff.why')}
            value={asked.status}
            onChange={(status) => change({ status })}
            options={kinds.map((value) => ({ value, label: t(`leave.${value}`) }))}
          />
          <p className="small muted">{t('timeOff.private')}</p>
          <div className={styles.pair}>
            <DateField
              label={t('timeOff.first')}
              value={asked.fromDay}
              onChange={(fromDay) => fromDay && change({ fromDay, toDay: fromDay > asked.toDay ? fromDay : asked.toDay })}
            />
            <DateField
              label={t('timeOff.last')}
              value={asked.toDay}
              earliest={asked.fromDay}
              error={isTurned ? t('timeOff.turned') : undefined}
              onChange={(toDay) => toDay && change({ toDay })}
            />
          </div>
          <Field label={t('timeOff.note')} value={note} maxLength={200} onChange={({ target }) => setNote(target.value)} />
          <Meets asked={asked} zone={team.timeZone} />
        </div>
        <div className={styles.answers}>
          <Button loading={busy} disabled={isTurned} onClick={() => void save()}>
            {t('timeOff.save')}
          </Button>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </KitInDialog>
    </Modal>
  )
}
