// The clients of the institute: found, narrowed, put in order; and the ways in and out of the list.
import { customerFilters, customerSorts } from '@soigne/contract/customers'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Field } from '#/ui/field.tsx'
import { Pagination, pageSizes } from '#/ui/pagination.tsx'
import { useMay } from '#/use-may.ts'
import { saveFile } from '#/ui/save-file.ts'
import { SelectField } from '#/ui/select-field.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { FilterChipLink } from '#/ui/tag.tsx'
import { AddDialog } from './add-dialog.tsx'
import { CustomerTable } from './customer-table.tsx'
import { ImportPart } from './import-part.tsx'
import { MergePart } from './merge-part.tsx'
import { showFailure } from './refusal.ts'
import styles from './customers.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['customers', 'labels', 'forms'] }

export type Customers = Answer<Calls['customers']>

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined => values.find((one) => one === text)

/** What is asked for stands in the address, so that Back finds it again. */
function useAsked() {
  const [query] = useSearchParams()
  const size = Number(query.get('pageSize'))
  const tag = query.get('tag')
  const filter = oneOf(customerFilters, query.get('filter'))
  const asked = {
    search: query.get('search') ?? '',
    sort: oneOf(customerSorts, query.get('sort')) ?? 'recent',
    ...(filter && { filter }),
    ...(tag && { tag }),
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
    pageSize: pageSizes.find((one) => one === size) ?? pageSizes[0],
  }
  const hrefFor = (change: Record<string, string | number | undefined>): string => {
    const next = new URLSearchParams(query)
    next.delete('page')
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, String(value))
    }
    const text = next.toString()
    return text ? `${paths.customers}?${text}` : paths.customers
  }
  return { asked, hrefFor }
}
type Asking = ReturnType<typeof useAsked>

/** Asked for while one types; the address follows without a new entry of the history. Wherever a link or Back leads, the field follows. */
function SearchField({ asked, hrefFor }: Asking) {
  const { t } = useTranslation('customers')
  const navigate = useNavigate()
  const [typed, setTyped] = useState(asked.search)
  const [way, { key }] = [useNavigationType(), useLocation()]
  const [seen, setSeen] = useState(key)
  if (key !== seen) {
    setSeen(key)
    // What is typed takes the place of the address; everything else leads to another.
    if (way !== 'REPLACE') setTyped(asked.search)
  }
  return (
    <Field
      label={t('searchLabel')}
      labelHidden
      type="search"
      placeholder={t('searchLabel')}
      value={typed}
      maxLength={120}
      autoComplete="off"
      start={<Icon name="search" />}
      frameClassName={styles.search}
      onChange={({ target }) => {
        setTyped(target.value)
        void navigate(hrefFor({ search: target.value.trim() }), { replace: true, preventScrollReset: true })
      }}
    />
  )
}

function Filters({ asked, hrefFor }: Asking) {
  const { t } = useTranslation('customers')
  const navigate = useNavigate()
  const chosen = asked.filter
  return (
    <div className={styles.filters}>
      <nav aria-label={t('filters.label')} className={styles.chips}>
        <FilterChipLink to={hrefFor({ filter: undefined, tag: undefined })} selected={!chosen && !asked.tag}>
          {t('filters.all')}
        </FilterChipLink>
        {customerFilters.map((filter) => (
          <FilterChipLink key={filter} to={hrefFor({ filter })} selected={filter === chosen}>
            {t(`filters.${filter}`)}
          </FilterChipLink>
        ))}
        {asked.tag && (
          <FilterChipLink to={hrefFor({ tag: undefined })} selected removeLabel={t('filters.removeTag', { tag: asked.tag })}>
            {t('filters.tag', { tag: asked.tag })}
          </FilterChipLink>
        )}
      </nav>
      <SelectField
        label={t('sorts.label')}
        labelHidden
        frameClassName={styles.sort}
        value={asked.sort}
        options={customerSorts.map((value) => ({ value, label: t(`sorts.${value}`) }))}
        onChange={({ target }) => void navigate(hrefFor({ sort: target.value }), { replace: true, preventScrollReset: true })}
      />
    </div>
  )
}

