// One service, or a new one, beside the menu it belongs to.
import type { Menu } from '@soigne/contract/services'
import { Link, useParams, useSearchParams } from 'react-router'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { servicePath } from '#/dashboard-paths.ts'
import { paths } from '#/paths.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { usePriceText } from '#/prices.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconLink } from '#/ui/icon-button.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { groupsOf, lengthOf, newValues, valuesOf, wordIn } from './menu.ts'
import { rangeOf } from './menu-row.tsx'
import { ServiceEditor } from './service-form.tsx'
import { useMenu } from './use-menu.ts'
import styles from './editor.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['dashboard', 'services', 'forms', 'prices', 'labels'] }

function Beside({ menu, id }: { menu: Menu; id: string }) {
  const { t } = useTranslation('services')
  const times = useTimes()
  const price = usePriceText()
  return (
    <div className={styles.beside}>
      <p className="serif d2">{t('title')}</p>
      {groupsOf(menu).map(({ key, section, items }) => (
        <section key={key}>
          <h2 className="d4">
            <bdi>{wordIn(section, times.locale) || t('ungrouped')}</bdi>
          </h2>
          <ul>
            {items.map((one) => (
              <li key={one._id}>
                <Link
                  to={servicePath(one._id)}
                  preventScrollReset
                  aria-current={one._id === id ? 'page' : undefined}
                  className={classNames(styles.besideRow, one._id === id && styles.current, !one.active && styles.off)}
                >
                  <bdi className="strong">{wordIn(one.name, times.locale)}</bdi>
                  <span className="small muted tabular">{times.duration(lengthOf(one))}</span>
                  <bdi className="strong tabular">{price(rangeOf(one, menu.currency))}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Panel({ menu, id }: { menu: Menu; id: string }) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const [query] = useSearchParams()
  const group = query.get('group')
  const service = menu.items.find(({ _id }) => _id === id) ?? null
  if (!service && id !== 'new')
    return (
      <EmptyState
        title={t('unknown.title')}
        action={
          <ButtonLink to={paths.services} variant="outline">
            {t('unknown.back')}
          </ButtonLink>
        }
      >
        {t('unknown.text')}
      </EmptyState>
    )
  const title = service ? wordIn(service.name, locale) : t('new')
  return (
    <div className={styles.split}>
      <Beside menu={menu} id={id} />
      <div className={styles.panel}>
        <header className={styles.panelHead}>
          <h1 className="d4">
            <bdi>{title}</bdi>
          </h1>
          <IconLink icon="close" label={t('close')} to={paths.services} />
        </header>
        <ServiceEditor
          key={`${id} ${group ?? ''}`}
          menu={menu}
          service={service}
          values={service ? valuesOf(service) : newValues(menu, group, locale)}
        />
      </div>
    </div>
  )
}

export default function ServicePage() {
  const { t } = useTranslation('services')
  const { id = 'new' } = useParams()
  const { data, error, isPending, refetch } = useMenu()
  return (
    <>
      <PageHead title={t('title')} />
      {data && <Panel menu={data} id={id} />}
      {isPending && (
        <Loading loading label={t('loading')} skeleton={<RowSkeleton />}>
          {null}
        </Loading>
      )}
      {error && !data && refusalCode(error) === 'forbidden' && <EmptyState title={t('forbidden.title')}>{t('forbidden.text')}</EmptyState>}
      {error && !data && refusalCode(error) !== 'forbidden' && (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      )}
    </>
  )
}
