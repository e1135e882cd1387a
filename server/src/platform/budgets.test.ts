import { expect, test } from 'vitest'
import { openBudgets } from './budgets.ts'
import { RefusalError } from './refuse.ts'

let now = 0
const evenly = (perMinute: number) => ({ most: perMinute, perMinute })
const table = {
  network: { reading: evenly(2400), search: evenly(240), picture: evenly(120), upload: { most: 20, perMinute: 10 } },
  person: { search: evenly(120) },
}
const opened = (share = 1) => openBudgets(table, share, () => now)
/** How many of one kind go through before one is refused, and how long it is told to wait. */
function spent(take: () => void, most = 10_000): { count: number; retryAfter: number | undefined } {
  for (let count = 0; count < most; count++)
    try {
      take()
    } catch (error) {
      if (error instanceof RefusalError && error.code === 'too_many_requests') return { count, retryAfter: error.retryAfter }
      throw error
    }
  return { count: most, retryAfter: undefined }
}

test('what a network spends on searches and pictures takes nothing from reading, and what has no budget costs nothing', () => {
  const budgets = opened()
  for (const cost of ['search', 'picture', 'upload'] as const)
    expect([cost, spent(() => budgets.take('network', cost, 'a')).retryAfter]).toEqual([cost, expect.any(Number)])
  for (const cost of ['reading', 'nothing'] as const)
    expect([cost, spent(() => budgets.take('network', cost, 'a'), 300).count]).toEqual([cost, 300])
})

test('another network has purses of its own', () => {
  const budgets = opened()
  spent(() => budgets.take('network', 'search', 'a'))
  expect(() => budgets.take('network', 'search', 'a')).toThrow()
  expect(() => budgets.take('network', 'search', 'b')).not.toThrow()
  expect(() => budgets.take('person', 'search', 'a')).not.toThrow()
})

test('who is refused and waits as long as told goes through', () => {
  const budgets = opened()
  const { count, retryAfter = 0 } = spent(() => budgets.take('network', 'search', 'a', 4))
  expect([count, retryAfter]).toEqual([60, 1])
  now += retryAfter * 1000
  expect(spent(() => budgets.take('network', 'search', 'a', 4)).count).toBe(1)
  now += 3_600_000
  expect(spent(() => budgets.take('network', 'search', 'a')).count).toBe(240)
})

test('a refusal spends nothing', () => {
  const budgets = opened()
  spent(() => budgets.take('network', 'upload', 'a'))
  for (let n = 0; n < 1000; n++) expect(() => budgets.take('network', 'upload', 'a')).toThrow()
  now += 6000
  expect(() => budgets.take('network', 'upload', 'a')).not.toThrow()
})

test('budgets may be made larger or left out', () => {
  expect(spent(() => double.take('network', 'search', 'a')).count).toBe(480)
  const none = opened(Number.POSITIVE_INFINITY)
  expect(spent(() => none.take('network', 'search', 'a')).count).toBe(10_000)
})
const double = opened(2)

test('what somebody asks for costs less than a twentieth of a millisecond to count', () => {
  const budgets = openBudgets(table, 1000)
  // Of its processor: a machine that has none to give says nothing about it.
  const began = process.threadCpuUsage()
  for (let n = 0; n < 50_000; n++) budgets.take('network', 'reading', `network ${n % 5000}`)
  const { user, system } = process.threadCpuUsage(began)
  expect((user + system) / 1000 / 50_000).toBeLessThan(0.05)
})
