/**
 * Work of many who ask at the same moment is sent to the database as one: whoever asks while a batch is under way goes with the next. A batch never waits for
 * a lock; who would have to is done alone, beside it, and so is everybody of a batch that has failed: one who cannot be served spoils nothing for others.
 */
import { sqlState } from './database.ts'

interface Ways<Asked, Answer> {
  /** One answer for each, in order; null for who has to be done alone. All in one transaction. */
  together(asked: readonly Asked[]): Promise<(Answer | null)[]>
  alone(asked: Asked): Promise<Answer>
  /** In a batch. */
  most: number
}
interface Waiting<Asked, Answer> {
  asked: Asked
  resolve(answer: Answer | Promise<Answer>): void
  reject(error: unknown): void
}

/** The database has refused the batch and kept nothing of it; of any other failure nobody knows what became of it. */
const wasRefused = (error: unknown): boolean => /^(?:0A|22|23|40|55|P0)/.test(sqlState(error) ?? '')

export function sendTogether<Asked, Answer>({ together, alone, most }: Ways<Asked, Answer>): (asked: Asked) => Promise<Answer> {
  const line: Waiting<Asked, Answer>[] = []
  let isServing = false
  const serveBatch = async (batch: readonly Waiting<Asked, Answer>[]): Promise<void> => {
    try {
      const answers = await together(batch.map(({ asked }) => asked))
      for (const [n, { asked, resolve }] of batch.entries()) resolve(answers[n] ?? alone(asked))
    } catch (error) {
      for (const { asked, resolve, reject } of batch)
        if (wasRefused(error)) resolve(alone(asked))
        else reject(error)
    }
  }
  const serve = async (): Promise<void> => {
    isServing = true
    while (line.length > 0) await serveBatch(line.splice(0, most))
    isServing = false
  }
  return (asked) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    line.push({ asked, resolve, reject })
    if (!isServing) void serve()
    return promise
  }
}
