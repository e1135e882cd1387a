// An interface icon, decorative by default: name the control, not the drawing.
import { directionalIcons, dottedIcons, filledIcons, interfaceIcons, type IconName } from './interface-icons.ts'

export type IconProps = { name: IconName; size?: number; className?: string | undefined }

export function Icon({ name, size = 20, className }: IconProps) {
  const classes = [className, directionalIcons.has(name) && 'mirrors'].filter(Boolean).join(' ')
  return (
    <svg
      className={classes || undefined}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filledIcons.has(name) ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={dottedIcons.has(name) ? 2.6 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={interfaceIcons[name]} />
    </svg>
  )
}
