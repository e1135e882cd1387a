import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { tillOfDay } from '#/testing/sales.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { TillDrawer } from './till-day.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const closing = { float: 10_000, counted: 22_000, difference: 0, reason: null, closedAt: '2025-11-20T18:05:00.000Z', by: 'Odile' }

function open(more: Parameters<typeof fakeServer>[0] = {}) {
  const onClose = vi.fn()
  const seen = fakeServer({ me: () => owner, tillDay: () => tillOfDay(), ...more })
  renderPart(<TillDrawer zone="Europe/Paris" onClose={onClose} />)
  return { seen, onClose }
}
const sent = (seen: ReturnType<typeof fakeServer>) => seen.filter(({ name }) => name === 'closeTill')
async function type(label: string, text: string) {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
async function pressAndConfirm(name: string) {
  await userEvent.click(screen.getByRole('button', { name }))
  await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
}

describe('the till of a day', () => {
  it('tells what was taken each way, tips apart, and what was invoiced, credited, kept and refunded', async () => {
    open()
    const facts = (name: string) => screen.getByText(name).parentElement?.textContent
    await screen.findByText('Cash taken')
    expect(facts('Cash taken')).toContain('€120.00')
    expect(facts('Terminal')).toContain('€450.00')
    expect(facts('Tips, in the above')).toContain('€12.50')
    expect(facts('17 invoices')).toContain('€655.00')
    expect(facts('Credit notes')).toContain('€24.00')
    expect(facts('Deposits kept')).toContain('€12.60')
    expect(facts('Refunded, taken off above')).toContain('€36.60')
  })

  it('closes when what was counted is what should be there', async () => {
    const { seen } = open({ closeTill: () => tillOfDay({ closing }) })
    await type('Float', '100')
    await type('Counted', '220')
    expect(screen.getByText('Exactly right.')).toBeTruthy()
    expect(screen.queryByLabelText('Why does it differ?')).toBeNull()
    await pressAndConfirm('Close today’s till')
    expect(await screen.findByText('Closed for today')).toBeTruthy()
    expect(screen.getByText('Closed at 19:05 by Odile.')).toBeTruthy()
    expect(sent(seen)[0]?.body).toEqual({ day: '2025-11-20', float: 10_000, counted: 22_000 })
    expect(sent(seen)[0]?.headers.get('idempotency-key')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Close today’s till' })).toBeNull()
  })

  it('says in words what is missing or too much, and wants to know why before it closes', async () => {
    const short = { ...closing, counted: 21_800, difference: -200, reason: 'Change for a parking meter' }
    const { seen } = open({ closeTill: () => tillOfDay({ closing: short }) })
    await type('Float', '100')
    await type('Counted', '223,50')
    expect(screen.getByText('€3.50 too much.')).toBeTruthy()
    await type('Counted', '218')
    expect(screen.getByText('€2.00 missing.')).toBeTruthy()
    expect(screen.getByText('Say why it differs, then the till can be closed.')).toBeTruthy()
    expect((screen.getByRole('button', { name: 'Close today’s till' }) as HTMLButtonElement).disabled).toBe(true)
    await userEvent.type(screen.getByLabelText('Why does it differ?'), 'Change for a parking meter')
    await pressAndConfirm('Close today’s till')
    expect(await screen.findByText('Change for a parking meter', { selector: 'p' })).toBeTruthy()
    expect(sent(seen)[0]?.body).toMatchObject({ counted: 21_800, reason: 'Change for a parking meter' })
  })

  it('stays open when one thinks better of it, and keeps what was typed when it is refused', async () => {
    const { seen } = open({ closeTill: () => refused(409, { code: 'till_closed', message: 'This day is closed already.' }) })
    await type('Counted', '120')
    await userEvent.click(screen.getByRole('button', { name: 'Close today’s till' }))
    const question = within(await screen.findByRole('alertdialog'))
    await userEvent.click(question.getByRole('button', { name: 'cancle' }))
    expect(sent(seen)).toHaveLength(0)
    await pressAndConfirm('Close today’s till')
    expect(await screen.findByText('This day is closed already.')).toBeTruthy()
    expect((screen.getByLabelText('Counted') as HTMLInputElement).value).toBe('120')
    await pressAndConfirm('Close today’s till')
    await waitFor(() => expect(sent(seen)).toHaveLength(2))
    // The same wish goes under the same key: closed twice, it is closed once.
    expect(new Set(sent(seen).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })

  it('says when it cannot be read, and is left by its own button', async () => {
    let times = 0
    const { onClose } = open({
      tillDay: () => (times++ === 0 ? refused(403, { code: 'forbidden', message: 'Not for you.' }) : tillOfDay({ closing })),
    })
    expect(await screen.findByText('Not for you.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Exactly right.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(onClose).toHaveBeenCalled()
  })
})
