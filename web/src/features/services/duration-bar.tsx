// How the time of a service runs, drawn to scale.
import { inLine } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { useTimes } from '#/platform/time.ts'
import type { Parts } from './menu.ts'
import styles from './services.module.css'

/** Pixels of a minute; a long service fills the bar all the same. */
const minuteWidth = 1.5
const barWidth = 190

export type BarParts = Parts & { bufferAfterMinutes?: number | undefined }

export function DurationBar({ activeMinutes, idleMinutes = 0, activeAfterMinutes = 0, bufferAfterMinutes = 0 }: BarParts) {
  const { t } = useTranslation('services')
  const times = useTimes()
  const parts = (
    [
      [activeMinutes, 'work'],
      [idleMinutes, 'wait'],
      [activeAfterMinutes, 'work'],
      [bufferAfterMinutes, 'clean'],
    ] as const
  ).filter(([minutes]) => minutes > 0)
  const total = parts.reduce((sum, [minutes]) => sum + minutes, 0)
  const scale = Math.min(minuteWidth, (barWidth - 2 * parts.length) / total)
  const label = inLine(
    parts.map(([minutes, part]) => t(`bar.${part}`, { minutes: times.duration(minutes) })),
    times.locale,
  )
  return (
    <span className={styles.bar} role="img" aria-label={label}>
      {parts.map(([minutes, part], at) => (
        <i key={at} className={styles[part]} style={{ inlineSize: minutes * scale }} />
      ))}
    </span>
  )
}

export function BarLegend() {
  const { t } = useTranslation('services')
  return (
    <ul className={styles.legend}>
      {(['work', 'wait', 'clean'] as const).map((part) => (
        <li key={part}>
          <i className={styles[part]} />
          {t(`legend.${part}`)}
        </li>
      ))}
    </ul>
  )
}
