// How the hold of the chosen time stands: being made, held with its countdown, over, or refused with times near it.
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { failureText } from '#/platform/api-error.ts'
import { minuteMs } from '@soigne/contract/time'
import { holdMinutes } from '#/contract/limits.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { lazily } from '#/ui/lazily.tsx'
import { Button } from '#/ui/button.tsx'
import { Countdown } from '#/ui/countdown.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import type { HoldKeeper, HoldState } from './use-hold.ts'
import styles from './booking.module.css'

export type HoldNoticeProps = {
  keeper: HoldKeeper
  startsAt: string
  timeZone: string
  /** Free times near the one that was refused, to go on with. */
  renderNearest: (nearest: readonly string[]) => ReactNode
  /** Where a hold is made at once: the notice has its place from the first moment, and nothing moves when it is. */
  isBegun?: boolean
}

/** Seconds before the end from which one extension is offered. */
const extensionSeconds = 120

type Held = Extract<HoldState, { kind: 'held' }>

/** True from two minutes before the end. */
function useIsLate({ hold, clockOffset }: Held): boolean {
  const lateAt = parseInstant(hold.expiresAt) - clockOffset - extensionSeconds * 1000
  const [seen, setSeen] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setSeen(lateAt), Math.max(0, lateAt - Date.now()))
    return () => clearTimeout(timer)
  }, [lateAt])
  return seen === lateAt
}

function HeldNotice({ state, keeper, timeZone }: HoldNoticeProps & { state: Held }) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const isLate = useIsLate(state)
  const [isExtending, setIsExtending] = useState(false)
  async function extend() {
    setIsExtending(true)
    try {
      await keeper.extend()
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setIsExtending(false)
    }
  }
  return (
    <Notice
      tone={isLate ? 'warning' : 'kind'}
      icon="clock"
      title={t('hold.held', { time: times.time(state.hold.startsAt, timeZone) })}
      action={
        isLate && !state.hold.extended ? (
          <Button variant="outline" size="small" loading={isExtending} onClick={() => void extend()}>
            {t('hold.extend')}
          </Button>
        ) : undefined
      }
    >
      {t('hold.left')}{' '}
      <Countdown
        until={parseInstant(state.hold.expiresAt)}
        clockOffset={state.clockOffset}
        wholeMs={holdMinutes * minuteMs}
        warning={t(state.hold.extended ? 'hold.lastMinutes' : 'hold.warning')}
        ended={t('hold.over')}
        onEnd={keeper.markExpired}
      />
    </Notice>
  )
}

/** For those who lost a time. */
const RefusedNotice = lazily(async () => (await import('./refused-notice.tsx')).RefusedNotice)

/** No answer came. That booking needs a connection is said where there is none, and with the next one the time is held. */
function FailedNotice({ error, onRetry, action }: { error: unknown; onRetry: () => void; action: ReactNode }) {
  const { t } = useTranslation('booking')
  const [isOffline] = useState(() => !navigator.onLine)
  useEffect(() => {
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <Notice tone={isOffline ? 'warning' : 'error'} announce title={t(isOffline ? 'hold.offline' : 'hold.failed')} action={action}>
      {isOffline && `${t('hold.offlineHint')} `}
      <bdi>{failureText(error)}</bdi>
    </Notice>
  )
}

/** What is said for a moment, in the room of what is said next: nothing below moves when it comes. */
function Reserving({ next, children }: { next: string; children: string }) {
  return (
    <span className={styles.reserving} data-next={next}>
      <span>{children}</span>
    </span>
  )
}

export function HoldNotice(props: HoldNoticeProps) {
  const { keeper, startsAt, timeZone, isBegun = false } = props
  const { t } = useTranslation('booking')
  const times = useTimes()
  const { state } = keeper
  const time = times.time(startsAt, timeZone)
  const again = (
    <Button variant="outline" size="small" onClick={keeper.retry}>
      {t('hold.again', { time })}
    </Button>
  )
  switch (state.kind) {
    case 'none':
    case 'making':
      if (state.kind === 'none' && !isBegun) return null
      return (
        <Notice tone="kind" icon="clock" title={<Reserving next={t('hold.held', { time })}>{t('hold.making', { time })}</Reserving>}>
          <Reserving next={`${t('hold.left')} ${holdMinutes}:00`}>{t('hold.moment')}</Reserving>
        </Notice>
      )
    case 'held':
      return <HeldNotice {...props} state={state} />
    case 'expired':
      return (
        <Notice tone="warning" announce title={t('hold.over')} action={again}>
          {t('hold.overHint', { time })}
        </Notice>
      )
    case 'refused':
      return (
        <Suspense>
          <RefusedNotice {...props} error={state.error} nearest={state.nearest} />
        </Suspense>
      )
    case 'failed':
      return <FailedNotice error={state.error} onRetry={keeper.retry} action={again} />
  }
}
