// The time left until an instant, as minutes and seconds; it warns once, at two minutes, and says when it ended.
import { useEffect, useRef, useState } from 'react'
import { Petal } from '#/theme/icons/petal.tsx'
import { classNames } from './class-names.ts'
import styles from './countdown.module.css'

export type CountdownProps = {
  /** Milliseconds since the epoch. */
  until: number
  /** Milliseconds to add to this device's clock to get the server's. */
  clockOffset?: number
  /** Read at two minutes: "Two minutes left to confirm". */
  warning: string
  /** Read and shown at the end, such as "The time is up". */
  ended?: string
  onEnd?: () => void
  className?: string | undefined
  /** All the time there was, in milliseconds: a petal empties with what is left of it. */
  wholeMs?: number | undefined
}

const warningSeconds = 120

export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function secondsLeft(until: number, clockOffset: number): number {
  return Math.max(0, Math.ceil((until - Date.now() - clockOffset) / 1000))
}

/** Undefined until the browser has taken over, so that both sides render the same. */
function useSecondsLeft(until: number, clockOffset: number): number | undefined {
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    const tick = () => setLeft(secondsLeft(until, clockOffset))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [until, clockOffset])
  return left
}

/** Full while all of the time is left, empty at its end. */
function EmptyingPetal({ share }: { share: number }) {
  return (
    <span className={styles.petal} aria-hidden="true">
      <Petal height={18} className={styles.empty} />
      <span className={styles.full} style={{ clipPath: `inset(${Math.round((1 - share) * 1000) / 10}% 0 0 0)` }}>
        <Petal height={18} />
      </span>
    </span>
  )
}

export function Countdown(props: CountdownProps) {
  const { until, clockOffset = 0, warning, ended, onEnd, className, wholeMs } = props
  const left = useSecondsLeft(until, clockOffset)
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  }, [onEnd])
  const over = left === 0
  useEffect(() => {
    if (over) end.current?.()
  }, [over])
  const late = left !== undefined && left <= warningSeconds
  return (
    <span className={classNames(styles.countdown, late && styles.late, className)}>
      {wholeMs !== undefined && !over && <EmptyingPetal share={left === undefined ? 1 : Math.min(1, (left * 1000) / wholeMs)} />}
      {over && ended ? (
        <span aria-hidden="true">{ended}</span>
      ) : (
        <bdi role="timer" className={styles.figures}>
          {left === undefined ? '–:––' : formatCountdown(left)}
        </bdi>
      )}
      <span role="status" className="visually-hidden">
        {over ? (ended ?? '') : late ? warning : ''}
      </span>
    </span>
  )
}
