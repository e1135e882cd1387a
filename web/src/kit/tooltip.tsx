// A word about a control, for pointers and keyboards. Never the only place something is said: fingers do not see it.
import type { ComponentProps } from 'react'
import { Focusable, Tooltip as Floating, TooltipTrigger } from 'react-aria-components'
import { classNames } from './class-names.ts'
import styles from './tooltip.module.css'

export type TooltipProps = {
  text: string
  /** One element that takes focus. */
  children: ComponentProps<typeof Focusable>['children']
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500}>
      <Focusable>{children}</Focusable>
      <Floating className={classNames(styles.tooltip)} offset={8}>
        {text}
      </Floating>
    </TooltipTrigger>
  )
}
