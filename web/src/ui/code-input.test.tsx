import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { CodeInput, cleanCode, isFullCode } from './code-input.tsx'

function Form({ error }: { error?: string }) {
  const [code, setCode] = useState('')
  return (
    <>
      <CodeInput label="Code" value={code} onChange={setCode} error={error} />
      <button type="button" disabled={!isFullCode(code)}>
        Confirm
      </button>
    </>
  )
}

const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Code' })
const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm' })

afterEach(cleanup)

describe('the confirmation code', () => {
  it('[V-01] takes digits only and at most six', async () => {
    render(<Form />)
    await userEvent.type(input(), '4a8-2 9x13 77')
    expect(input().value).toBe('482913')
  })

  it('[V-01] enables Confirm at exactly six digits', async () => {
    render(<Form />)
    await userEvent.type(input(), '48291')
    expect(confirm().disabled).toBe(true)
    await userEvent.type(input(), '3')
    expect(confirm().disabled).toBe(false)
    await userEvent.type(input(), '{Backspace}')
    expect(confirm().disabled).toBe(true)
  })

  it('accepts a pasted code with spaces', async () => {
    render(<Form />)
    await userEvent.click(input())
    await userEvent.paste('482 913\n')
    expect(input().value).toBe('482913')
  })

  it('is one field that phones fill from a message', () => {
    render(<Form />)
    expect(screen.getAllByRole('textbox')).toHaveLength(1)
    expect(input().inputMode).toBe('numeric')
    expect(input().autocomplete).toBe('one-time-code')
    expect(input().maxLength).toBe(6)
  })

  it('[V-02] says what is wrong beside the field and marks it', () => {
    render(<Form error="Invalid code" />)
    expect(input().getAttribute('aria-invalid')).toBe('true')
    const described = document.getElementById(input().getAttribute('aria-describedby') ?? '')
    expect(described?.textContent).toBe('Invalid code')
  })

  it('reads Arabic digits', () => {
    expect(cleanCode('٤٨٢٩١٣')).toBe('482913')
  })
})
