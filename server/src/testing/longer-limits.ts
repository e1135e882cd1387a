/** Limits of time that are themselves what a test is about, on a machine that may be busy or stand still for a while. */

/**
 * Runs a course with a short limit, and where that goes wrong with a longer one: what is a fault of the product goes wrong with all of them, what was one of the
 * machine does not. Each time the course begins anew.
 */
export async function withLongerLimits(
  limitsMs: readonly [number, ...number[]],
  course: (limitMs: number) => Promise<void>,
): Promise<void> {
  for (const [at, limitMs] of limitsMs.entries())
    try {
      return await course(limitMs)
    } catch (error) {
      if (at === limitsMs.length - 1) throw error
    }
}

const tickMs = 100

export interface GivenTime {
  /** Milliseconds that this process was given since: those in which it was stopped, or did not get its turn, are not among them. */
  ms(): number
  end(): void
}
export function measureGivenTime(): GivenTime {
  let ticks = 0
  const timer = setInterval(() => ticks++, tickMs)
  return { ms: () => ticks * tickMs, end: () => clearInterval(timer) }
}
