// The brush-cut petal: the accent of the logo, the current step, the typing sign. At most one in a component.

export const petalPath = 'M-22 32C-23 2-3-25 24-34 25-5 6 22-22 32z'

export type PetalProps = { height?: number; className?: string | undefined }

export function Petal({ height = 16, className }: PetalProps) {
  return (
    <svg
      className={className}
      width={Math.round((height * 2) / 3)}
      height={height}
      viewBox="-24 -36 48 72"
      fill="var(--petal)"
      aria-hidden="true"
    >
      <path d={petalPath} />
    </svg>
  )
}
