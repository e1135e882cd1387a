import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Combobox } from './combobox.tsx'

const cities = ['Lyon', 'Lille', 'Limoges', 'Nantes']

function City() {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const items = cities.filter((city) => city.toLowerCase().startsWith(text.toLowerCase()))
  return (
    <>
      <Combobox
        label="City"
        items={items}
        itemKey={(city) => city}
        itemText={(city) => city}
        value={text}
        onValueChange={setText}
        onSelect={(city) => {
          setChosen(city)
          setText(city)
        }}
        statusText={(count) => `${count} suggestions`}
        emptyText="No such city"
        clearLabel="Clear"
      />
      <output data-testid="chosen">{chosen}</output>
    </>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'City' })
const status = () => screen.getAllByRole('status')[0]?.textContent

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('a field with suggestions', () => {
  it('suggests while one types and says how many', async () => {
    render(<City />)
    await userEvent.type(field(), 'Li')
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Lille', 'Limoges'])
    expect(status()).toBe('2 suggestions')
  })

  it('takes a suggestion by arrow keys and Enter', async () => {
    render(<City />)
    await userEvent.type(field(), 'Li{ArrowDown}{ArrowDown}{Enter}')
    expect(screen.getByTestId('chosen').textContent).toBe('Limoges')
    expect(field().value).toBe('Limoges')
  })

  it('takes a suggestion by click', async () => {
    render(<City />)
    await userEvent.type(field(), 'Na')
    await userEvent.click(screen.getByRole('option', { name: 'Nantes' }))
    expect(field().value).toBe('Nantes')
  })

  it('keeps free text and chooses nothing when left', async () => {
    render(<City />)
    await userEvent.type(field(), 'Li{ArrowDown}')
    await userEvent.tab()
    expect(field().value).toBe('Li')
    expect(screen.getByTestId('chosen').textContent).toBe('')
  })

  it('says when nothing fits and can be cleared', async () => {
    render(<City />)
    await userEvent.type(field(), 'Xy')
    expect(screen.getByText('No such city')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(field().value).toBe('')
  })

  it('stays under a tap beside it until that has arrived, and goes with one that never does', async () => {
    render(
      <>
        <City />
        <button type="button">Send</button>
      </>,
    )
    const send = screen.getByRole('button', { name: 'Send' })
    const touch = () => [fireEvent.pointerDown, fireEvent.touchStart, fireEvent.pointerUp, fireEvent.touchEnd].forEach((fire) => fire(send))
    await userEvent.type(field(), 'Li')
    touch()
    expect(screen.getAllByRole('option')).toHaveLength(2)
    fireEvent.click(send)
    expect(screen.queryByRole('option')).toBeNull()
    await userEvent.type(field(), 'l')
    vi.useFakeTimers()
    touch()
    expect(screen.getAllByRole('option')).toHaveLength(1)
    act(() => void vi.runAllTimers())
    expect(screen.queryByRole('option')).toBeNull()
  })
})
