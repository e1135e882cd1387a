// The team of the institute: who is there, when they work, and who is away.
import type { Team } from '@soigne/contract/team'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { teamMemberPath } from '#/dashboard-paths.ts'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { DayDialog, TimeOffDialog } from './away-dialogs.tsx'
import { useTeam } from './hooks.ts'
import { MemberCard } from './member-card.tsx'
import { RotaTable, type ChosenDay } from './rota-table.tsx'
import { TimeOff } from './time-off.tsx'
import styles from './team.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['team', 'forms'] }

/** The order on screen, which is ahead of the server's while it is saved. */
function useOrder(team: Team) {
  const queries = useQueryClient()
  const [dragged, setDragged] = useState<string>()
  const put = (ids: readonly string[]) =>
    queries.setQueryData<Team>(dashboardKeys.team, { ...team, items: ids.flatMap((id) => team.items.find(({ _id }) => _id === id) ?? []) })
  const ids = team.items.map(({ _id }) => _id)
  const placed = (id: string, at: number): string[] => ids.filter((one) => one !== id).toSpliced(at, 0, id)
  async function save(next: string[]) {
    put(next)
    try {
      await dashboardApi.orderTeam({ body: { ids: next } })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
      await queries.invalidateQueries({ queryKey: dashboardKeys.team })
    }
  }
  return {
    dragged,
    move: (id: string, by: -1 | 1) => void save(placed(id, ids.indexOf(id) + by)),
    drag(id: string, isOver: boolean) {
      if (!isOver) setDragged(id)
      else if (dragged !== undefined && dragged !== id) put(placed(dragged, ids.indexOf(id)))
    },
    drop() {
      setDragged(undefined)
      void save(ids)
    },
  }
}

function Portraits({ team }: { team: Team }) {
  const { t } = useTranslation('team')
  const { dragged, move, drag, drop } = useOrder(team)
  return (
    <ul className={styles.portraits} aria-label={t('members')}>
      {team.items.map((member, at) => {
        const { _id } = member
        const moving = {
          first: at === 0,
          last: at === team.items.length - 1,
          move: (by: -1 | 1) => move(_id, by),
          dragged: dragged === _id,
          drag: (isOver: boolean) => drag(_id, isOver),
          drop,
        }
        return <MemberCard key={_id} {...{ member, team, moving }} />
      })}
    </ul>
  )
}

function Everybody({ team }: { team: Team }) {
  const { t } = useTranslation('team')
  const [chosen, setChosen] = useState<ChosenDay>()
  if (team.items.length === 0)
    return (
      <EmptyState vignette="chair" title={t('none.title')}>
        {t('none.text')}
      </EmptyState>
    )
  return (
    <>
      <Portraits team={team} />
      <RotaTable team={team} onChoose={setChosen} />
      <TimeOff team={team} />
      {chosen && <DayDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

export type TeamContentProps = {
  /** Days off that wait for an answer. */
  requests?: ReactNode
}

export function TeamContent({ requests }: TeamContentProps) {
  const { t } = useTranslation('team')
  const { data, error, isPending, refetch } = useTeam()
  const [isMarking, setMarking] = useState(false)
  const away = data?.items.filter(({ availability }) => availability !== 'available').length ?? 0
  return (
    <div className={styles.place}>
      <PageHead title={t('head')} />
      <div className={styles.heading}>
        <div>
          <h1 className="d2">{t('head')}</h1>
          {data && data.items.length > 0 && (
            <p className="lede">
              {t('people', { count: data.items.length })} {away > 0 && t('away', { count: away })}
            </p>
          )}
        </div>
        <div className={styles.ways}>
          <ButtonLink to={paths.resources} variant="text">
            {t('resources.link')}
          </ButtonLink>
          <Button variant="outline" icon="sun" disabled={!data || data.items.length === 0} onClick={() => setMarking(true)}>
            {t('timeOff.title')}
          </Button>
          <ButtonLink to={teamMemberPath('new')} icon="plus">
            {t('add')}
          </ButtonLink>
        </div>
      </div>
      {requests}
      {error && !data ? (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('loading')} skeleton={<RowSkeleton />}>
          {data && <Everybody team={data} />}
        </Loading>
      )}
      {data && isMarking && <TimeOffDialog team={data} onClose={() => setMarking(false)} />}
    </div>
  )
}
