// A visit that somebody puts into the conversation: those at this institute that are still to come.
import type { Chat } from '@soigne/contract/chat'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Draft } from '#/features/chat/outbox.ts'
import { useVisitTexts } from '#/features/appointments/visit-texts.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import styles from './chat-sheets.module.css'

/** The most of one page. */
const pageSize = 50
const place = { when: 'upcoming', page: 1, pageSize } as const

type VisitsProps = { chat: Chat; onChoose: (appointmentId: string) => void }

function Visits({ chat: { institute }, onChoose }: VisitsProps) {
  const { t } = useTranslation('chat')
  const texts = useVisitTexts()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.appointments.list(place),
    queryFn: ({ signal }) => api.appointments({ query: place }, { signal }),
  })
  if (error && !data)
    return (
      <ErrorState title={t('visitsFailed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  const visits = data?.items.filter((one) => one.institute._id === institute._id && one.status !== 'cancelled') ?? []
  return (
    <Loading loading={!data} label={t('loading')} skeleton={<Skeleton height={72} radius={16} />}>
      {data && visits.length === 0 && <p className="muted">{t('noVisits', { name: institute.name })}</p>}
      <ul className={styles.visits}>
        {visits.map((visit) => (
          <li key={visit._id}>
            <button type="button" className={styles.choice} onClick={() => onChoose(visit._id)}>
              <span className="d5">{texts.when(visit.startsAt, visit.institute.timeZone)}</span>
              <bdi className="small muted">{texts.services(visit)}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </Loading>
  )
}

export function ShareVisit({ chat, write }: { chat: Chat; write: (message: Draft) => void }) {
  const { t } = useTranslation('chat')
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  function choose(appointmentId: string) {
    write({ appointmentId })
    setIsOpen(false)
  }
  return (
    <>
      <IconButton icon="calendar" iconSize={22} label={t('shareVisit')} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Modal open onClose={() => setIsOpen(false)} labelledBy={id} placement="sheet">
          <div className={styles.sheet}>
            <div className={styles.head}>
              <h2 id={id} className="d3">
                {t('shareVisit')}
              </h2>
              <IconButton icon="close" label={t('close')} onClick={() => setIsOpen(false)} />
            </div>
            <Visits chat={chat} onChoose={choose} />
          </div>
        </Modal>
      )}
    </>
  )
}
