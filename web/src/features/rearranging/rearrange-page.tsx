// `/mysalon/appointments/rearrange`: a new time for every visit that was hit, closing a day, how clients answered, and who runs late.
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import type { RearrangementChoice } from '@soigne/contract/rearranging'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { dashboardLinks } from '#/kit/dashboard-links.ts'
import { DateField } from '#/kit/date-field.tsx'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { dayOf } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import { AnswerList } from './answer-list.tsx'
import { LatePopover } from './late-popover.tsx'
import { type Choice, ProposalRow, useProposalTexts, usualChoice } from './proposal-row.tsx'
import { useAnswers, useLate, useProposals, useSend } from './use-rearranging.ts'
import styles from './rearranging.module.css'

export const links = dashboardLinks

export const handle = { namespaces: ['rearranging'] }

type Proposals = Answer<Calls['proposals']>

const skeleton = (
  <>
    <RowSkeleton />
    <RowSkeleton />
  </>
)

/** What is sent of the rows. */
const itemsOf = (rows: readonly { row: Proposals['items'][number]; choice: Choice }[]): RearrangementChoice[] =>
  rows.map(({ row, choice }) => {
    const one = typeof choice === 'number' ? row.options[choice] : undefined
    return one
      ? { appointmentId: row.visit._id, how: 'propose', startsAt: one.startsAt, staff: one.staff.map(({ staffId }) => staffId) }
      : { appointmentId: row.visit._id, how: choice === 'cancel' ? 'cancel' : 'call' }
  })

/** What the first of the clients reads. */
function Preview({
  data: { timeZone },
  row,
  choice,
}: {
  data: Proposals
  row: Proposals['items'][number] | undefined
  choice: Choice | undefined
}) {
  const { t, spelledWhen, names } = useProposalTexts(timeZone)
  const option = typeof choice === 'number' ? row?.options[choice] : undefined
  if (!row || !option) return null
  const { visit } = row
  const words = {
    name: visit.customer.name,
    was: t('at', spelledWhen(visit.startsAt)),
    instead: t('at', spelledWhen(option.startsAt)),
    names: names(option),
  }
  return (
    <>
      <h2 className="small strong">{t('receive')}</h2>
      <p className={styles.message}>{t('message', words)}</p>
      <p className="small muted">{t('kept')}</p>
    </>
  )
}

/** What goes back to the clients whose visits are cancelled. */
function Back({ rows }: { rows: readonly { row: Proposals['items'][number]; choice: Choice }[] }) {
  const { t } = useProposalTexts('UTC')
  const money = useMoney()
  const amounts = rows.flatMap(({ row, choice }) => (choice === 'cancel' && row.refunded.amount > 0 ? [row.refunded] : []))
  const [first] = amounts
  if (!first) return null
  return (
    <>
      <dt>{t('counts.back')}</dt>
      <dd>{money({ ...first, amount: amounts.reduce((sum, { amount }) => sum + amount, 0) }, true)}</dd>
    </>
  )
}

