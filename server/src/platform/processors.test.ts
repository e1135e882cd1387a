import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openProcessors } from './processors.ts'

/** Work that ends when it is told to; what began, in order. */
function bench(atOnce: number) {
  const onProcessor = openProcessors(atOnce)
  const began: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const start = (name: string): Promise<void> => {
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    return onProcessor(async () => {
      began.push(name)
      await end.promise
    })
  }
  return { began, start, end: (name: string) => ends.get(name)?.resolve(), fail: (name: string) => ends.get(name)?.reject(new Error(name)) }
}

it('no more is done at once than there are processors, whatever its kind', async () => {
  const { began, start, end } = bench(2)
  const all = [start('search'), start('hash'), start('search 2'), start('drawing')]
  await setImmediate()
  expect(began).toEqual(['search', 'hash'])
  end('hash')
  await all[1]
  await setImmediate()
  expect(began).toEqual(['search', 'hash', 'search 2'])
  for (const name of ['search', 'search 2', 'drawing']) end(name)
  await Promise.all(all)
})

it('kinds take turns, first come, first served', async () => {
  const { began, start, end } = bench(1)
  const order = ['search', 'drawing', 'hash', 'search 2']
  const all = order.map((name) => start(name))
  for (const name of order) {
    await setImmediate()
    end(name)
  }
  await Promise.all(all)
  expect(began).toEqual(order)
})

it('work that fails gives its processor back', async () => {
  const { began, start, end, fail } = bench(1)
  const failing = start('search')
  const next = start('hash')
  fail('search')
  await expect(failing).rejects.toThrow('search')
  end('hash')
  await next
  const last = start('last')
  end('last')
  await last
  expect(began).toEqual(['search', 'hash', 'last'])
})
