// Who signs in as a member, what they have ahead, and leaving once nothing is left behind.
import type { TeamMember, Team, VisitOfMember } from '@soigne/contract/team'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { CancelMoney, cancellationOf } from '#/cancel-money.tsx'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useOnPurpose } from '#/diary-on-purpose.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './team-member.module.css'
import { useNavigate } from 'react-router'
import { DateField } from '#/kit/date-field.tsx'
import { paths } from '#/paths.ts'
import { useMoney } from '#/platform/money.ts'
import { addDays, dateOnly, dayOf, useTimes } from '#/platform/time.ts'
import { askConfirm } from '#/ui/confirms.ts'

const given = ['staff', 'reception', 'manager'] as const
type Given = (typeof given)[number]

function Invite({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [level, setLevel] = useState<Given>('staff')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function send(event: SyntheticEvent) {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const { state } = await dashboardApi.addMember({ body: { email, level, staffId: member._id } })
      showToast({ type: 'success', title: t(state === 'joined' ? 'login.nowIn' : 'login.sent', { email }) })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    } catch (failure) {
      setError(fieldFailures(failure)['email'] ?? failureText(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate className={styles.invite} onSubmit={(event) => void send(event)}>
      <Field
        label={t('login.email')}
        type="email"
        dir="ltr"
        autoComplete="off"
        value={email}
        error={error}
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField
        label={t('login.level')}
        value={level}
        onChange={({ target }) => setLevel(given.find((one) => one === target.value) ?? 'staff')}
        options={given.map((value) => ({ value, label: t(`level.${value}`) }))}
      />
      <Button type="submit" variant="soft" icon="mail" loading={busy}>
        {t('login.invite')}
      </Button>
    </form>
  )
}

export function LoginPart({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team')
  const { login } = member
  // Only the owner gives access: whoever is refused this reads what is and changes nothing.
  const people = useQuery({ queryKey: dashboardKeys.people, queryFn: ({ signal }) => dashboardApi.members({}, { signal }), retry: false })
  return (
    <section className={styles.part} aria-labelledby="login">
      <h2 id="login" className="d4">
        {t('login.title')}
      </h2>
      <p className="muted">
        {login ? t(`login.${login.state}`, { level: t(`level.${login.level}`) }) : people.data ? t('login.text') : t('login.none')}
      </p>
      {!login && people.data && <Invite member={member} />}
    </section>
  )
}

function useWork() {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
      return false
    } finally {
      setBusy(false)
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    }
  }
  return { busy, run }
}

function VisitWays({ visit, zone }: { visit: VisitOfMember; zone: string }) {
  const { t } = useTranslation('team')
  const { busy, run } = useWork()
  const onPurpose = useOnPurpose()
  const [chosen, setChosen] = useState('')
  const { _id, segment, startsAt, colleagues } = visit
  const staffId = colleagues.find((one) => one.staffId === chosen)?.staffId ?? colleagues[0]?.staffId
  const give = () =>
    void run(() =>
      dashboardApi.moveInstituteVisit({
        params: { id: _id },
        body: { startsAt, ...(staffId !== undefined && { staffId }), ...(segment !== null && { segment }) },
      }),
    )
  async function cancel() {
    const money = await cancellationOf(_id)
    const details = money && <CancelMoney {...money} />
    if (await askConfirm({ title: t('visits.cancelTitle'), message: t('visits.cancelText'), ...(details && { details }) }))
      await run(() => onPurpose((anyway) => dashboardApi.cancelInstituteVisit({ params: { id: _id }, body: anyway })))
  }
  return (
    <span className={styles.visitWays}>
      {colleagues.length > 0 ? (
        <>
          <SelectField
            label={t('visits.to')}
            labelHidden
            value={staffId ?? ''}
            onChange={({ target }) => setChosen(target.value)}
            options={colleagues.map((one) => ({ value: one.staffId, label: one.name }))}
          />
          <Button variant="soft" size="small" loading={busy} onClick={give}>
            {t('visits.give')}
          </Button>
        </>
      ) : (
        <span className="small muted">{t('visits.nobody')}</span>
      )}
      <ButtonLink to={`${paths.diary}?day=${dayOf(startsAt, zone)}`} variant="outline" size="small">
        {t('visits.time')}
      </ButtonLink>
      <Button variant="text" size="small" onClick={() => void cancel()}>
        {t('visits.cancel')}
      </Button>
    </span>
  )
}

function VisitLine({ visit, zone }: { visit: VisitOfMember; zone: string }) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const money = useMoney()
  const { startsAt, customer, serviceName, price, kind } = visit
  return (
    <li className={styles.visit}>
      <span className={styles.when}>
        <span className="strong">{times.dayOfInstant(startsAt, zone)}</span>
        <bdi className={styles.time}>{times.time(startsAt, zone)}</bdi>
      </span>
      <span>
        <bdi className="strong">{customer ?? t(`met.${kind}`)}</bdi>
        <span className="small muted">
          <bdi>{serviceName}</bdi>
          {price && (
            <>
              {' · '}
              <bdi>{money(price)}</bdi>
            </>
          )}
        </span>
      </span>
      {kind === 'visit' && <VisitWays visit={visit} zone={zone} />}
    </li>
  )
}

/** So many are shown before the rest is asked for. */
const firstVisits = 6

function Visits({ visits, zone }: { visits: readonly VisitOfMember[]; zone: string }) {
  const { t } = useTranslation('team')
  const [all, setAll] = useState(false)
  const hasMore = !all && visits.length > firstVisits
  return (
    <>
      <ul className={styles.visits}>
        {(hasMore ? visits.slice(0, firstVisits) : visits).map((visit) => (
          <VisitLine key={`${visit._id} ${visit.segment}`} visit={visit} zone={zone} />
        ))}
      </ul>
      {hasMore && (
        <Button variant="outline" size="small" className={styles.allVisits} onClick={() => setAll(true)}>
          {t('visits.all', { count: visits.length })}
        </Button>
      )}
    </>
  )
}

const inWords = { weekday: 'long', day: 'numeric', month: 'long' } as const

/** Whoever is to leave may stay after all: their weeks hold on. */
function Stays({ member: { _id, name }, lastDay }: { member: TeamMember; lastDay: string }) {
  const { t } = useTranslation('team')
  const { locale } = useTimes()
  const { busy, run } = useWork()
  async function stay() {
    if (await run(() => dashboardApi.changeTeamMember({ params: { id: _id }, body: { lastDay: null } })))
      showToast({ type: 'success', title: t('leaving.stayed', { name }) })
  }
  return (
    <div className={styles.leaving}>
      <p className="strong">{t('leaving.set', { day: dateOnly(lastDay, locale === 'en' ? 'en-GB' : locale, inWords) })}</p>
      <Button variant="outline" size="small" loading={busy} onClick={() => void stay()}>
        {t('leaving.stay', { name })}
      </Button>
    </div>
  )
}

export function VisitsPart({ team, member }: { team: Team; member: TeamMember }) {
  const { t } = useTranslation('team')
  const navigate = useNavigate()
  const { busy, run } = useWork()
  const { locale } = useTimes()
  const [lastDay, setLastDay] = useState<string | null>(null)
  const from = lastDay === null ? team.today : addDays(lastDay, 1)
  const { data } = useQuery({
    queryKey: dashboardKeys.visitsOfMember(member._id, from),
    queryFn: ({ signal }) => dashboardApi.visitsOfMember({ params: { id: member._id }, query: { from } }, { signal }),
  })
  const visits = data?.items ?? []
  async function leave() {
    // Whoever works on keeps their login until that day is over.
    const isLater = lastDay !== null && lastDay > team.today
    const message = isLater ? t('leaving.messageLater', { day: dateOnly(lastDay, locale, inWords) }) : t('leaving.message')
    if (!(await askConfirm({ title: t('leaving.title', { name: member.name }), message }))) return
    const query = lastDay === null ? {} : { lastDay }
    if (await run(() => dashboardApi.removeTeamMember({ params: { id: member._id }, query }))) await navigate(paths.team)
  }
  return (
    <section id="visits" className={styles.part} aria-labelledby="ahead">
      <h2 id="ahead" className="d4">
        {t('visits.title')}
      </h2>
      <p className="muted">{data && visits.length === 0 ? t('visits.none') : t('visits.text')}</p>
      {visits.length > 0 && <Visits visits={visits} zone={team.timeZone} />}
      <h2 className="d4">{t('leaving.head')}</h2>
      <p className="muted">{t('leaving.text')}</p>
      {member.lastDay !== null && <Stays member={member} lastDay={member.lastDay} />}
      <div className={styles.leaving}>
        <DateField label={t('leaving.lastDay')} hint={t('leaving.hint')} value={lastDay} earliest={team.today} onChange={setLastDay} />
        <Button variant="outline" loading={busy} disabled={!data || visits.length > 0} onClick={() => void leave()}>
          {t('leaving.do', { name: member.name })}
        </Button>
      </div>
      {visits.length > 0 && <p className="small muted">{t('leaving.first', { count: visits.length })}</p>}
    </section>
  )
}
