// One day of somebody that is not as the rota says.
import { useQueryClient } from '@tanstack/react-query'
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
import type { Shift } from './shifts.ts'
import styles from './team-page.module.css'

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
  const change = (at: number, to: Partial<Shift>) => setShifts(shifts.map((shift, index) => (index === at ? { ...shift, ...to } : shift)))
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <KitInDialog>
        <h2 id={id} className="d4">
          {t('dayOf', { name: member.name, day: times.day(day.day, 'UTC', 'full') })}
        </h2>
        <p className="muted">{t('dayText')}</p>
        <div className={styles.fields}>
          {shifts.map((shift, at) => (
            <div key={at} className={styles.pair}>
              <TimeField label={t('from')} value={shift.opensAt} onChange={(opensAt) => opensAt && change(at, { opensAt })} />
              <TimeField label={t('to')} isEnd value={shift.closesAt} onChange={(closesAt) => closesAt && change(at, { closesAt })} />
            </div>
          ))}
        </div>
        <div className={styles.answers}>
          <Button loading={busy} onClick={() => void save(shifts)}>
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
