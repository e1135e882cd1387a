// One member of the team, or somebody new: what they are, who signs in as them, the calendar elsewhere that says when they are busy, what they have ahead, and leaving.
import type { BusyCalendar } from '@soigne/contract/busy-calendars'
import type { Team, TeamMember } from '@soigne/contract/team'
import { pictureOfSize } from '@soigne/contract/files'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ChangeEvent, type ReactNode, type SyntheticEvent } from 'react'
import { Link, useParams } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { visitInDiaryPath } from '#/dashboard-paths.ts'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { paths } from '#/paths.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { dayOf, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { askConfirm } from '#/ui/confirms.ts'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useTeam } from './hooks.ts'
import { MemberForm } from './member-form.tsx'
import { LoginPart, VisitsPart } from './member-parts.tsx'
import styles from './team-member.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['team', 'forms', 'diary'] }

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

function Give({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  const [address, setAddress] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function send(event: SyntheticEvent) {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const { message } = await dashboardApi.setBusyCalendar({ params: { id: member._id }, body: { address } })
      showToast({ type: 'success', title: message })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    } catch (failure) {
      setError(fieldFailures(failure)['address'] ?? failureText(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate className={styles.give} onSubmit={(event) => void send(event)}>
      <Field
        label={t('busyElsewhere.address')}
        hint={t('busyElsewhere.hint')}
        type="url"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={address}
        error={error}
        onChange={({ target }) => setAddress(target.value)}
      />
      <Button type="submit" variant="soft" icon="calendar" loading={busy} disabled={address.trim() === ''}>
        {t('busyElsewhere.add')}
      </Button>
    </form>
  )
}

function Hits({ hits, zone }: { hits: BusyCalendar['hits']; zone: string }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  return (
    <>
      <p>{t('busyElsewhere.hits', { count: hits.length })}</p>
      <ul className={styles.visits}>
        {hits.map(({ _id, startsAt, customer }) => (
          <li key={_id} className={styles.visit}>
            <span className={styles.when}>
              <span className="strong">{times.dayOfInstant(startsAt, zone)}</span>
              <bdi className={styles.time}>{times.time(startsAt, zone)}</bdi>
            </span>
            <bdi className="strong">{customer ?? t('met.visit')}</bdi>
            <ButtonLink to={visitInDiaryPath(_id, dayOf(startsAt, zone))} variant="outline" size="small">
              {t('busyElsewhere.open')}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function Given({ member, calendar, zone }: { member: TeamMember; calendar: BusyCalendar; zone: string }) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  const times = useTimes()
  const [busy, setBusy] = useState(false)
  async function remove() {
    const { name } = member
    if (!(await askConfirm({ title: t('busyElsewhere.removeTitle', { name }), message: t('busyElsewhere.removeText') }))) return
    setBusy(true)
    try {
      const { message } = await dashboardApi.removeBusyCalendar({ params: { id: member._id } })
      showToast({ type: 'success', title: message })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setBusy(false)
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    }
  }
  const { host, lastReadAt, problem, busy: count, hits } = calendar
  return (
    <>
      <div className={styles.calendar}>
        <div>
          <bdi className="strong">{host}</bdi>
          <p className="small muted">
            {lastReadAt === null
              ? t('busyElsewhere.never')
              : t('busyElsewhere.readAt', { day: times.dayOfInstant(lastReadAt, zone), time: times.time(lastReadAt, zone) })}
            {' · '}
            {t('busyElsewhere.busy', { count })}
          </p>
        </div>
        <Button variant="outline" size="small" loading={busy} onClick={() => void remove()}>
          {t('busyElsewhere.remove')}
        </Button>
      </div>
      {problem && (
        <p className={classNames('small', styles.problem)} role="status">
          {t(`busyElsewhere.problem.${problem}`)} {t('busyElsewhere.stays')}
        </p>
      )}
      {hits.length > 0 && <Hits hits={hits} zone={zone} />}
    </>
  )
}

function BusyPart({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team')
  const { data } = useQuery({
    queryKey: dashboardKeys.busyCalendar(member._id),
    queryFn: ({ signal }) => dashboardApi.busyCalendar({ params: { id: member._id } }, { signal }),
  })
  return (
    <section className={styles.part} aria-labelledby="busy-elsewhere">
      <h2 id="busy-elsewhere" className="d4">
        {t('busyElsewhere.title')}
      </h2>
      <p className="muted">{t('busyElsewhere.text', { name: member.name })}</p>
      {data && (data.calendar ? <Given member={member} calendar={data.calendar} zone={data.timeZone} /> : <Give member={member} />)}
    </section>
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
          <BusyPart member={member} />
          <VisitsPart team={team} member={member} />
        </>
      )}
    </>
  )
}

export type TeamMemberContentProps = {
  /** Days off that a member waits for. */
  requestsOf?: (staffId: string) => ReactNode
}

export function TeamMemberContent({ requestsOf }: TeamMemberContentProps) {
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
