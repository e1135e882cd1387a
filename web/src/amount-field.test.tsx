import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { AmountField } from '#/amount-field.tsx'
import { renderPart } from '#/testing/render-part.tsx'

afterEach(cleanup)

function Trial({ currency }: { currency: string }) {
  const [amount, setAmount] = useState<number | null>(1250)
  return (
    <>
      <AmountField label="Price" currency={currency} value={amount} onChange={setAmount} />
      <p>{amount === null ? 'none' : `${amount} minor units`}</p>
      <button type="button" onClick={() => setAmount(900)}>
        Nine
      </button>
    </>
  )
}
const field = () => screen.getByLabelText<HTMLInputElement>('Price')

describe('a field for an amount', () => {
  it('counts what is typed at once, and leaves it as it was typed', async () => {
    renderPart(<Trial currency="EUR" />)
    expect(field().value).toBe('12.50')
    await userEvent.clear(field())
    expect(screen.getByText('none')).toBeTruthy()
    await userEvent.type(field(), '7,5')
    expect(screen.getByText('750 minor units')).toBeTruthy()
    expect(field().value).toBe('7,5')
  })

  it('follows a change from elsewhere', async () => {
    renderPart(<Trial currency="EUR" />)
    await userEvent.click(screen.getByText('Nine'))
    expect(field().value).toBe('9.00')
  })

  it('keeps what is no amount, and says the currency', async () => {
    renderPart(<Trial currency="TND" />, { locale: 'ar' })
    expect(field().value).toBe('1.250')
    expect(screen.getByText('د.ت.', { exact: false })).toBeTruthy()
    await userEvent.type(field(), 'x')
    expect(screen.getByText('none')).toBeTruthy()
    expect(field().value).toBe('1.250x')
  })
})
