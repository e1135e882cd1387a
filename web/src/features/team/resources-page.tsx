// Rooms, chairs and machines: what takes them today, and when one more would be needed.
import type { Resource, Resources } from '@soigne/contract/resources'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { minutesBetween, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useLength } from './hooks.ts'
import { ResourceDialog } from './resource-dialog.tsx'
import styles from './resources-page.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['team', 'forms'] }

type Opens = NonNullable<Resources['opens']>

/** A day is drawn in cells no narrower than these minutes. */
const leastCell = 10

/** One cell a step of the grid: taken by visits, hatched where it is blocked or closed, else free. */
function Strip({ resource, opens, grid }: { resource: Resource; opens: Opens; grid: number }) {
  const { t } = useTranslation('team')
  const length = useLength()
  const step = Math.max(grid, leastCell)
  const cells = Math.ceil(minutesBetween(opens.startsAt, opens.endsAt) / step)
  const takenAt = (at: number): 'visit' | 'blocked' | undefined => {
    const middle = at * step + step / 2
    return resource.taken.find(
      (one) => minutesBetween(opens.startsAt, one.startsAt) <= middle && middle < minutesBetween(opens.startsAt, one.endsAt),
    )?.kind
  }
  const label = resource.isClosedToday ? t('resources.closedToday') : t('resources.today', { length: length(resource.takenMinutes) })
  return (
    <span className={styles.strip} role="img" aria-label={label}>
      {Array.from({ length: cells }, (_, at) => {
        const kind = resource.isClosedToday ? 'blocked' : takenAt(at)
        return <span key={at} className={classNames(kind === 'visit' && styles.taken, kind === 'blocked' && styles.hatched)} />
      })}
    </span>
  )
}

type Moves = { first: boolean; last: boolean; move: (by: -1 | 1) => void }

function Row({ resource, page, moves, onEdit }: { resource: Resource; page: Resources; moves: Moves; onEdit: () => void }) {
  const { t } = useTranslation('team')
  const length = useLength()
  const { name, note } = resource
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <bdi className="strong">{name}</bdi>
        {note && (
          <span className="small muted">
            <bdi>{note}</bdi>
          </span>
        )}
      </span>
      {page.opens ? <Strip resource={resource} opens={page.opens} grid={page.gridMinutes} /> : <span className={styles.strip} />}
      <span className={classNames('small muted', styles.sum)}>
        {resource.isClosedToday ? t('resources.closedToday') : t('resources.today', { length: length(resource.takenMinutes) })}
      </span>
      <span className={styles.ways}>
        <IconButton
          icon="chevron-down"
          iconSize={18}
          className={styles.up}
          label={t('moveEarlier', { name })}
          disabled={moves.first}
          onClick={() => moves.move(-1)}
        />
        <IconButton
          icon="chevron-down"
          iconSize={18}
          label={t('moveLater', { name })}
          disabled={moves.last}
          onClick={() => moves.move(1)}
        />
        <IconButton icon="edit" iconSize={18} label={t('resources.edit', { name })} onClick={onEdit} />
      </span>
    </li>
  )
}

function useMove({ items }: Resources) {
  const queries = useQueryClient()
  return async (id: string, other: string | undefined) => {
    if (other === undefined) return
    const ids = items.map(({ _id }) => _id)
    const swapped = ids.map((one) => (one === id ? other : one === other ? id : one))
    try {
      await dashboardApi.orderResources({ body: { ids: swapped } })
      await queries.invalidateQueries({ queryKey: dashboardKeys.resources })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    }
  }
}

function Full({ full, timeZone }: { full: NonNullable<Resources['full']>; timeZone: string }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const values = {
    all: full.count,
    type: full.type,
    day: times.dayOfInstant(full.startsAt, timeZone, 'within'),
    from: times.time(full.startsAt, timeZone),
    to: times.time(full.endsAt, timeZone),
  }
  return <Notice tone="warning" title={t('resources.full', values)} />
}

function Types({ page, onEdit }: { page: Resources; onEdit: (resource: Resource) => void }) {
  const times = useTimes()
  const move = useMove(page)
  return (
    <>
      {page.types.map(({ type, services }) => {
        const some = page.items.filter((one) => one.type === type)
        return (
          <section key={type} className={styles.type}>
            <h2 className="d4">
              <bdi>{type}</bdi>
              {services.length > 0 && (
                <span className={classNames('small muted', styles.services)}>
                  <bdi>{services.join(', ')}</bdi>
                </span>
              )}
            </h2>
            <ul>
              {some.map((resource, at) => (
                <Row
                  key={resource._id}
                  resource={resource}
                  page={page}
                  onEdit={() => onEdit(resource)}
                  moves={{ first: at === 0, last: at === some.length - 1, move: (by) => void move(resource._id, some[at + by]?._id) }}
                />
              ))}
            </ul>
          </section>
        )
      })}
      {page.opens && (
        <p className={classNames('small muted', styles.axis)} aria-hidden="true">
          <bdi>{times.time(page.opens.startsAt, page.timeZone)}</bdi>
          <bdi>{times.time(page.opens.endsAt, page.timeZone)}</bdi>
        </p>
      )}
      {page.full && <Full full={page.full} timeZone={page.timeZone} />}
    </>
  )
}

export default function ResourcesPage() {
  const { t } = useTranslation('team')
  const [edited, setEdited] = useState<Resource | 'new'>()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: dashboardKeys.resources,
    queryFn: ({ signal }) => dashboardApi.resources({}, { signal }),
  })
  return (
    <div className={styles.place}>
      <PageHead title={t('resources.title')} />
      <Link to={paths.team} className={styles.back}>
        <Icon name="chevron-start" size={18} />
        {t('head')}
      </Link>
      <div className={styles.heading}>
        <div>
          <h1 className="d2">{t('resources.title')}</h1>
          <p className="lede">{t('resources.text')}</p>
        </div>
        <Button icon="plus" onClick={() => setEdited('new')}>
          {t('resources.add')}
        </Button>
      </div>
      {error && !data ? (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('loading')} skeleton={<RowSkeleton />}>
          {data && data.items.length > 0 && <Types page={data} onEdit={setEdited} />}
          {data && data.items.length === 0 && (
            <EmptyState vignette="chair" title={t('resources.none')}>
              {t('resources.noneText')}
            </EmptyState>
          )}
        </Loading>
      )}
      {data && edited && (
        <ResourceDialog page={data} resource={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </div>
  )
}
