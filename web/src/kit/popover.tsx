// What opens over the page beside its button: a few controls or a short text.
import type { ReactNode } from 'react'
import { Button, Dialog, DialogTrigger, Popover as Floating } from 'react-aria-components'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './popover.module.css'

/** How a button that opens something looks: a word, a drawing with a name, or both. */
export type OpenerProps = { label: string; icon?: IconName; /** Only the drawing is shown. */ labelHidden?: boolean }

export function Opener({ label, icon, labelHidden = false }: OpenerProps) {
  return (
    <Button className={classNames(styles.opener, labelHidden && styles.bare)} {...(labelHidden && { 'aria-label': label })}>
      {icon && <Icon name={icon} size={20} />}
      {!labelHidden && label}
      {!labelHidden && <Icon name="chevron-down" size={16} />}
    </Button>
  )
}

export type PopoverProps = OpenerProps & {
  /** Given a way to close it. */
  children: (close: () => void) => ReactNode
}

export function Popover({ children, ...opener }: PopoverProps) {
  return (
    <DialogTrigger>
      <Opener {...opener} />
      <Floating className={classNames(styles.popover)} placement="bottom start" offset={8}>
        <Dialog className={classNames(styles.dialog)} aria-label={opener.label}>
          {({ close }) => children(close)}
        </Dialog>
      </Floating>
    </DialogTrigger>
  )
}
