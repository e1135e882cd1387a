/** A process for the tests of the pool that does whatever it is told, good or bad. */
process.on('disconnect', () => process.exit())
process.on('message', (/** @type {{ do: 'echo' | 'loop' | 'die' | 'eat', value?: unknown }} */ order) => {
  if (order.do === 'die') process.exit(1)
  if (order.do === 'loop') for (;;);
  if (order.do === 'eat') {
    // Eight hundred megabytes outside of JavaScript's heap, as a library's picture would be.
    const eaten = Array.from({ length: 25 }, () => Buffer.alloc(32_000_000, 1))
    process.send?.({ pid: process.pid, value: eaten.length })
    return
  }
  process.send?.({ pid: process.pid, value: order.value, secrets: Object.keys(process.env) })
})
