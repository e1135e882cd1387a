// The days off somebody of the team has asked for, what became of each, and asking for more.
import type { OwnLeaveRequest } from '@soigne/contract/leave-requests'
import { useState } from 'react'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { StatusChip } from '#/ui/status-chip.tsx'
import { showToast } from '#/ui/toasts.ts'
import { AskDialog } from './ask-dialog.tsx'
import { showFailure, useDays, useOwnRequests, useWork } from './use-leave-requests.ts'
import styles from './leave-requests.module.css'

const chips = { asked: 'pending', agreed: 'completed', declined: 'cancelled', lapsed: 'neutral' } as const

function RequestRow({ request }: { request: OwnLeaveRequest }) {
  const { t } = useTranslation('leave-requests')
  const days = useDays()
  const { busy, run } = useWork()
  const { _id, kind, state, note, reason, answeredBy } = request
  async function takeBack() {
    if (!(await askConfirm({ title: t('own.backTitle'), message: t('own.backText', { days: days(request) }), tone: 'plain' }))) return
    const error = await run(() => dashboardApi.withdrawLeaveRequest({ params: { id: _id } }))
    if (error) showFailure(error)
    else showToast({ type: 'success', title: t('own.takenBack') })
  }
  return (
    <li className={styles.own}>
      <div className={styles.grow}>
        <p className="strong">{days(request)}</p>
        <p className="small muted">
          {t(`kinds.${kind}`)}
          {note !== null && (
            <>
              {' · '}
              <bdi>{note}</bdi>
            </>
          )}
        </p>
        {reason !== null && (
          <p className="small">
            <q dir="auto">{reason}</q>
            {answeredBy !== null && <bdi className="muted"> {answeredBy}</bdi>}
          </p>
        )}
      </div>
      <div className={styles.state}>
        <StatusChip status={chips[state]} label={t(`states.${state}`)} />
        {state === 'asked' && (
          <Button variant="text" size="small" loading={busy} onClick={() => void takeBack()}>
            {t('own.back')}
          </Button>
        )}
      </div>
    </li>
  )
}

/** So many are shown before the rest is asked for. */
const first = 4

/** Nothing for who is no member of the team: they have no days. */
export function OwnTimeOff() {
  const { t } = useTranslation('leave-requests')
  const { data } = useOwnRequests()
  const [isAsking, setAsking] = useState(false)
  const [all, setAll] = useState(false)
  if (!data?.isMember) return null
  const { items, today } = data
  return (
    <section id="time-off" className={styles.card} aria-labelledby="own-time-off">
      <div className={styles.head}>
        <h2 id="own-time-off" className="d4">
          {t('own.title')}
        </h2>
        <Button variant="soft" size="small" icon="sun" onClick={() => setAsking(true)}>
          {t('own.ask')}
        </Button>
      </div>
      {items.length === 0 ? (
        <p className="muted">{t('own.none')}</p>
      ) : (
        <ul className={styles.rows}>
          {(all ? items : items.slice(0, first)).map((request) => (
            <RequestRow key={request._id} request={request} />
          ))}
        </ul>
      )}
      {!all && items.length > first && (
        <Button variant="text" size="small" onClick={() => setAll(true)}>
          {t('own.all', { count: items.length })}
        </Button>
      )}
      {isAsking && <AskDialog today={today} onClose={() => setAsking(false)} />}
    </section>
  )
}
