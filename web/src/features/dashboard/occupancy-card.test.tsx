import type { Dashboard } from '@soigne/contract/dashboard'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { cellsOf, OccupancyCard, percentOf } from './occupancy-card.tsx'
import { changeInPercent } from './revenue-card.tsx'

afterEach(cleanup)

const shift = { startsAt: '2026-12-05T08:00:00Z', endsAt: '2026-12-05T10:00:00Z' }
const member = (name: string, busyMinutes: number, shiftMinutes: number): Dashboard['occupancy']['members'][number] => ({
  _id: name,
  name,
  imageUrl: '',
  shifts: shiftMinutes === 0 ? [] : [shift],
  busy: [],
  shiftMinutes,
  busyMinutes,
})
const saturday: Pick<Dashboard, 'occupancy' | 'timeZone'> = {
  timeZone: 'Europe/Paris',
  occupancy: {
    busyMinutes: 320,
    shiftMinutes: 980,
    members: [member('Nora', 120, 500), member('Karim', 200, 480), member('Lucie', 0, 0)],
  },
}

it('says of a Saturday how full each was, and the salon; the lane of who is away is hatched from end to end', async () => {
  renderPart(<OccupancyCard data={saturday as Dashboard} />)
  const card = await screen.findByRole('region', { name: 'Occupancy' })
  expect(card.textContent).toContain('33%')
  expect(
    within(card)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringMatching(/Nora24%$/), expect.stringMatching(/Karim42%$/), expect.stringMatching(/Lucie.*off$/)])
  const cells = within(card).getByRole('row', { name: /Lucie/ }).querySelectorAll('[data-state]')
  expect([...cells].map((cell) => cell.getAttribute('data-state'))).toEqual(Array(6).fill('off'))
})

it('percent are whole, and none where there is nothing to compare with', () => {
  expect([changeInPercent(112, 100), changeInPercent(50, 100), changeInPercent(10, 0)]).toEqual([12, -50, null])
  expect(percentOf({ busyMinutes: 120, shiftMinutes: 500 })).toBe(24)
  expect(percentOf({ busyMinutes: 0, shiftMinutes: 0 })).toBe(0)
  expect(cellsOf([member('Nora', 0, 120)])).toHaveLength(6)
  expect(cellsOf([])).toEqual([])
})
