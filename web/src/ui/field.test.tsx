import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { PasswordField } from './password-field.tsx'

const described = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

afterEach(cleanup)

describe('a field', () => {
  it('passes its attributes on and is described by hint and error', () => {
    render(<Field label="Email" name="email" type="email" autoComplete="email" hint="For your times." error="Add an @." />)
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
    expect(input.name).toBe('email')
    expect(input.autocomplete).toBe('email')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(described(input)).toBe('For your times. Add an @.')
  })

  it('keeps what was typed when an error appears', async () => {
    const { rerender } = render(<Field label="Email" />)
    await userEvent.type(screen.getByRole('textbox'), 'camille')
    rerender(<Field label="Email" error="Add an @." />)
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('camille')
  })
})

describe('a password', () => {
  it('can be shown and hidden without losing it', async () => {
    render(<PasswordField label="Password" showLabel="Show" hideLabel="Hide" />)
    const input = screen.getByLabelText<HTMLInputElement>('Password')
    await userEvent.type(input, 'quiet hour')
    expect(input.type).toBe('password')
    await userEvent.click(screen.getByRole('button', { name: 'Show' }))
    expect(input.type).toBe('text')
    expect(input.value).toBe('quiet hour')
    await userEvent.click(screen.getByRole('button', { name: 'Hide' }))
    expect(input.type).toBe('password')
  })
})

describe('a button at work', () => {
  it('keeps its focus, says it is busy and does nothing', async () => {
    const press = vi.fn()
    const { rerender } = render(<Button onClick={press}>Book 16:40</Button>)
    await userEvent.click(screen.getByRole('button'))
    rerender(
      <Button onClick={press} loading>
        Book 16:40
      </Button>,
    )
    await userEvent.click(screen.getByRole('button'))
    expect(press).toHaveBeenCalledOnce()
    expect(screen.getByRole('button').getAttribute('aria-busy')).toBe('true')
    expect(document.activeElement).toBe(screen.getByRole('button'))
  })

  it('does not send its form a second time', async () => {
    const send = vi.fn((event: SubmitEvent) => event.preventDefault())
    render(
      <form onSubmit={(event) => send(event.nativeEvent as SubmitEvent)}>
        <Button type="submit" loading>
          Pay
        </Button>
      </form>,
    )
    await userEvent.click(screen.getByRole('button'))
    expect(send).not.toHaveBeenCalled()
  })
})
