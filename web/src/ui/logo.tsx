// The name with its petal for an accent. The name itself comes in, so that it lives in one constant.
import { petalPath } from '#/theme/icons/petal.tsx'
import { classNames } from './class-names.ts'
import styles from './logo.module.css'

export type LogoProps = {
  /** Ends in é: "Soigné". The accent is drawn. */
  name: string
  size?: number
  /** The first letter only, for a narrow rail. */
  short?: boolean
  className?: string | undefined
}

export function Logo({ name, size = 30, short = false, className }: LogoProps) {
  const stem = short ? '' : name.slice(0, -1)
  return (
    <span
      className={classNames(styles.logo, short && styles.short, className)}
      style={{ fontSize: size }}
      dir="ltr"
      role="img"
      aria-label={name}
    >
      <span aria-hidden="true">
        {stem}
        <span className={styles.accented}>
          {short ? name.slice(0, 1) : 'e'}
          <svg className={styles.petal} viewBox="-24 -36 48 72">
            <path d={petalPath} />
          </svg>
        </span>
      </span>
    </span>
  )
}
