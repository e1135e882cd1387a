// Asking for days off: why, from when to when, and a word to whoever answers.
import type { LeaveKind } from '@soigne/contract/team'
import { useId, useState } from 'react'
import { DateField } from '#/kit/date-field.tsx'
import { KitInDialog } from '#/kit/provider.tsx'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { showToast } from '#/ui/toasts.ts'
import { kinds, useWork } from './use-leave-requests.ts'
import styles from './leave-requests.module.css'

type Asked = { kind: LeaveKind; fromDay: string; toDay: string }

type DaysFieldsProps = {
  asked: Asked
  today: string
  fields: Readonly<Record<string, string>>
  change: (to: Partial<Asked>) => void
}

const isTurned = ({ fromDay, toDay }: Asked): boolean => toDay < fromDay

function DaysFields({ asked, today, fields, change }: DaysFieldsProps) {
  const { t } = useTranslation('leave-requests')
  return (
    <div className={styles.pair}>
      <DateField
        label={t('ask.first')}
        value={asked.fromDay}
        earliest={today}
        error={fields['fromDay']}
        onChange={(fromDay) => fromDay && change({ fromDay, toDay: fromDay > asked.toDay ? fromDay : asked.toDay })}
      />
      <DateField
        label={t('ask.last')}
        value={asked.toDay}
        earliest={asked.fromDay}
        error={isTurned(asked) ? t('ask.turned') : fields['toDay']}
        onChange={(toDay) => toDay && change({ toDay })}
      />
    </div>
  )
}

export function AskDialog({ today, onClose }: { today: string; onClose: () => void }) {
  const { t } = useTranslation('leave-requests')
  const id = useId()
  const { busy, run } = useWork()
  const [asked, setAsked] = useState<Asked>({ kind: 'on_holiday', fromDay: today, toDay: today })
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const fields = fieldFailures(failure)
  function change(to: Partial<Asked>) {
    setFailure(null)
    setAsked({ ...asked, ...to })
  }
  async function send() {
    const error = await run(() => dashboardApi.askForLeave({ body: { ...asked, note } }))
    setFailure(error)
    if (error) return
    showToast({ type: 'success', title: t('ask.sent') })
    onClose()
  }
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <KitInDialog>
        <h2 id={id} className="d4">
          {t('ask.title')}
        </h2>
        <p className="muted">{t('ask.text')}</p>
        <div className={styles.fields}>
          <Segmented
            label={t('ask.why')}
            value={asked.kind}
            onChange={(kind) => change({ kind })}
            options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          />
          <DaysFields {...{ asked, today, fields, change }} />
          <Field label={t('ask.note')} value={note} maxLength={200} onChange={({ target }) => setNote(target.value)} />
          {failure !== null && Object.keys(fields).length === 0 && <Notice tone="warning">{failureText(failure)}</Notice>}
        </div>
        <div className={styles.answers}>
          <Button loading={busy} disabled={isTurned(asked)} onClick={() => void send()}>
            {t('ask.send')}
          </Button>
          <Button variant="outline" onClick={onClose}>
            {t('back')}
          </Button>
        </div>
      </KitInDialog>
    </Modal>
  )
}
