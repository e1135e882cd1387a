// Services: the menu drawn to scale, as its institute keeps it.
import type { Menu } from '@soigne/contract/services'
import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { servicePath } from '#/dashboard-paths.ts'
import { salonPath } from '#/paths.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Field } from '#/ui/field.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { BarLegend } from './duration-bar.tsx'
import { groupsOf, wordIn } from './menu.ts'
import { Archived, MenuList } from './menu-list.tsx'
import { useMenu } from './use-menu.ts'
import styles from './services.module.css'

/** What this page wears is not in the sheet of the public pages. */
export const links = dashboardLinks

export const handle = { namespaces: ['dashboard', 'services', 'prices', 'labels'] }

function NewGroup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('services')
  const navigate = useNavigate()
  const id = useId()
  const [name, setName] = useState('')
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') void navigate(servicePath('new', name.trim()))
        }}
      >
        <h2 id={id} className="d3">
          {t('newGroup.title')}
        </h2>
        <p className="muted">{t('newGroup.text')}</p>
        <Field label={t('newGroup.name')} value={name} maxLength={60} data-autofocus onChange={({ target }) => setName(target.value)} />
        <div className={styles.dialogActions}>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={name.trim() === ''}>
            {t('newGroup.next')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function GroupFilter({ menu, shown, onShow }: { menu: Menu; shown: string | null; onShow: (key: string | null) => void }) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const [isNaming, setNaming] = useState(false)
  const chip = (key: string | null, label: string) => (
    <FilterChip key={key ?? 'all'} selected={shown === key} onClick={() => onShow(key)}>
      {label}
    </FilterChip>
  )
  return (
    <div className={styles.filter}>
      <div role="group" aria-label={t('filter')} className={styles.chips}>
        {chip(null, t('all'))}
        {groupsOf(menu).map(({ key, section }) => chip(key, wordIn(section, locale) || t('ungrouped')))}
        <FilterChip icon="plus" onClick={() => setNaming(true)}>
          {t('group')}
        </FilterChip>
      </div>
      <BarLegend />
      {isNaming && <NewGroup onClose={() => setNaming(false)} />}
    </div>
  )
}

function Head({ menu, children }: { menu?: Menu; children?: ReactNode }) {
  const { t } = useTranslation('services')
  const count = menu?.items.filter(({ archivedAt }) => archivedAt === null).length ?? 0
  return (
    <header className={styles.head}>
      <div>
        <h1 className="d2">{t('title')}</h1>
        {count > 0 && <p className={`muted ${styles.summary}`}>{t('summary', { count })}</p>}
      </div>
      <div className={styles.actions}>{children}</div>
    </header>
  )
}

function MenuShown({ menu }: { menu: Menu }) {
  const { t } = useTranslation('services')
  const [shown, setShown] = useState<string | null>(null)
  const isEmpty = menu.items.every(({ archivedAt }) => archivedAt !== null)
  const isThere = groupsOf(menu).some(({ key }) => key === shown)
  return (
    <>
      <Head menu={menu}>
        <ButtonLink to={salonPath(menu.slug)} variant="outline" icon="list">
          {t('asPage')}
        </ButtonLink>
        <ButtonLink to={servicePath('new')} icon="plus">
          {t('add')}
        </ButtonLink>
      </Head>
      {isEmpty ? (
        <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
      ) : (
        <>
          <GroupFilter menu={menu} shown={isThere ? shown : null} onShow={setShown} />
          <MenuList menu={menu} shown={isThere ? shown : null} />
        </>
      )}
      <Archived menu={menu} />
    </>
  )
}

export default function ServicesPage() {
  const { t } = useTranslation('services')
  const { data, error, isPending, refetch } = useMenu()
  return (
    <>
      <PageHead title={t('title')} />
      {data ? (
        <MenuShown menu={data} />
      ) : (
        <>
          <Head />
          {isPending && (
            <Loading loading label={t('loading')} skeleton={<RowSkeleton />}>
              {null}
            </Loading>
          )}
          {error && refusalCode(error) === 'forbidden' && <EmptyState title={t('forbidden.title')}>{t('forbidden.text')}</EmptyState>}
          {error && refusalCode(error) !== 'forbidden' && (
            <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
              {failureText(error)}
            </ErrorState>
          )}
        </>
      )}
    </>
  )
}
