// What somebody paid for before: packages with the sessions that are left, and gift cards they bought.
import type { Customer } from '@soigne/contract/customers'
import type { VoucherState } from '@soigne/contract/vouchers'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath } from '#/dashboard-paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Tag } from '#/ui/tag.tsx'
import { useMay } from '#/use-may.ts'
import styles from './record.module.css'

type Row = { id: string; saleId: string; name: string; left: string; validUntil: string; state: VoucherState }

function useRows({ _id: id }: Customer, mayRead: boolean): Row[] {
  const { t } = useTranslation('customers')
  const money = useMoney()
  const packages = useQuery({
    queryKey: dashboardKeys.sales.packagesOf(id),
    queryFn: ({ signal }) => dashboardApi.clientPackages({ params: { id } }, { signal }),
    enabled: mayRead,
  })
  const cards = useQuery({
    queryKey: dashboardKeys.sales.giftCards({ customer: id }),
    queryFn: ({ signal }) => dashboardApi.giftCards({ query: { customer: id } }, { signal }),
    enabled: mayRead,
  })
  return [
    ...(packages.data?.items ?? []).map(({ _id, saleId, name, sessions, left, validUntil, state }) => ({
      id: _id,
      saleId,
      name,
      left: t('vouchers.left', { count: left, all: sessions }),
      validUntil,
      state,
    })),
    ...(cards.data?.items ?? []).map(({ _id, saleId, ending, amount, left, validUntil, state }) => ({
      id: _id,
      saleId,
      name: t('vouchers.card', { ending }),
      left: t('vouchers.cardLeft', { left: money(left, true), amount: money(amount, true) }),
      validUntil,
      state,
    })),
  ]
}

export function VouchersPart({ customer }: { customer: Customer }) {
  const { t } = useTranslation('customers')
  const times = useTimes()
  const rows = useRows(customer, useMay('sales.take'))
  if (rows.length === 0) return null
  return (
    <section className={styles.card}>
      <h2 className="d4">{t('vouchers.title')}</h2>
      <ul>
        {rows.map(({ id, saleId, name, left, validUntil, state }) => (
          <li key={id} className={styles.voucher}>
            <p>
              <Link to={salePath(saleId)} className={styles.voucherName}>
                <bdi>{name}</bdi>
              </Link>
              {state !== 'valid' && <Tag>{t(`vouchers.states.${state}`)}</Tag>}
            </p>
            <p className="small muted">
              {left}
              <span>{t('vouchers.until', { day: times.day(validUntil, customer.timeZone, 'date', parseInstant(customer.now)) })}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
