// A square control with an icon only. Its label is what it does, read aloud and shown as a tooltip.
import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './icon-button.module.css'

export type IconButtonLook = {
  icon: IconName
  label: string
  /** disc lies on a picture, outline stands among others, plain in a bar. */
  variant?: 'plain' | 'outline' | 'disc' | 'solid'
  iconSize?: number | undefined
  /** A clay dot: something new. Say so in the label too. */
  dot?: boolean | undefined
}

function IconButtonContent({ icon, iconSize = 20, dot }: Pick<IconButtonLook, 'icon' | 'iconSize' | 'dot'>) {
  return (
    <>
      <Icon name={icon} size={iconSize} />
      {dot && <span className={styles.dot} />}
    </>
  )
}

export type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  IconButtonLook & { /** On or off, for a button that keeps a state. */ pressed?: boolean; children?: ReactNode }

export function IconButton(props: IconButtonProps) {
  const { icon, label, variant = 'plain', iconSize, dot, pressed, className, children, ...rest } = props
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      className={classNames(styles.button, styles[variant], pressed && styles.pressed, className)}
    >
      <IconButtonContent icon={icon} iconSize={iconSize} dot={dot} />
      {children}
    </button>
  )
}

export type IconLinkProps = Omit<LinkProps, 'children'> & IconButtonLook

export function IconLink({ icon, label, variant = 'plain', iconSize, dot, className, ...rest }: IconLinkProps) {
  return (
    <Link title={label} {...rest} aria-label={label} className={classNames(styles.button, styles[variant], className)}>
      <IconButtonContent icon={icon} iconSize={iconSize} dot={dot} />
    </Link>
  )
}
