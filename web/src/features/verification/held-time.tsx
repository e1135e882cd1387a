// The time this person holds, still counting down while the email is being confirmed.
import { useQuery } from '@tanstack/react-query'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { Countdown } from '#/ui/countdown.tsx'
import { Notice } from '#/ui/notice.tsx'
import styles from './email-confirmation.module.css'

export function HeldTime() {
  const { t } = useTranslation('verification')
  const times = useTimes()
  const { data, refetch } = useQuery({
    queryKey: queryKeys.holds,
    queryFn: ({ signal }) => api.currentHolds({}, { signal }),
  })
  const hold = data?.items[0]
  if (!hold) return null
  const { name, timeZone } = hold.institute
  const when = `${times.dayOfInstant(hold.startsAt, timeZone)} ${times.time(hold.startsAt, timeZone)}`
  return (
    <Notice
      tone="kind"
      icon="clock"
      className={styles.hold}
      action={
        <Countdown until={parseInstant(hold.expiresAt)} warning={t('holdWarning')} ended={t('holdOver')} onEnd={() => void refetch()} />
      }
    >
      <Trans ns="verification" i18nKey="hold" values={{ when, name }} components={{ when: <bdi className="strong" />, name: <bdi /> }} />
    </Notice>
  )
}
