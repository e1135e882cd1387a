// What somebody is told beyond what must be told, and where; each switch takes effect at once.
import type { Channel, ChoiceKind, NotificationChoice } from '@soigne/contract/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './settings.module.css'

/** A message rings no bell: it is counted where conversations are. */
const shown = {
  reminders: ['mail', 'bell'],
  reviews: ['mail', 'bell'],
  messages: ['mail'],
  offers: ['mail', 'bell'],
} as const satisfies Record<ChoiceKind, readonly Channel[]>
const kinds = Object.keys(shown) as ChoiceKind[]

const isOf = (one: NotificationChoice, { kind, channel }: Pick<NotificationChoice, 'kind' | 'channel'>): boolean =>
  one.kind === kind && one.channel === channel

function useChoices() {
  const queries = useQueryClient()
  const key = queryKeys.notificationChoices
  const query = useQuery({ queryKey: key, queryFn: async ({ signal }) => (await api.notificationChoices({}, { signal })).items })
  const { mutate } = useMutation({
    mutationFn: (body: NotificationChoice) => api.chooseNotifications({ body }),
    async onMutate(choice) {
      await queries.cancelQueries({ queryKey: key })
      queries.setQueryData<NotificationChoice[]>(key, (items) => items?.map((one) => (isOf(one, choice) ? choice : one)))
    },
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
  return { ...query, choose: mutate }
}

function KindRow({ kind, items, choose }: { kind: ChoiceKind; items: NotificationChoice[]; choose: (choice: NotificationChoice) => void }) {
  const { t } = useTranslation('settings')
  const title = t(`notify.${kind}.title`)
  return (
    <li>
      <div className={styles.what}>
        <div>
          <p className="strong">{title}</p>
          <p className="small muted">{t(`notify.${kind}.text`)}</p>
        </div>
      </div>
      <div className={styles.channels}>
        {shown[kind].map((channel) => {
          const isOn = items.find((one) => isOf(one, { kind, channel }))?.isOn ?? true
          const name = t(`notify.${channel}`)
          return (
            <Switch
              key={channel}
              label={name}
              aria-label={t('notify.by', { kind: title, channel: name })}
              checked={isOn}
              onChange={() => choose({ kind, channel, isOn: !isOn })}
            />
          )
        })}
      </div>
    </li>
  )
}

export function NotifyPart() {
  const { t } = useTranslation('settings')
  const { data, error, refetch, choose } = useChoices()
  if (error && !data)
    return (
      <ErrorState title={t('notify.failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <div>
      <p className={`small ${styles.always}`}>
        <Icon name="mail" size={18} />
        <span>{t('notify.always')}</span>
      </p>
      <Loading loading={!data} label={t('loading')} skeleton={<RowSkeleton />}>
        <ul className={styles.rows} aria-label={t('notify.title')}>
          {kinds.map((kind) => (
            <KindRow key={kind} kind={kind} items={data ?? []} choose={choose} />
          ))}
        </ul>
      </Loading>
    </div>
  )
}
