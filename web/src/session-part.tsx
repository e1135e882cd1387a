// Sessions of packages that pay for a visit, and taking one for a visit that was missed or cancelled late. For who takes money.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SettledBySession } from '@soigne/contract/vouchers'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useKeys } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useMay } from '#/use-may.ts'
import styles from './session-part.module.css'

type Offer = SettledBySession['offers'][number]

function useTake(visitId: string) {
  const { t } = useTranslation('sales')
  const queries = useQueryClient()
  const keyOf = useKeys()
  return useMutation({
    mutationFn: ({ _id: clientPackageId }: Offer) => {
      const body = { clientPackageId }
      return dashboardApi.takeSessionForVisit({ params: { id: visitId }, body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (sale, { name }) => {
      queries.setQueryData(dashboardKeys.sales.one(sale._id), sale)
      showToast({ type: 'success', title: t('session.taken', { name }) })
    },
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    // Another till may have been faster.
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: dashboardKeys.sales.all })
      await queries.invalidateQueries({ queryKey: dashboardKeys.diary.all })
    },
  })
}

/** `version`: each change of the visit is another question. */
export function SessionPart({ visitId, version }: { visitId: string; version: unknown }) {
  const { t } = useTranslation('sales')
  const mayTake = useMay('sales.take')
  const { data } = useQuery({
    queryKey: dashboardKeys.sales.sessionsOf(visitId, version),
    queryFn: ({ signal }) => dashboardApi.sessionsOfVisit({ params: { id: visitId } }, { signal }),
    enabled: mayTake,
    retry: false,
  })
  const take = useTake(visitId)
  if (!data || data.sessions.length + data.offers.length === 0) return null
  return (
    <div className={styles.part}>
      {data.sessions.map(({ name, count, state }) => (
        <p key={`${name} ${state}`} role="status" className={styles.line}>
          <Icon name="checks" size={22} />
          {t(`session.${state}`, { count, name })}
        </p>
      ))}
      {data.offers.map((offer) => (
        <Button key={offer._id} variant="outline" icon="checks" loading={take.isPending} onClick={() => take.mutate(offer)}>
          {t('session.take', { count: offer.count, name: offer.name })}
        </Button>
      ))}
    </div>
  )
}
