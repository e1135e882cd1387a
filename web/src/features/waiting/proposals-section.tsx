// Above one's visits: other times that institutes propose, each with one tap to take it or to give the visit up.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { minuteMs } from '@soigne/contract/time'
import { useQuery } from '@tanstack/react-query'
import { appointmentPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { useList } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { useKeptFocus } from '#/ui/use-kept-focus.ts'
import { useProposalAnswer } from './proposal-card.tsx'
import styles from './waiting.module.css'

type Proposed = Answer<Calls['ownProposals']>['items'][number]

/** `isKnown` also once it cannot be known: the visits should not wait for it any longer. */
export function useOwnProposals() {
  const { data, isPending } = useQuery({
    queryKey: queryKeys.appointments.list('proposals'),
    queryFn: ({ signal }) => api.ownProposals({}, { signal }),
    refetchOnWindowFocus: true,
    refetchInterval: minuteMs,
  })
  return { proposed: data?.items ?? [], isKnown: !isPending }
}

function ProposedTime({ appointmentId, institute, proposal }: Proposed) {
  const { t } = useTranslation('appointments')
  const list = useList()
  const { accept, leave, when } = useProposalAnswer(appointmentId, institute.timeZone)
  const { startsAt, before, until, segments } = proposal
  return (
    <li className={styles.offer}>
      <p className="strong">{t('proposal.yours')}</p>
      <p>{t('proposal.text', { institute: institute.name, was: t('waiting.when', when(before.startsAt)) })}</p>
      <h3 className="d3">{t('waiting.when', when(startsAt, 'full'))}</h3>
      <p>{list(segments.map(({ serviceName, staffName }) => t('proposal.with', { service: serviceName, name: staffName })))}</p>
      {until && <p className="muted">{t('proposal.kept', when(until))}</p>}
      <div className={styles.buttons}>
        <Button size="large" loading={accept.isPending} disabled={leave.isPending} onClick={() => accept.mutate()}>
          {t('proposal.accept')}
        </Button>
        <ButtonLink to={appointmentPath(appointmentId)} variant="outline" size="large">
          {t('proposal.see')}
        </ButtonLink>
        <Button variant="text" loading={leave.isPending} disabled={accept.isPending} onClick={() => leave.mutate()}>
          {t('proposal.leave')}
        </Button>
      </div>
    </li>
  )
}

export function OwnProposals({ proposed }: { proposed: readonly Proposed[] }) {
  const { t } = useTranslation('appointments')
  const list = useKeptFocus()
  if (proposed.length === 0) return null
  return (
    <section aria-label={t('proposal.title')} className={styles.offers}>
      <ul ref={list} className={styles.list}>
        {proposed.map((one) => (
          <ProposedTime key={one.appointmentId} {...one} />
        ))}
      </ul>
    </section>
  )
}