/** The rows with what is chosen for each, and beside them what their clients read. */
function Assistant({ data, day }: { data: Proposals; day: string | null }) {
  const { timeZone, items } = data
  const { t, spelled } = useProposalTexts(timeZone)
  const [, setQuery] = useSearchParams()
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({})
  const [note, setNote] = useState('')
  const rows = items.map((row) => ({ row, choice: chosen[row.visit._id] ?? usualChoice(row) }))
  const proposals = rows.filter(({ choice }) => typeof choice === 'number')
  const [sample] = proposals
  const send = useSend(() => {
    showToast({ type: 'success', title: t('sent', { count: proposals.length }) })
    if (day) setQuery({})
  })
  const round = () =>
    send.mutate({
      items: itemsOf(rows),
      ...(note !== '' && { note }),
      ...(day && { close: { fromDay: day, toDay: day } }),
    })
  const count = proposals.length
  const cancelled = rows.filter(({ choice }) => choice === 'cancel').length
  return (
    <div className={styles.panes}>
      <ul className={styles.list}>
        {rows.map(({ row, choice }) => (
          <ProposalRow
            key={row.visit._id}
            row={row}
            timeZone={timeZone}
            choice={choice}
            onChoose={(one) => setChosen((before) => ({ ...before, [row.visit._id]: one }))}
          />
        ))}
      </ul>
      <aside className={styles.side} aria-label={t('side')}>
        {day && <p className="d4">{t('closed', { day: spelled(day) })}</p>}
        <Field label={t('note')} value={note} maxLength={200} onChange={(event) => setNote(event.target.value)} />
        <Preview data={data} row={sample?.row} choice={sample?.choice} />
        <dl className={styles.counts}>
          <dt>{t('counts.proposals')}</dt>
          <dd>{count}</dd>
          <dt>{t('counts.calls')}</dt>
          <dd>{rows.filter(({ choice }) => choice === 'call').length}</dd>
          <Back rows={rows} />
        </dl>
        <Button size="large" wide loading={send.isPending} onClick={round}>
          {!day && count === 0 && cancelled > 0
            ? t('cancelVisits', { count: cancelled })
            : t(day ? (count > 0 ? 'closeAndSend' : 'close') : count > 0 ? 'send' : 'noteCalls', { count })}
        </Button>
        {day && (
          <ButtonLink to={paths.rearranging} variant="text" wide>
            {t('keepOpen')}
          </ButtonLink>
        )}
      </aside>
    </div>
  )
}

function Needed({ day }: { day: string | null }) {
  const { t } = useProposalTexts('UTC')
  const { data, error, refetch } = useProposals(day ? { fromDay: day } : {})
  if (error && !data)
    return (
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <Loading loading={!data} label={t('loading')} skeleton={skeleton}>
      {data && (
        <>
          <p className="lede">
            {data.items.length === 0
              ? t(day ? 'noneThatDay' : 'none')
              : t('place', { count: data.items.length, fits: data.items.filter(({ options }) => options.length > 0).length })}
          </p>
          {(day !== null || data.items.length > 0) && <Assistant key={day ?? ''} data={data} day={day} />}
        </>
      )}
    </Loading>
  )
}

function Team() {
  const { t } = useProposalTexts('UTC')
  const { data } = useLate()
  if (!data) return null
  return (
    <section className={styles.part}>
      <h2 className="d4">{t('late.title')}</h2>
      <ul className={styles.team}>
        {data.team.map(({ staffId, name, imageUrl }) => (
          <li key={staffId}>
            <FaceImage name={name} photoUrl={imageUrl} size={34} />
            <span className={styles.grow}>{name}</span>
            <LatePopover staffId={staffId} timeZone={data.timeZone} notice={data.items.find((one) => one.staffId === staffId)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export default function RearrangePage() {
  const { t, spelled } = useProposalTexts('UTC')
  const [query, setQuery] = useSearchParams()
  const asked = query.get('day') ?? ''
  const day = /^20\d\d-\d\d-\d\d$/.test(asked) ? asked : null
  const { data } = useAnswers()
  const zone = data?.timeZone ?? 'UTC'
  const title = day ? t('closeDay', { day: spelled(day) }) : t('title')
  return (
    <>
      <PageHead title={title} />
      <Link to={paths.diary} className={`small muted ${styles.back}`}>
        <Icon name="chevron-start" size={18} className="mirrors" />
        {t('calendar')}
      </Link>
      <h1 className="d2">{title}</h1>
      <Needed day={day} />
      {!day && data && (
        <>
          <section className={styles.part}>
            <h2 className="d4">{t('answers')}</h2>
            {data.items.length > 0 ? (
              <AnswerList items={data.items} timeZone={zone} now={data.now} />
            ) : (
              <p className="muted">{t('noAnswers')}</p>
            )}
          </section>
          <Team />
          <section className={`${styles.part} ${styles.pick}`}>
            <DateField
              label={t('pickDay')}
              hint={t('pickHint')}
              value={null}
              earliest={dayOf(data.now, zone)}
              onChange={(picked) => picked && setQuery({ day: picked })}
            />
          </section>
        </>
      )}
    </>
  )
}
