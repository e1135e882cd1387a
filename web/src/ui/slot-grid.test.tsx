import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { SlotGrid } from './slot-grid.tsx'

const groups = [
  {
    label: 'Afternoon',
    slots: [
      { value: 'a', time: '14:00', taken: true },
      { value: 'b', time: '14:20' },
      { value: 'c', time: '14:40', taken: true },
      { value: 'd', time: '15:00' },
    ],
  },
  { label: 'Evening', slots: [{ value: 'e', time: '18:00' }] },
  { label: 'Morning', slots: [] },
]

function Day() {
  const [value, setValue] = useState<string>()
  return <SlotGrid label="Thursday" groups={groups} value={value} onChange={setValue} takenLabel="taken" />
}

const radio = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })

afterEach(cleanup)

describe('the times of a day', () => {
  it('are one radio group with its parts of day, empty parts left out', () => {
    render(<Day />)
    expect(screen.getByRole('radiogroup', { name: 'Thursday' })).toBeTruthy()
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual(['Afternoon', 'Evening'])
  })

  it('keep taken ones in their place, say so, and cannot choose them', async () => {
    render(<Day />)
    const taken = radio(/^14:00 ?, taken$/)
    expect(taken.disabled).toBe(true)
    await userEvent.click(taken)
    expect(taken.checked).toBe(false)
  })

  it('are chosen by click and by arrow keys, past taken ones and across parts of day', async () => {
    render(<Day />)
    await userEvent.click(radio('14:20'))
    expect(radio('14:20').checked).toBe(true)
    await userEvent.keyboard('{ArrowDown}')
    expect(radio('15:00').checked).toBe(true)
    await userEvent.keyboard('{ArrowDown}')
    expect(radio('18:00').checked).toBe(true)
  })
})
