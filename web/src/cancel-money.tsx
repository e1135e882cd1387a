// What becomes of the money of a visit that the institute cancels, said before the click.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'

export type Cancellation = Answer<Calls['visitCancellation']>

/** As the server reckons it now; nothing where it cannot be asked. */
export const cancellationOf = (id: string): Promise<Cancellation | null> =>
  dashboardApi.visitCancellation({ params: { id } }).catch(() => null)

const amountOf = (parts: readonly Cancellation[], key: 'refunded' | 'atBank' | 'atSalon'): number =>
  parts.reduce((sum, part) => sum + (part[key]?.amount ?? 0), 0)

/** Visits asked about at once. */
const askedAtOnce = 10

/** The same of several, added up; nothing where one of them cannot be asked: a part of the sum would be a wrong one. */
export async function cancellationOfAll(ids: readonly string[]): Promise<Cancellation | null> {
  const parts: Cancellation[] = []
  for (let from = 0; from < ids.length; from += askedAtOnce) {
    const found = await Promise.all(ids.slice(from, from + askedAtOnce).map(cancellationOf))
    for (const part of found) {
      if (part === null) return null
      parts.push(part)
    }
  }
  const currency = parts[0]?.refunded.currency
  if (currency === undefined) return null
  const [atBank, atSalon] = [amountOf(parts, 'atBank'), amountOf(parts, 'atSalon')]
  return {
    refunded: { amount: amountOf(parts, 'refunded'), currency },
    ...(atBank > 0 && { atBank: { amount: atBank, currency } }),
    ...(atSalon > 0 && { atSalon: { amount: atSalon, currency } }),
    sessions: parts.reduce((sum, { sessions }) => sum + sessions, 0),
  }
}

/** `many`: it was paid by several clients. */
export function CancelMoney({ refunded, atBank, atSalon, sessions, many = false }: Cancellation & { many?: boolean }) {
  const { t } = useTranslation('diary')
  const money = useMoney()
  return (
    <>
      {refunded.amount > 0 && <p className="strong">{t(many ? 'letGo.backAll' : 'letGo.back', { amount: money(refunded, true) })}</p>}
      {atBank && <p className="strong">{t(many ? 'letGo.atBankAll' : 'letGo.atBank', { amount: money(atBank, true) })}</p>}
      {atSalon && <p className="strong">{t(many ? 'letGo.atSalonAll' : 'letGo.atSalon', { amount: money(atSalon, true) })}</p>}
      {sessions > 0 && <p className="strong">{t('letGo.sessions', { count: sessions })}</p>}
    </>
  )
}
