// Closing days: which, whether all day, why; and the visits it would hit, before anything is closed.
import type { HitVisit } from '@soigne/contract/institute-settings'
import { useState, type FormEvent } from 'react'
import { DateField } from '#/kit/date-field.tsx'
import { KitInDialog } from '#/kit/provider.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dayOf } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { Modal } from '#/ui/modal.tsx'
import { HitVisits } from './setting-parts.tsx'
import styles from './institute-settings.module.css'

export type ClosureDialogProps = { timeZone: string; onClose: () => void; onClosed: (hits: readonly HitVisit[]) => void }

type Asked = { fromDay: string; toDay: string; isWhole: boolean; opensAt: string; closesAt: string; reason: string }
type Errors = Readonly<Record<string, string>>

/** What is asked; the visits in it are shown before anything is closed. */
function useAsked({ timeZone, onClosed }: Pick<ClosureDialogProps, 'timeZone' | 'onClosed'>) {
  const [today] = useState(() => dayOf(Date.now(), timeZone))
  const [asked, setAsked] = useState<Asked>({
    fromDay: today,
    toDay: today,
    isWhole: true,
    opensAt: '12:00',
    closesAt: '18:00',
    reason: '',
  })
  const [hits, setHits] = useState<readonly HitVisit[] | null>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  function set(change: Partial<Asked>) {
    setAsked((before) => ({ ...before, ...change, ...(change.fromDay && change.fromDay > before.toDay && { toDay: change.fromDay }) }))
    setHits(null)
    setErrors({})
  }
  async function send() {
    const { fromDay, toDay, isWhole, opensAt, closesAt, reason } = asked
    const body = { fromDay, toDay, reason, ...(!isWhole && { part: { opensAt, closesAt } }) }
    setBusy(true)
    try {
      // Closing past visits takes a second, knowing click.
      const looked = hits === null ? await dashboardApi.close({ query: { dryRun: '1' }, body }) : null
      if (looked && looked.hits.length > 0) setHits(looked.hits)
      else onClosed((await dashboardApi.close({ body })).hits)
    } catch (error) {
      const fields = fieldFailures(error)
      setErrors(Object.keys(fields).length > 0 ? fields : { form: failureText(error) })
    } finally {
      setBusy(false)
    }
  }
  return { today, asked, set, hits, errors, isBusy, send }
}

function When({ today, asked, errors, set }: { today: string; asked: Asked; errors: Errors; set: (change: Partial<Asked>) => void }) {
  const { t } = useTranslation('institute-settings')
  return (
    <>
      <div className={styles.pair}>
        <DateField
          label={t('closures.from')}
          value={asked.fromDay}
          earliest={today}
          error={errors['fromDay']}
          onChange={(fromDay) => fromDay && set({ fromDay })}
        />
        <DateField
          label={t('closures.to')}
          value={asked.toDay}
          earliest={asked.fromDay}
          error={errors['toDay']}
          onChange={(toDay) => toDay && set({ toDay })}
        />
      </div>
      <Checkbox label={t('closures.allDay')} checked={asked.isWhole} onChange={() => set({ isWhole: !asked.isWhole })} />
      {!asked.isWhole && (
        <div className={styles.pair}>
          <TimeField label={t('closures.partFrom')} value={asked.opensAt} onChange={(time) => time && set({ opensAt: time })} />
          <TimeField
            label={t('closures.partTo')}
            isEnd
            value={asked.closesAt}
            error={errors['part.closesAt']}
            onChange={(time) => time && set({ closesAt: time })}
          />
        </div>
      )}
    </>
  )
}

export function ClosureDialog({ timeZone, onClose, onClosed }: ClosureDialogProps) {
  const { t } = useTranslation('institute-settings')
  const { today, asked, set, hits, errors, isBusy, send } = useAsked({ timeZone, onClosed })
  function submit(event: FormEvent) {
    event.preventDefault()
    void send()
  }
  return (
    <Modal open onClose={onClose} labelledBy="closure-title" placement="sheet">
      <KitInDialog>
        <form noValidate className={styles.dialog} onSubmit={submit}>
          <h2 id="closure-title" className="d3">
            {t('closures.dialog')}
          </h2>
          <When today={today} asked={asked} errors={errors} set={set} />
          <Field
            label={t('closures.reason')}
            hint={t('closures.reasonHint')}
            maxLength={120}
            value={asked.reason}
            error={errors['reason']}
            onChange={(event) => set({ reason: event.target.value })}
          />
          {hits && (
            <HitVisits title={t('closures.wouldHit', { count: hits.length })} visits={hits} timeZone={timeZone}>
              {t('closures.stay')}
            </HitVisits>
          )}
          {errors['form'] && (
            <p className={`small ${styles.problem}`} role="alert">
              {errors['form']}
            </p>
          )}
          <div className={styles.ways}>
            <Button variant="text" onClick={onClose}>
              {t('back')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {hits ? t('closures.closeAnyway') : t('closures.close')}
            </Button>
          </div>
        </form>
      </KitInDialog>
    </Modal>
  )
}
