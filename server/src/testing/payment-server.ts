/** A house that takes money, over HTTP: it knows its own keys, is as slow as a test wants, and its book says what it took. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaymentProvider } from '#/features/checkout/service.ts'

interface Taken {
  reference: string
  paid: boolean
  amount: number
}

export interface PaymentServer {
  url: string
  /** By key. */
  book: Map<string, Taken>
  /** How often it was asked. */
  asked(): number
  /** From now on it takes the money and answers only once it is let. */
  holdAnswers(): { arrived: Promise<void>; letGo(): void }
  /** From now on it takes nothing. */
  decline(): void
  close(): void
}

export async function startPaymentServer(): Promise<PaymentServer> {
  const book = new Map<string, Taken>()
  let asked = 0
  let isDeclining = false
  let gate: Promise<void> = Promise.resolve()
  let arrive = (): void => {}
  const server = createServer((request, response) => {
    asked++
    const [, key = '', amount = ''] = (request.url ?? '').split('/')
    const known = book.get(key) ?? { reference: `pay_${book.size + 1}`, paid: !isDeclining, amount: Number(amount) }
    book.set(key, known)
    arrive()
    void gate.then(() => response.end(JSON.stringify(known)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    book,
    asked: () => asked,
    holdAnswers() {
      const [arrived, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      arrive = arrived.resolve
      gate = open.promise
      return { arrived: arrived.promise, letGo: open.resolve }
    },
    decline: () => void (isDeclining = true),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const providerAt = (url: string): PaymentProvider => ({
  async take({ amount }, key) {
    const response = await fetch(`${url}/${key}/${amount}`, { method: 'POST' })
    if (!response.ok) throw new Error(`the house said ${response.status}`)
    return (await response.json()) as Taken
  },
})
