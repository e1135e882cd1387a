// One member of the team, or somebody new: what they are, who signs in as them, what they have ahead, and leaving.
import type { Team, TeamMember } from '@soigne/contract/team'
import { pictureOfSize } from '@soigne/contract/files'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ChangeEvent, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useTeam } from './hooks.ts'
import { MemberForm } from './member-form.tsx'
import { LoginPart, VisitsPart } from './member-parts.tsx'
import styles from './team-member.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['team', 'forms'] }

/** The picture is made square by the server; the arch cuts it. */
function Portrait({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? []
    // The same file chosen again is a change too.
    event.target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const { message } = await dashboardApi.teamPicture({ params: { id: member._id }, files: { image: file } })
      await queries.invalidateQueries({ queryKey: dashboardKeys.team })
      showToast({ type: 'success', title: message })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error), line: fieldFailures(error)['image'] })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.portrait}>
      <FaceImage name={member.name} photoUrl={pictureOfSize(member.imageUrl, 320)} size="portrait" className={styles.arch} />
      <Button variant="outline" size="small" icon="camera" loading={busy} onClick={() => input.current?.click()}>
        {t('member.picture')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp"
        aria-label={t('member.picture')}
        onChange={(event) => void choose(event)}
      />
    </div>
  )
}

function Member({ team, member, requests }: { team: Team; member: TeamMember | undefined; requests: ReactNode }) {
  const { t } = useTranslation('team')
  return (
    <>
      <div className={styles.top}>
        {member && <Portrait member={member} />}
        <div>
          <h1 className="d2">{member ? <bdi>{member.name}</bdi> : t('member.new')}</h1>
          {member ? (
            <StatusChip status={member.availability} label={t(`availability.${member.availability}`)} />
          ) : (
            <p className="lede">{t('member.newText')}</p>
          )}
        </div>
      </div>
      {requests}
      <MemberForm key={member?._id} team={team} member={member} />
      {member && (
        <>
          <LoginPart member={member} />
          <VisitsPart team={team} member={member} />
        </>
      )}
    </>
  )
}

export type TeamMemberPageProps = {
  /** Days off that a member waits for. */
  requestsOf?: (staffId: string) => ReactNode
}

export default function TeamMemberPage({ requestsOf }: TeamMemberPageProps) {
  const { t } = useTranslation('team')
  const { id = '' } = useParams()
  const { data, error, isPending, refetch } = useTeam()
  const member = data?.items.find(({ _id }) => _id === id)
  return (
    <div className={styles.place}>
      <PageHead title={member?.name ?? t('head')} />
      <Link to={paths.team} className={styles.back}>
        <Icon name="chevron-start" size={18} />
        {t('head')}
      </Link>
      {error && !data ? (
        <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <Loading loading={isPending} label={t('loading')} skeleton={<RowSkeleton />}>
          {data && !member && id !== 'new' && (
            <EmptyState vignette="chair" title={t('member.unknown')}>
              {t('member.unknownText')}
            </EmptyState>
          )}
          {data && (member || id === 'new') && <Member team={data} member={member} requests={member && requestsOf?.(member._id)} />}
        </Loading>
      )}
    </div>
  )
}
