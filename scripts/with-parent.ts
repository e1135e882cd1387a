/** npm puts a shell between itself and a command; a signal to npm ends the shell alone. Who runs under one ends when it has gone. */

/** How soon it is noticed. */
const lookMs = 200

/** Calls back once the process that started this one is no more. */
export function whenParentEnds(then: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    then()
  }, lookMs)
  timer.unref()
}
