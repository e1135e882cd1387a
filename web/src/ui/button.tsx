// Button and ButtonLink. One solid button in a view; everything else is soft, outlined or text.
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './button.module.css'

export type ButtonLook = {
  variant?: 'solid' | 'soft' | 'outline' | 'text' | 'danger' | 'ink' | undefined
  size?: 'small' | 'medium' | 'large' | undefined
  /** As wide as its place. */
  wide?: boolean | undefined
  icon?: IconName | undefined
  iconEnd?: IconName | undefined
}

export function buttonClass({ variant = 'solid', size = 'medium', wide }: ButtonLook, className?: string | undefined) {
  return classNames(styles.button, styles[variant], styles[size], wide && styles.wide, className)
}

function ButtonContent({ icon, iconEnd, size, children }: ButtonLook & { children: ReactNode }) {
  const iconSize = size === 'small' ? 18 : 20
  return (
    <>
      {icon && <Icon name={icon} size={iconSize} />}
      {children}
      {iconEnd && <Icon name={iconEnd} size={iconSize} />}
    </>
  )
}

export type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    /** Work is under way: the button keeps its width and focus, turns a ring and does nothing. */
    loading?: boolean
  }

export function Button(props: ButtonProps) {
  const { variant, size, wide, icon, iconEnd, loading = false, className, children, onClick, ...rest } = props
  const look: ButtonLook = { variant, size, wide, icon, iconEnd }
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (loading) {
      event.preventDefault()
      return
    }
    onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, classNames(loading && styles.loading, className))}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest['aria-disabled']}
      onClick={click}
    >
      <span className={styles.content}>
        <ButtonContent {...look}>{children}</ButtonContent>
      </span>
      {loading && (
        <span className={styles.ring}>
          <Icon name="loading" size={20} />
        </span>
      )}
    </button>
  )
}

export type ButtonLinkProps = LinkProps & ButtonLook

export function ButtonLink(props: ButtonLinkProps) {
  const { variant, size, wide, icon, iconEnd, className, children, ...rest } = props
  const look: ButtonLook = { variant, size, wide, icon, iconEnd }
  return (
    <Link {...rest} className={buttonClass(look, className)}>
      <ButtonContent {...look}>{children}</ButtonContent>
    </Link>
  )
}
