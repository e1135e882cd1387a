// On the page of a visit: the time the institute proposes instead, with one tap to take it; and that it begins late.
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { minuteMs } from '@soigne/contract/time'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useList } from '#/platform/lists.ts'
import { useMoney } from '#/platform/money.ts'
import { type DayStyle, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './waiting.module.css'

const useProposal = (id: string) =>
  useQuery({
    queryKey: queryKeys.proposal(id),
    queryFn: ({ signal }) => api.ownProposal({ params: { id } }, { signal }),
    refetchInterval: minuteMs,
  })

/** Taking the time that is proposed for a visit, and giving the visit up. */
export function useProposalAnswer(id: string, timeZone: string) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const queries = useQueryClient()
  const key = useRef<string>(undefined)
  const keyed = () => ({ params: { id }, idempotencyKey: (key.current ??= crypto.randomUUID()) })
  const when = (instant: string, style: DayStyle = 'within') => ({
    day: times.dayOfInstant(instant, timeZone, style),
    time: times.time(instant, timeZone),
  })
  const answered = {
    onError: (error: Error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled() {
      key.current = undefined
      return Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.appointment(id) }),
        queries.invalidateQueries({ queryKey: queryKeys.appointments.all }),
        queries.invalidateQueries({ queryKey: queryKeys.availability.all }),
      ])
    },
  }
  const accept = useMutation({
    mutationFn: () => api.acceptProposal(keyed()),
    onSuccess: ({ startsAt }) => showToast({ type: 'success', title: t('proposal.taken', when(startsAt)) }),
    ...answered,
  })
  const leave = useMutation({ mutationFn: () => api.declineProposal(keyed()), ...answered })
  return { accept, leave, when }
}
type Proposing = ReturnType<typeof useProposalAnswer>
type Leave = Pick<Proposing['leave'], 'isPending' | 'mutate'>

function LeaveButton({ leave, disabled, children }: { leave: Leave; disabled?: boolean; children: string }) {
  return (
    <Button variant="text" loading={leave.isPending} disabled={disabled} onClick={() => leave.mutate()}>
      {children}
    </Button>
  )
}

type Late = NonNullable<Answer<Calls['ownProposal']>['late']>

/** That it begins late; what may be left free of charge, what that leaves and what comes back, before anything is pressed. */
function LateNotice({ late, institute, when, leave }: { late: Late; institute: string; leave: Leave | null } & Pick<Proposing, 'when'>) {
  const { t } = useTranslation('appointments')
  const list = useList()
  const money = useMoney()
  const { leaving } = late
  const services = list(leaving?.services ?? [])
  return (
    <Notice
      tone="warning"
      icon="clock"
      title={t('proposal.lateTitle', { institute })}
      {...(leaving &&
        leave && {
          action: <LeaveButton leave={leave}>{t(leaving.isWhole ? 'proposal.leave' : 'proposal.leaveRest', { services })}</LeaveButton>,
        })}
    >
      <p>{t('proposal.late', { time: when(late.expectedAt).time, before: when(late.startsAt).time })}</p>
      {leaving && leave && !leaving.isWhole && <p>{t('proposal.without', { services, total: money(leaving.total, true) })}</p>}
      {leaving && leave && leaving.refunded.amount > 0 && <p>{t('proposal.back', { amount: money(leaving.refunded, true) })}</p>}
    </Notice>
  )
}

/** `onOther` opens the times to move to. */
export function ProposalCard({ appointment, onOther }: { appointment: Appointment; onOther: () => void }) {
  const { t } = useTranslation('appointments')
  const list = useList()
  const { _id: id } = appointment
  const { data } = useProposal(id)
  const { accept, leave, when } = useProposalAnswer(id, appointment.institute.timeZone)
  const institute = appointment.institute.name
  const { proposal = null, late = null } = data ?? {}
  return (
    <>
      {late && <LateNotice late={late} institute={institute} when={when} leave={proposal ? null : leave} />}
      {proposal && (
        <section className={styles.offer} aria-label={t('proposal.title')}>
          <p className="strong">{t('proposal.title')}</p>
          <p>{t('proposal.text', { institute, was: t('waiting.when', when(proposal.before.startsAt)) })}</p>
          {proposal.isKept ? (
            <>
              <h2 className="d3">{t('waiting.when', when(proposal.startsAt, 'full'))}</h2>
              <p>
                {list(proposal.segments.map(({ serviceName, staffName }) => t('proposal.with', { service: serviceName, name: staffName })))}
              </p>
              {proposal.until && <p className="muted">{t('proposal.kept', when(proposal.until))}</p>}
            </>
          ) : (
            <p className="muted">{t('proposal.over')}</p>
          )}
          <div className={styles.buttons}>
            {proposal.isKept && (
              <Button size="large" loading={accept.isPending} onClick={() => accept.mutate()}>
                {t('proposal.accept')}
              </Button>
            )}
            {appointment.canReschedule && (
              <Button variant="outline" size="large" onClick={onOther}>
                {t('proposal.other')}
              </Button>
            )}
            <LeaveButton leave={leave} disabled={accept.isPending}>
              {t('proposal.leave')}
            </LeaveButton>
          </div>
        </section>
      )}
    </>
  )
}