function Nobody({ isNarrowed, onAdd }: { isNarrowed: boolean; onAdd: () => void }) {
  const { t } = useTranslation('customers')
  if (isNarrowed)
    return (
      <EmptyState vignette="chair" title={t('nobody.title')} action={<ButtonLink to={paths.customers}>{t('nobody.action')}</ButtonLink>}>
        {t('nobody.text')}
      </EmptyState>
    )
  return (
    <EmptyState vignette="chair" title={t('none.title')} action={<Button onClick={onAdd}>{t('addLong')}</Button>}>
      {t('none.text')}
    </EmptyState>
  )
}

function CustomerList({ asking, onAdd }: { asking: Asking; onAdd: () => void }) {
  const { t } = useTranslation('customers')
  const { asked, hrefFor } = asking
  const { data, error, isPending, refetch } = useQuery({
    queryKey: dashboardKeys.customers.list(asked),
    queryFn: ({ signal }) => dashboardApi.customers({ query: asked }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (error && !data)
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  const labels = {
    navigation: t('pages.label'),
    previous: t('pages.previous'),
    next: t('pages.next'),
    pageSize: t('pages.size'),
    range: (from: number, to: number, total: number) => t('pages.range', { from, to, total }),
  }
  const skeleton = (
    <>
      <RowSkeleton />
      <RowSkeleton />
      <RowSkeleton />
    </>
  )
  const isNarrowed = asked.search !== '' || asked.filter !== undefined || asked.tag !== undefined
  return (
    <Loading loading={isPending} label={t('loading')} skeleton={skeleton}>
      {data && data.total > 0 ? (
        <div className={styles.table}>
          <CustomerTable customers={data} />
          {data.total > pageSizes[0] && (
            <div className={styles.foot}>
              <Pagination page={data.page} pageSize={data.pageSize} total={data.total} hrefFor={hrefFor} labels={labels} />
            </div>
          )}
        </div>
      ) : (
        <Nobody isNarrowed={isNarrowed} onAdd={onAdd} />
      )}
    </Loading>
  )
}

function ListPage() {
  const { t } = useTranslation('customers')
  const navigate = useNavigate()
  const asking = useAsked()
  const [isAdding, setAdding] = useState(false)
  const mayExport = useMay('customers.export')
  async function exportAll() {
    try {
      saveFile(await dashboardApi.exportCustomers({}), `${t('exportName')}.csv`)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <>
      <header className={styles.head}>
        <h1 className="d2">{t('head')}</h1>
        <div className={styles.tools}>
          <SearchField {...asking} />
          <Button icon="plus" onClick={() => setAdding(true)} aria-label={t('addLong')}>
            {t('add')}
          </Button>
          <ActionMenu
            label={t('more')}
            icon="more"
            labelHidden
            actions={[
              { id: 'import', label: t('import'), icon: 'attach', onAction: () => void navigate(`${paths.customers}?view=import`) },
              { id: 'duplicates', label: t('duplicates'), icon: 'users', onAction: () => void navigate(`${paths.customers}?view=merge`) },
              ...(mayExport ? [{ id: 'export', label: t('export'), icon: 'download' as const, onAction: () => void exportAll() }] : []),
            ]}
          />
        </div>
      </header>
      <Filters {...asking} />
      <CustomerList asking={asking} onAdd={() => setAdding(true)} />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  )
}

export default function CustomersPage() {
  const { t } = useTranslation('customers')
  const [query] = useSearchParams()
  const view = query.get('view')
  return (
    <>
      <PageHead title={t('head')} />
      {view === 'import' ? <ImportPart /> : view === 'merge' ? <MergePart of={query.get('of')} /> : <ListPage />}
    </>
  )
}
