import { expect, it } from 'vitest'
import { clockRules } from './clock-rules.ts'

const november = Date.parse('2026-11-20T15:00:00Z')

it('zones that change together share a line', () => {
  const rules = clockRules(['Europe/Paris', 'Africa/Tunis', 'Europe/Berlin'], november).split('\n')
  expect(rules.map((line) => line.replace(/ -?\d.*/, ''))).toEqual(['Europe/Paris Europe/Berlin', 'Africa/Tunis'])
})

it('a line ends with the offset before the first change, then each change and the offset from it on', () => {
  expect(clockRules(['Africa/Tunis'], november)).toBe('Africa/Tunis 60')
  const offsets = clockRules(['Europe/Paris'], november).split(' ').slice(1).map(Number)
  const at = (iso: string) => Date.parse(iso) / 60_000
  expect(offsets.slice(offsets.indexOf(at('2026-10-25T01:00:00Z')))).toEqual([
    at('2026-10-25T01:00:00Z'),
    60,
    at('2027-03-28T01:00:00Z'),
    120,
    at('2027-10-31T01:00:00Z'),
    60,
  ])
})

it('no zone in use is no rule', () => {
  expect(clockRules([], november)).toBe('')
})
