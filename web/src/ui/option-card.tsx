// A radio button or checkbox drawn as a card: a service, a team member, a way to pay, a role.
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import control from './checkbox.module.css'
import styles from './option-card.module.css'

export type OptionCardProps = Omit<ComponentProps<'input'>, 'type' | 'title'> & {
  type: 'radio' | 'checkbox'
  title: ReactNode
  description?: ReactNode
  /** A face or an icon before the text. */
  start?: ReactNode
  /** A price or duration after it. */
  end?: ReactNode
  /** row: the control first; stack: picture on top, control in the corner. */
  layout?: 'row' | 'stack'
}

export function OptionCard(props: OptionCardProps) {
  const { type, title, description, start, end, layout = 'row', className, ...input } = props
  return (
    <label className={classNames(styles.card, styles[layout], Boolean(description) && styles.described, className)}>
      <span className={classNames(control.place, styles.control)}>
        <input type={type} {...input} className={control.box} />
        {type === 'checkbox' && <Icon name="check" size={15} className={control.tick} />}
      </span>
      {start && <span className={styles.start}>{start}</span>}
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {description && <span className={styles.description}>{description}</span>}
      </span>
      {end && <span className={styles.end}>{end}</span>}
    </label>
  )
}
