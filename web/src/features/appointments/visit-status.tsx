// What a visit is, in words, where nothing has been paid yet, and its payment state: Pending alone would read as not accepted.
import type { Appointment } from '@soigne/contract/appointments'
import { minuteMs } from '@soigne/contract/time'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useKeptSince } from '#/platform/kept-since.ts'
import { ownZone } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Notice } from '#/ui/notice.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { useVisitTexts } from './visit-texts.ts'
import styles from './visits.module.css'

export type VisitStatusProps = { appointment: Pick<Appointment, 'status' | 'payAtSalon'>; withNote?: boolean }

export function VisitStatus({ appointment, withNote = true }: VisitStatusProps) {
  const { t } = useTranslation('labels')
  const { status, payAtSalon } = appointment
  return (
    <span className={styles.status}>
      {withNote && status === 'pending' && payAtSalon && <span className="small strong">{t('payAtSalon')}</span>}
      <StatusChip status={status} label={t(`statuses.${status}`)} />
    </span>
  )
}

const lookAgainMs = minuteMs / 4

/** The server may be away while the browser has its line: no event says when it is back. */
function useLookAgain(isKept: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isKept) return
    const timer = setInterval(() => {
      if (navigator.onLine) void queries.refetchQueries({ type: 'active' })
    }, lookAgainMs)
    return () => clearInterval(timer)
  }, [isKept, queries])
}

/** Without a connection: from when what is shown is, and what has to wait. */
export function AsOf() {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const keptSince = useKeptSince()
  useLookAgain(keptSince !== null)
  if (keptSince === null) return null
  return (
    <Notice tone="warning" icon="offline" className={styles.asOf} announce title={t('offline.title')}>
      {t('offline.asOf', { when: texts.whenInside(keptSince, ownZone()) })}
    </Notice>
  )
}
