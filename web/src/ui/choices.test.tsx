import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OptionCard } from './option-card.tsx'
import { Segmented, SegmentedLinks } from './segmented.tsx'
import { SlotChip } from './slot-chip.tsx'

function Role() {
  const [role, setRole] = useState<'client' | 'pro'>('client')
  const options = [
    { value: 'client', label: 'Client' },
    { value: 'pro', label: 'Pro' },
  ] as const
  return <Segmented label="I am" options={options} value={role} onChange={setRole} />
}

afterEach(cleanup)

describe('a choice in segments', () => {
  it('is a group of radio buttons that arrow keys move', async () => {
    render(<Role />)
    const client = screen.getByRole<HTMLInputElement>('radio', { name: 'Client' })
    const pro = screen.getByRole<HTMLInputElement>('radio', { name: 'Pro' })
    expect(screen.getByRole('radiogroup', { name: 'I am' }).contains(client)).toBe(true)
    await userEvent.click(client)
    await userEvent.keyboard('{ArrowRight}')
    expect(pro.checked).toBe(true)
    expect(client.checked).toBe(false)
  })

  it('says which of its links is the current one', () => {
    const items = [
      { to: '/?size=10', label: '10', current: true },
      { to: '/?size=20', label: '20' },
    ]
    render(
      <MemoryRouter>
        <SegmentedLinks label="Page size" items={items} />
      </MemoryRouter>,
    )
    expect(screen.getByRole('link', { current: true }).textContent).toBe('10')
  })
})

describe('an option on a card', () => {
  it('is chosen by pressing anywhere on it', async () => {
    const change = vi.fn()
    render(<OptionCard type="checkbox" title="Gel manicure" description="40 min" end="€38" onChange={change} />)
    await userEvent.click(screen.getByText('40 min'))
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
    expect(change).toHaveBeenCalledOnce()
  })
})

describe('a free time', () => {
  it('is a link where it leads somewhere and a button where it does something', async () => {
    const choose = vi.fn()
    render(
      <MemoryRouter>
        <SlotChip time="14:20" day="Today" label="Today at 14:20" to="/salon/atelier-nacre" />
        <SlotChip time="15:00" selected onClick={choose} />
      </MemoryRouter>,
    )
    expect(screen.getByRole('link', { name: 'Today 14:20' }).getAttribute('href')).toBe('/salon/atelier-nacre')
    const chosen = screen.getByRole('button', { name: '15:00', pressed: true })
    await userEvent.click(chosen)
    expect(choose).toHaveBeenCalledOnce()
  })

  it('that is taken keeps its place, is read as taken and cannot be pressed', async () => {
    const choose = vi.fn()
    render(<SlotChip time="17:00" unavailable unavailableLabel="taken" onClick={choose} />)
    const taken = screen.getByRole<HTMLButtonElement>('button')
    expect(taken.textContent).toBe('17:00, taken')
    expect(taken.disabled).toBe(true)
    await userEvent.click(taken)
    expect(choose).not.toHaveBeenCalled()
  })
})
