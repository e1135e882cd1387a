/** Work that costs less together: whoever comes while as much of it as may be is under way goes with the next batch. Nobody waits for company. */
import { setImmediate as immediately } from 'node:timers/promises'

export interface TogetherOptions {
  /** Batches under way. */
  atOnce: number
  /** Of one batch. */
  most: number
}

/**
 * A batch begins after each of its items was given, so nobody gets an answer older than their question. One that fails is done again one by one, so that
 * nobody fails for another: the work has to bear being done twice.
 * @param work gives an answer for each item, in their order
 */
export function together<In, Out>(
  work: (items: readonly In[]) => Promise<readonly Out[]>,
  { atOnce, most }: TogetherOptions,
): (item: In) => Promise<Out> {
  type Waiting = { item: In; resolve(answer: Out): void; reject(error: unknown): void }
  const waiting: Waiting[] = []
  let running = 0
  /** Gives what tells everybody in the batch. */
  const begin = async (batch: readonly Waiting[]): Promise<() => Promise<void>> => {
    try {
      const answers = await work(batch.map(({ item }) => item))
      if (answers.length !== batch.length) throw new Error('a batch was not answered item by item')
      return async () => {
        for (const [n, { resolve }] of batch.entries()) resolve(answers[n] as Out)
      }
    } catch (error) {
      const [only, ...others] = batch
      if (others.length === 0) return async () => only?.reject(error)
      return async () => void (await Promise.all(batch.map(async (one) => (await begin([one]))())))
    }
  }
  const serve = async (): Promise<void> => {
    running++
    while (waiting.length > 0) {
      let tell = await begin(waiting.splice(0, most))
      while (waiting.length > 0) {
        const next = begin(waiting.splice(0, most))
        // Who hears an answer has much to do with it: what waits is on its way before.
        await immediately()
        await tell()
        tell = await next
      }
      await tell()
    }
    running--
  }
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Out>()
    waiting.push({ item, resolve, reject })
    if (running < atOnce) void serve()
    return promise
  }
}

/** The same for each database: what goes to one goes together. */
export function togetherAt<Db extends object, In, Out>(
  work: (db: Db, items: readonly In[]) => Promise<readonly Out[]>,
  options: TogetherOptions,
): (db: Db, item: In) => Promise<Out> {
  const asked = new WeakMap<Db, (item: In) => Promise<Out>>()
  return (db, item) => {
    const known = asked.get(db) ?? together((items: readonly In[]) => work(db, items), options)
    asked.set(db, known)
    return known(item)
  }
}
