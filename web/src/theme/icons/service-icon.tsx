// A category, role or payment icon; the petal takes the colour of --petal.
import { serviceIcons, type ServiceIconName } from './service-icons.ts'

const smallPetal = 'M-2.2 3.2C-2.3 .2-.3-2.5 2.4-3.4 2.5-.5.6 2.2-2.2 3.2z'

export type ServiceIconProps = { name: ServiceIconName; size?: number; className?: string | undefined }

export function ServiceIcon({ name, size = 28, className }: ServiceIconProps) {
  const icon = serviceIcons[name]
  const petal = icon.petal
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 40 ? 1.3 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={icon.line} transform={icon.lineTurn ? `rotate(${icon.lineTurn} 16 16)` : undefined} />
      {icon.filled && <path d={icon.filled} fill="var(--petal)" stroke={icon.filledHasEdge ? 'currentColor' : 'none'} />}
      {petal && (
        <path
          d={smallPetal}
          fill="var(--petal)"
          stroke="none"
          transform={`translate(${petal.x} ${petal.y}) rotate(${petal.turn}) scale(${petal.scale})`}
        />
      )}
    </svg>
  )
}
