// Two records that look like one person, side by side: of each field one is chosen, and both are kept together.
import { type Duplicate, mergeFields } from '@soigne/contract/customers'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { customerPath } from '#/dashboard-paths.ts'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { languageNames } from '#/platform/locale.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { showFailure } from './refusal.ts'
import { useWhen } from './use-when.ts'
import styles from './merge.module.css'

type Side = Duplicate['records'][number]
type Named = (typeof mergeFields)[number]
type Take = Partial<Record<Named, 'keep' | 'merge'>>

function useFieldText() {
  const when = useWhen()
  return (record: Side, field: Named): string => {
    if (field === 'name') return record.name
    if (field === 'birthday') return record.birthday ? `${when.birthday(record.birthday)} ${record.birthday.slice(0, 4)}` : ''
    if (field === 'locale') return record.locale ? languageNames[record.locale] : ''
    return record[field] ?? ''
  }
}
const digits = (text: string): string => text.replaceAll(/\D/g, '').slice(-9)
const isSame = (field: Named, one: string, other: string): boolean =>
  one === other ||
  (field === 'phone' && one !== '' && digits(one) === digits(other)) ||
  (field === 'email' && one.toLowerCase() === other.toLowerCase())

function PersonHead({ record }: { record: Side }) {
  const { t } = useTranslation('customers')
  const money = useMoney()
  return (
    <th scope="col">
      <span className={styles.person}>
        <FaceImage name={record.name} photoUrl={record.imageUrl} size={48} />
        <span>
          <bdi className="strong">{record.name}</bdi>
          <span className="small muted">
            {[t('visitCount', { count: record.visits }), money(record.spend), record.hasAccount && t('merge.account')]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
      </span>
    </th>
  )
}

type ChoiceProps = { field: Named; texts: readonly [string, string]; chosen: 'keep' | 'merge'; onChoose: (side: 'keep' | 'merge') => void }

function ChoiceRow({ field, texts, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation('customers')
  const [one, other] = texts
  if (isSame(field, one, other)) {
    if (one === '') return null
    return (
      <tr>
        <th scope="row">{t(`merge.fields.${field}`)}</th>
        <td colSpan={2} className={styles.same}>
          <Icon name="check" size={18} /> <bdi>{one}</bdi> <span className="small muted">{t('merge.same')}</span>
        </td>
      </tr>
    )
  }
  return (
    <tr>
      <th scope="row">{t(`merge.fields.${field}`)}</th>
      {(['keep', 'merge'] as const).map((side, index) => (
        <td key={side}>
          <label className={styles.choice} data-chosen={side === chosen || undefined}>
            <input type="radio" name={field} checked={side === chosen} onChange={() => onChoose(side)} />
            {texts[index] ? <bdi>{texts[index]}</bdi> : <span className="muted">{t('merge.nothing')}</span>}
          </label>
        </td>
      ))}
    </tr>
  )
}

type PairTableProps = { records: readonly [Side, Side]; take: Take; onTake: (take: Take) => void }

function PairTable({ records: [kept, other], take, onTake }: PairTableProps) {
  const { t } = useTranslation('customers')
  const textOf = useFieldText()
  const visits = kept.visits + other.visits
  return (
    <table className={styles.pair}>
      <thead>
        <tr>
          <td>
            <span className="visually-hidden">{t('merge.fields.name')}</span>
          </td>
          <PersonHead record={kept} />
          <PersonHead record={other} />
        </tr>
      </thead>
      <tbody>
        {mergeFields.map((field) => (
          <ChoiceRow
            key={field}
            field={field}
            texts={[textOf(kept, field), textOf(other, field)]}
            chosen={take[field] ?? 'keep'}
            onChoose={(side) => onTake({ ...take, [field]: side })}
          />
        ))}
        <tr>
          <th scope="row">{t('merge.fields.visits')}</th>
          <td colSpan={2} className={styles.same}>
            <Icon name="check" size={18} /> {t('merge.kept', { count: visits })}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

type PairProps = { pair: Duplicate; onDone: () => Promise<void> }

function usePair({ pair, onDone }: PairProps, take: Take) {
  const { t } = useTranslation('customers')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const money = useMoney()
  const [isBusy, setBusy] = useState(false)
  const [kept, other] = pair.records
  async function send(work: () => Promise<void>) {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      showFailure(error)
    }
    setBusy(false)
  }
  const merge = () =>
    send(async () => {
      if (!kept || !other) return
      const { customer } = await dashboardApi.mergeCustomers({ body: { keepId: kept._id, mergeId: other._id, take } })
      await queries.invalidateQueries({ queryKey: dashboardKeys.customers.all })
      showToast({
        type: 'success',
        title: t('merge.done', { visits: t('visitCount', { count: customer.visits }), sum: money(customer.spend) }),
      })
      await navigate(customerPath(customer._id))
    })
  const separate = () =>
    send(async () => {
      if (!kept || !other) return
      const { message } = await dashboardApi.separateCustomers({ body: { oneId: kept._id, otherId: other._id } })
      showToast({ type: 'success', title: message })
      await onDone()
    })
  return { merge, separate, isBusy }
}

function Pair({ pair, count, onDone }: PairProps & { count: number }) {
  const { t } = useTranslation('customers')
  const money = useMoney()
  const textOf = useFieldText()
  const [kept, other] = pair.records as [Side, Side]
  // What only one of them has is taken from there.
  const [take, setTake] = useState<Take>(() =>
    Object.fromEntries(mergeFields.map((field) => [field, textOf(kept, field) === '' && textOf(other, field) !== '' ? 'merge' : 'keep'])),
  )
  const { merge, separate, isBusy } = usePair({ pair, onDone }, take)
  const visits = kept.visits + other.visits
  const named = take.name === 'merge' ? other : kept
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1 className="d2">{t('merge.title')}</h1>
          <p className="muted">
            {pair.reasons.map((reason) => (
              <span key={reason}>{t(`merge.reasons.${reason}`)} </span>
            ))}
            {count > 1 && t('merge.pairs', { count })}
          </p>
        </div>
        <Button variant="text" onClick={() => void separate()}>
          {t('merge.apart')}
        </Button>
      </header>
      <PairTable records={[kept, other]} take={take} onTake={setTake} />
      <section className={styles.together}>
        <FaceImage name={named.name} photoUrl={kept.imageUrl ?? other.imageUrl} size={58} />
        <div className={styles.sum}>
          <p className="small muted">{t('merge.together')}</p>
          <p className="d3 serif">
            <bdi>{named.name}</bdi>
          </p>
          <p className="small muted">
            {t('visitCount', { count: visits })} · <bdi>{money({ ...kept.spend, amount: kept.spend.amount + other.spend.amount })}</bdi>
          </p>
        </div>
        <p className="small muted">{t('merge.promise')}</p>
        <Button loading={isBusy} onClick={() => void merge()}>
          {t('merge.action')}
        </Button>
      </section>
    </>
  )
}

export function MergePart({ of }: { of: string | null }) {
  const { t } = useTranslation('customers')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: dashboardKeys.customers.duplicates(of),
    queryFn: ({ signal }) => dashboardApi.customerDuplicates({ query: of ? { of } : {} }, { signal }),
  })
  const [pair] = data?.items ?? []
  return (
    <>
      <Link to={of ? customerPath(of) : paths.customers} className={styles.back}>
        <Icon name="chevron-start" size={18} />
        {t('back')}
      </Link>
      {error ? (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('loading')} skeleton={<RowSkeleton />}>
          {pair ? (
            <Pair
              key={pair.records.map(({ _id }) => _id).join(' ')}
              pair={pair}
              count={data?.items.length ?? 0}
              onDone={async () => void (await refetch())}
            />
          ) : (
            <EmptyState
              as="h1"
              vignette="chair"
              title={t('merge.none.title')}
              action={<ButtonLink to={paths.customers}>{t('merge.none.action')}</ButtonLink>}
            >
              {t('merge.none.text')}
            </EmptyState>
          )}
        </Loading>
      )}
    </>
  )
}
