/** One measured figure, printed as a JSON line. */

export interface Figure {
  name: string
  value: number
  unit: string
  /** Goal; `value` should not exceed it (or not fall below it when `atLeast`). */
  limit?: number
  atLeast?: boolean
  /** Against something measured in the same run. */
  ratio?: number
}

/** What the command line may ask of a run; a run takes what it knows. */
export interface Options {
  /** Numbers of institutes; 0 is the demo. */
  sizes?: number[]
  /** How many requests, for runs that count them. */
  requests?: number
  /** Whether what is drawn is kept in bench/results too. */
  keep?: boolean
}

export const figuresOf = (...groups: readonly (readonly Figure[])[]): Figure[] => groups.flat()

/** Sorted copy's value at a share of the way, 0…1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const printFigure = (figure: Figure): void => {
  process.stdout.write(
    `${JSON.stringify({ ...figure, value: Math.round(figure.value * 1000) / 1000, ...(figure.ratio !== undefined && { ratio: Math.round(figure.ratio * 100) / 100 }) })}\n`,
  )
}

/** Whether a figure meets its goal; true without one. */
export const meets = (figure: Figure): boolean =>
  figure.limit === undefined || (figure.atLeast ? figure.value >= figure.limit : figure.value <= figure.limit)
