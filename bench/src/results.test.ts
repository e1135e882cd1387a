import { expect, test } from 'vitest'
import type { Figure } from './figure.ts'
import { inOrder, tableOf } from './results.ts'

const run = (day: string, commit: string, ...figures: Figure[]) => ({ day, commit, machine: {}, figures })
const bookings = (value: number): Figure => ({ name: 'bookings.http', value, unit: 'bookings/s' })

test('of two runs of one day the one of the later commit is the newer, whatever the commits are called', () => {
  const kept = [run('2026-11-22', 'da7b592'), run('2026-11-21', '80e8322', bookings(94.6)), run('2026-11-21', 'ca8e49d', bookings(57.7))]
  const times: Record<string, number> = { ca8e49d: 1000, '80e8322': 2000, da7b592: 3000 }
  const ordered = inOrder(kept, (commit) => times[commit] ?? 0)
  expect(ordered.map(({ commit }) => commit)).toEqual(['ca8e49d', '80e8322', 'da7b592'])
  expect(tableOf(ordered)).toContain('| bookings.http | 94.6 bookings/s |  |  | 2026-11-21 80e8322 |')
})

test('the table says which goals are missed', () => {
  const table = tableOf([
    run('2026-11-22', 'da7b592', { name: 'month.p95', value: 9, unit: 'ms', limit: 60 }, { ...bookings(400), limit: 500, atLeast: true }),
  ])
  expect(table).toContain('| month.p95 | 9 ms | at most 60 | met |')
  expect(table).toContain('| bookings.http | 400 bookings/s | at least 500 | **missed** |')
})
