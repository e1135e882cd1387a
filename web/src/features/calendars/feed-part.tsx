// The secret address of one's visits: shown once when it is made, renewed, ended.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { Field } from '#/ui/field.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './calendar-card.module.css'

function useFeed() {
  const queries = useQueryClient()
  const changed = {
    onError: (error: Error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.calendars }),
  }
  const make = useMutation({ mutationFn: () => api.makeCalendarFeed(), ...changed })
  const end = useMutation({
    mutationFn: () => api.removeCalendarFeed(),
    onSuccess({ message }) {
      make.reset()
      showToast({ type: 'success', title: message })
    },
    ...changed,
  })
  return { make, end }
}

function Address({ address }: { address: string }) {
  const { t } = useTranslation('calendars')
  async function copy() {
    try {
      await navigator.clipboard.writeText(address)
      showToast({ type: 'success', title: t('card.copied') })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    }
  }
  return (
    <div className={styles.address}>
      <Field label={t('card.address')} name="calendar-address" value={address} readOnly dir="ltr" hint={t('card.once')} />
      <Button variant="outline" icon="copy" onClick={() => void copy()}>
        {t('card.copy')}
      </Button>
    </div>
  )
}

export function FeedPart({ isMade }: { isMade: boolean }) {
  const { t } = useTranslation('calendars')
  const { make, end } = useFeed()
  async function renew() {
    if (!isMade || (await askConfirm({ title: t('card.renewTitle'), message: t('card.renewText') }))) make.mutate()
  }
  async function stop() {
    if (await askConfirm({ title: t('card.endTitle'), message: t('card.endText') })) end.mutate()
  }
  return (
    <div className={styles.feed}>
      <h3 className="strong">{t('card.feed')}</h3>
      <p className="small muted">{t('card.feedText')}</p>
      {make.data ? <Address address={make.data.address} /> : isMade && <p className="small">{t('card.made')}</p>}
      <div className={styles.line}>
        <Button variant="soft" loading={make.isPending} onClick={() => void renew()}>
          {t(isMade ? 'card.renew' : 'card.make')}
        </Button>
        {isMade && (
          <Button variant="text" loading={end.isPending} onClick={() => void stop()}>
            {t('card.end')}
          </Button>
        )}
      </div>
    </div>
  )
}
