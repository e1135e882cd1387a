// Where somebody is signed in; each can be signed out, or all others at once.
import type { Device } from '@soigne/contract/settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { ownZone, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useKeptFocus } from '#/ui/use-kept-focus.ts'
import styles from './settings.module.css'

/** Ends one device, or all others where none is named. */
function useEndDevice() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string | null) => (id === null ? api.endOtherDevices() : api.endDevice({ params: { id } })),
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.devices }),
  })
}

function useDeviceName() {
  const { t } = useTranslation('settings')
  return ({ browser, system }: Device) => {
    if (browser !== null && system !== null) return t('devices.name', { browser, system })
    return browser ?? system ?? t('devices.unknown')
  }
}

function DeviceRow({ device, busy, onEnd }: { device: Device; busy: boolean; onEnd: () => void }) {
  const { t } = useTranslation('settings')
  const times = useTimes()
  const name = useDeviceName()(device)
  const zone = ownZone()
  const when = { day: times.dayOfInstant(device.lastSeenAt, zone), time: timeText(device.lastSeenAt, zone) }
  return (
    <li>
      <div className={styles.what}>
        <span className={styles.mark}>
          <Icon name={device.isPhone ? 'phone' : 'device'} size={22} />
        </span>
        <div>
          <p className="strong">
            <bdi>{name}</bdi>
          </p>
          <p className="small muted">{device.isCurrent ? t('devices.now') : t('devices.lastUsed', when)}</p>
        </div>
      </div>
      {device.isCurrent ? (
        <span className={styles.here}>
          <Icon name="check" size={18} />
          {t('devices.here')}
        </span>
      ) : (
        <Button variant="text" loading={busy} onClick={onEnd} aria-label={t('devices.endNamed', { name })}>
          {t('devices.end')}
        </Button>
      )}
    </li>
  )
}

export function DeviceList() {
  const { t } = useTranslation('settings')
  const { mutate, isPending: isEnding, variables } = useEndDevice()
  const list = useKeptFocus()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.devices,
    queryFn: async ({ signal }) => (await api.devices({}, { signal })).items,
  })
  if (error && !data)
    return (
      <ErrorState title={t('devices.failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <Loading loading={isPending} label={t('loading')} skeleton={<RowSkeleton />}>
      <ul ref={list} className={styles.rows} aria-label={t('devices.title')}>
        {(data ?? []).map((device) => (
          <DeviceRow key={device._id} device={device} busy={isEnding && variables === device._id} onEnd={() => mutate(device._id)} />
        ))}
      </ul>
      {(data ?? []).length > 1 && (
        <div className={styles.ways}>
          <Button variant="outline" icon="logout" loading={isEnding && variables === null} onClick={() => mutate(null)}>
            {t('devices.endOthers')}
          </Button>
        </div>
      )}
    </Loading>
  )
}
