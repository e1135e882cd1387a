// How the visits of the signed-in person reach their calendar, and the switches for it. Stands on its own, wherever it is put.
import type { CalendarsOfUser } from '@soigne/contract/calendars'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { keepOrigin } from '#/left-from.ts'
import { providerPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { placeText } from '#/platform/return-location.ts'
import { useSessionActions, useUser } from '#/platform/session.tsx'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button, buttonClass } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { FeedPart } from './feed-part.tsx'
import styles from './calendar-card.module.css'

function ConnectLink({ label }: { label: string }) {
  const user = useUser()
  const from = placeText(useLocation())
  return (
    <a
      href={providerPath({ role: user?.role ?? null, from, forCalendar: true })}
      onClick={() => keepOrigin(from)}
      className={buttonClass({ variant: 'soft' })}
    >
      {label}
    </a>
  )
}

function SyncedLine({ syncedAt }: { syncedAt: string | null }) {
  const { t } = useTranslation('calendars')
  const times = useTimes()
  const [now] = useState(Date.now)
  if (syncedAt === null) return <p className="small muted">{t('card.notYet')}</p>
  const minutes = Math.max(0, Math.floor((now - parseInstant(syncedAt)) / minuteMs))
  return (
    <p className="small muted">
      <time dateTime={syncedAt}>{t('card.synced', { when: minutes < 1 ? t('card.justNow') : times.soon(-minutes) })}</time>
    </p>
  )
}

function Connected({ connection }: { connection: NonNullable<CalendarsOfUser['connection']> }) {
  const { t } = useTranslation('calendars')
  const queries = useQueryClient()
  const { refresh } = useSessionActions()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.disconnectCalendar(),
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: queryKeys.calendars }), refresh()]),
  })
  async function disconnect() {
    if (await askConfirm({ title: t('card.disconnectTitle'), message: t('card.disconnectText') })) mutate()
  }
  if (connection.state === 'broken')
    return (
      <Notice tone="warning" title={t('card.broken')} action={<ConnectLink label={t('card.again')} />}>
        {t('card.brokenText')}
      </Notice>
    )
  const { account, syncedAt } = connection
  return (
    <div className={styles.line}>
      <div>
        <p className="strong">{account === null ? t('card.connected') : t('card.connectedAs', { account })}</p>
        <SyncedLine syncedAt={syncedAt} />
      </div>
      <Button variant="outline" loading={isPending} onClick={() => void disconnect()}>
        {t('card.disconnect')}
      </Button>
    </div>
  )
}

/** While there is nothing to say yet its place is kept, so that nothing below jumps. */
export function CalendarCard() {
  const { t } = useTranslation('calendars')
  const { data, error, refetch } = useQuery({ queryKey: queryKeys.calendars, queryFn: ({ signal }) => api.calendars({}, { signal }) })
  return (
    <section aria-label={t('card.title')} className={styles.card}>
      <h2 className="d4">{t('card.title')}</h2>
      <p className="muted">{t('card.text')}</p>
      {error && !data && (
        <Notice
          tone="error"
          action={
            <Button variant="soft" size="small" onClick={() => void refetch()}>
              {t('card.retry')}
            </Button>
          }
        >
          {t('card.failed')}
        </Notice>
      )}
      {data?.connection && <Connected connection={data.connection} />}
      {data && !data.connection && data.provider !== null && (
        <div className={styles.line}>
          <ConnectLink label={data.provider === 'Google' ? t('connect') : t('connectOther', { provider: data.provider })} />
        </div>
      )}
      {data && <FeedPart isMade={data.feed !== null} />}
    </section>
  )
}
