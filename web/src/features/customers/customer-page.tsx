// One client: the one thing to know first, then what they come to, their visits, and what is kept of them.
import type { Customer } from '@soigne/contract/customers'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { fieldsOf } from '#/kit/over-stored.ts'
import { Tabs } from '#/kit/tabs.tsx'
import { bookForPath } from '#/dashboard-paths.ts'
import { chatPath, paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { languageNames } from '#/platform/locale.ts'
import { useMoney } from '#/platform/money.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { telAddress } from '#/platform/phone.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { Tag } from '#/ui/tag.tsx'
import { showToast } from '#/ui/toasts.ts'
import { PersonForm, personOf } from './person-form.tsx'
import { FilesPart, PeoplePart } from './record-parts.tsx'
import { HealthPart, MergesPart, NotesPart, PaysFirstPart, SpendPart } from './record-side.tsx'
import { VouchersPart } from './record-vouchers.tsx'
import { RecordVisits } from './record-visits.tsx'
import { showFailure } from './refusal.ts'
import { type RecordProps, useKeptRecord } from './use-record.ts'
import { useWhen } from './use-when.ts'
import styles from './record.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['customers', 'labels', 'forms'] }

/** What somebody who is about to serve them must not miss; the first that is true. */
function TopNotice({ customer }: { customer: Customer }) {
  const { t } = useTranslation('customers')
  if (customer.isBlocked) return <Notice tone="error" icon="block" title={t('top.blocked')} />
  if (customer.alert) return <Notice tone="warning" title={customer.alert} />
  if (customer.isMinor && !customer.relations.some(({ kind, side }) => kind === 'guardian' && side === 'of'))
    return <Notice tone="warning" title={t('top.minor')} />
  if (customer.health.isKept) return <Notice tone="warning" icon="lock" title={t('top.health')} />
  if (customer.noShows > 0) return <Notice tone="warning" title={t('top.noShows', { count: customer.noShows })} />
  return null
}

function useBlock({ customer, onChanged }: RecordProps) {
  const { t } = useTranslation('customers')
  return async () => {
    const isBlocked = !customer.isBlocked
    if (isBlocked && !(await askConfirm({ title: t('record.blockTitle', { name: customer.name }), message: t('record.blockText') }))) return
    try {
      onChanged(await dashboardApi.blockCustomer({ params: { id: customer._id }, body: { isBlocked } }))
      showToast({ type: 'success', title: t(isBlocked ? 'record.blockedNow' : 'record.unblockedNow') })
    } catch (error) {
      showFailure(error)
    }
  }
}

function Actions({ customer, onChanged, onEdit }: RecordProps & { onEdit: () => void }) {
  const { t } = useTranslation('customers')
  const navigate = useNavigate()
  const block = useBlock({ customer, onChanged })
  return (
    <div className={styles.actions}>
      <ButtonLink icon="calendar" to={bookForPath(customer._id)}>
        {t('record.book')}
      </ButtonLink>
      {customer.chatId && (
        <ButtonLink variant="outline" icon="message" to={chatPath('institute', customer.chatId)}>
          {t('record.message')}
        </ButtonLink>
      )}
      {customer.phone && (
        <a className={styles.call} href={telAddress(customer.phone)} aria-label={t('record.call')} title={t('record.call')}>
          <Icon name="phone" />
        </a>
      )}
      <ActionMenu
        label={t('more')}
        icon="more"
        labelHidden
        actions={[
          { id: 'edit', label: t('record.edit'), icon: 'edit', onAction: onEdit },
          {
            id: 'alike',
            label: t('record.lookAlike'),
            icon: 'users',
            onAction: () => void navigate(`${paths.customers}?${new URLSearchParams({ view: 'merge', of: customer._id })}`),
          },
          {
            id: 'block',
            label: t(customer.isBlocked ? 'record.unblock' : 'record.block'),
            icon: 'block',
            danger: !customer.isBlocked,
            onAction: () => void block(),
          },
        ]}
      />
    </div>
  )
}

function useFacts() {
  const { t } = useTranslation('customers')
  const when = useWhen()
  return (customer: Customer): string[] => {
    const { since, mostlyWith, locale, birthday, age } = customer
    return [
      [t('record.since', { month: when.month(since, customer) }), mostlyWith && t('record.mostly', { name: mostlyWith })]
        .filter(Boolean)
        .join(', '),
      locale && t('record.speaks', { language: languageNames[locale] }),
      birthday && t('record.birthday', { day: when.birthday(birthday) }) + (customer.isMinor ? ` (${age})` : ''),
      customer.hasAccount && t('record.account'),
    ].filter((fact) => typeof fact === 'string' && fact !== '') as string[]
  }
}

function Head(props: RecordProps & { onEdit: () => void }) {
  const { t } = useTranslation('customers')
  const { customer } = props
  const facts = useFacts()
  return (
    <header className={styles.head}>
      <FaceImage name={customer.name} photoUrl={customer.imageUrl} size="portrait" className={styles.portrait} />
      <div className={styles.who}>
        <h1 className={`d1 ${styles.name}`}>
          <bdi>
            {customer.firstName} <em>{customer.lastName}</em>
          </bdi>
        </h1>
        <p className={styles.facts}>{facts(customer).join('. ')}.</p>
        <p className={styles.contact}>
          {customer.phone && (
            <a href={telAddress(customer.phone)} className="link" dir="ltr">
              {customer.phone}
            </a>
          )}
          {customer.email && (
            <a href={`mailto:${customer.email}`} className="link" dir="ltr">
              {customer.email}
            </a>
          )}
        </p>
        {(customer.tags.length > 0 || customer.relations.length > 0) && (
          <p className={styles.tags}>
            {customer.tags.map((tag) => (
              <Link key={tag} to={`${paths.customers}?${new URLSearchParams({ tag })}`}>
                <Tag>{tag}</Tag>
              </Link>
            ))}
            {customer.relations.map(({ _id, name, kind, side, age }) => (
              <Tag key={_id} icon="users">
                {t(kind === 'guardian' && side === 'to' ? 'people.guardianOf' : `people.kinds.${kind}`)}:{' '}
                <bdi>{age === null ? name : t('people.withAge', { name, age })}</bdi>
              </Tag>
            ))}
          </p>
        )}
      </div>
      <Actions {...props} />
    </header>
  )
}

function Figures({ customer }: { customer: Customer }) {
  const { t } = useTranslation('customers')
  const money = useMoney()
  const when = useWhen()
  const figures = [
    { value: String(customer.visits), label: t('figures.visits') },
    { value: money(customer.spend), label: t('figures.spent') },
    ...(customer.everyDays === null ? [] : [{ value: t('days', { count: customer.everyDays }), label: t('figures.between') }]),
    { value: String(customer.noShows), label: t('figures.missed') },
    ...(customer.nextVisitAt && customer.nextTotal
      ? [{ value: money(customer.nextTotal), label: t('figures.next', { when: when.moment(customer.nextVisitAt, customer) }) }]
      : []),
  ]
  return (
    <dl className={styles.figures}>
      {figures.map(({ value, label }) => (
        <div key={label}>
          <dt className="small muted">{label}</dt>
          <dd className="d3 serif">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function EditPart({ customer, onChanged, onClose }: RecordProps & { onClose: () => void }) {
  const { t } = useTranslation('customers')
  const params = { id: customer._id }
  return (
    <section className={styles.card}>
      <PersonForm
        before={personOf(customer)}
        storedNow={async () => personOf(await dashboardApi.customer({ params }))}
        saveLabel={t('form.save')}
        onLeave={onClose}
        send={async (fields, changed) => {
          onChanged(await dashboardApi.changeCustomer({ params, body: fieldsOf(fields, changed) }))
          showToast({ type: 'success', title: t('form.saved') })
          onClose()
        }}
      />
    </section>
  )
}

function RecordView(props: RecordProps) {
  const { t } = useTranslation('customers')
  const { customer } = props
  const [isEditing, setEditing] = useState(false)
  const tabs = [
    { id: 'visits', label: t('tabs.visits'), content: <RecordVisits customer={customer} /> },
    { id: 'files', label: t('tabs.files'), content: <FilesPart {...props} /> },
    { id: 'people', label: t('tabs.people'), content: <PeoplePart {...props} /> },
  ]
  return (
    <>
      <PageHead title={customer.name} />
      <Head {...props} onEdit={() => setEditing(true)} />
      <TopNotice customer={customer} />
      {isEditing && <EditPart {...props} onClose={() => setEditing(false)} />}
      <Figures customer={customer} />
      <div className={styles.panes}>
        <div>
          <Tabs label={t('tabs.label')} tabs={tabs} />
        </div>
        <div className={styles.side}>
          <SpendPart customer={customer} />
          <VouchersPart customer={customer} />
          <HealthPart {...props} />
          <NotesPart {...props} />
          {customer.hasAccount && <PaysFirstPart {...props} />}
          <MergesPart {...props} />
        </div>
      </div>
    </>
  )
}

export default function CustomerPage() {
  const { t } = useTranslation('customers')
  const { id = '' } = useParams()
  const keep = useKeptRecord(id)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: dashboardKeys.customers.one(id),
    queryFn: ({ signal }) => dashboardApi.customer({ params: { id } }, { signal }),
  })
  return (
    <>
      <Link to={paths.customers} className={styles.back}>
        <Icon name="chevron-start" size={18} />
        {t('back')}
      </Link>
      {error && !data ? (
        <ErrorState title={t('record.failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('record.loading')} skeleton={<RowSkeleton />}>
          {data && <RecordView key={id} customer={data} onChanged={keep} />}
        </Loading>
      )}
    </>
  )
}
