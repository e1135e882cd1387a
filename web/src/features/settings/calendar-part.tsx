// The calendar that visits are written into: what it is, and the way in or out of it. Its address and more are on the page of appointments.
import type { CalendarsOfUser } from '@soigne/contract/calendars'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { showToast } from '#/ui/toasts.ts'
import styles from './settings.module.css'

function Disconnect() {
  const { t } = useTranslation('calendars')
  const queries = useQueryClient()
  const { refresh } = useSessionActions()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.disconnectCalendar(),
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: queryKeys.calendars }), refresh()]),
  })
  async function ask() {
    if (await askConfirm({ title: t('card.disconnectTitle'), message: t('card.disconnectText') })) mutate()
  }
  return (
    <Button variant="outline" loading={isPending} onClick={() => void ask()}>
      {t('card.disconnect')}
    </Button>
  )
}

function useStateText(): (connection: CalendarsOfUser['connection']) => string {
  const { t } = useTranslation('calendars')
  const { t: own } = useTranslation('settings')
  return (connection) => {
    if (!connection) return own('calendar.none')
    if (connection.state === 'broken') return t('card.broken')
    return connection.account === null ? t('card.connected') : t('card.connectedAs', { account: connection.account })
  }
}

function Row({ calendars: { provider, connection } }: { calendars: CalendarsOfUser }) {
  const { t } = useTranslation(['calendars', 'settings'])
  const stateText = useStateText()
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <span className={styles.mark}>
          <Icon name="calendar" size={22} />
        </span>
        <div>
          <p className="strong">{stateText(connection)}</p>
          <p className="small muted">
            {t('settings:calendar.more')}{' '}
            <Link to={paths.appointments} className="link">
              {t('settings:calendar.open')}
            </Link>
          </p>
        </div>
      </div>
      {connection?.state === 'connected' && <Disconnect />}
      {connection?.state !== 'connected' && provider !== null && (
        <Link to={`${paths.giveAccess}?from=${paths.settings}`} className={buttonClass({ variant: 'outline' })}>
          {connection ? t('card.again') : t('title')}
        </Link>
      )}
    </div>
  )
}

/** `part`: how the page sets a part of it. Nothing while it is not known. */
export function CalendarPart({ part }: { part: (title: string, text: string, content: ReactNode) => ReactNode }) {
  const { t } = useTranslation('calendars')
  const { data } = useQuery({ queryKey: queryKeys.calendars, queryFn: ({ signal }) => api.calendars({}, { signal }) })
  return data ? part(t('card.title'), t('card.text'), <Row calendars={data} />) : null
}
