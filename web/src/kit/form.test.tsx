import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { I18nextProvider } from 'react-i18next'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { HoursForm, TrialRefusal, type Hours } from '#/testing/kit-trial/hours-form.tsx'
import { keepSelectionStill } from '#/testing/still-selection.ts'
import type { DraftPlace } from './form-draft.ts'
import { KitProvider } from './provider.tsx'

keepSelectionStill()

function show(props: Parameters<typeof HoursForm>[0] = {}, locale: 'en' | 'fr' = 'en') {
  return render(
    <I18nextProvider i18n={serverTranslator(locale)}>
      <KitProvider locale={locale}>
        <HoursForm {...props} />
      </KitProvider>
    </I18nextProvider>,
  )
}

function drawer(text: string | null = null) {
  const place = { text, writes: 0 }
  const draft: DraftPlace = {
    read: () => place.text,
    write: (written) => Object.assign(place, { text: written, writes: place.writes + 1 }),
    forget: () => Object.assign(place, { text: null }),
  }
  return { place, draft }
}

const seats = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Seats' })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const froms = () => screen.getAllByText('From').map((label) => label.parentElement ?? label)

async function type(count: string) {
  await userEvent.clear(seats())
  await userEvent.type(seats(), count)
  await userEvent.tab()
}

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('a form of the contract', () => {
  it('sends what the schema read of it, rows of rows too', async () => {
    const sent: Hours[] = []
    show({ send: async (hours) => void sent.push(hours) })
    await userEvent.click(screen.getByRole('button', { name: 'Another range' }))
    await type('7')
    await save()
    expect(sent).toEqual([
      {
        since: '2026-11-23',
        seats: 7,
        days: [
          {
            name: 'Monday',
            ranges: [
              { from: '09:00', to: '12:00' },
              { from: '14:00', to: '18:00' },
            ],
          },
        ],
      },
    ])
  })

  it('says in the words of the server what the server would refuse, in the language of the page', async () => {
    const send = vi.fn(async () => undefined)
    show({ send }, 'fr')
    await type('41')
    await save()
    expect(screen.getByText('Au plus 40.')).toBeTruthy()
    expect(seats().getAttribute('aria-invalid')).toBe('true')
    await userEvent.clear(seats())
    await userEvent.tab()
    await save()
    expect(screen.getByText('Champ obligatoire.')).toBeTruthy()
    expect(send).not.toHaveBeenCalled()
  })

  it('puts a refusal at the field it names, in the deepest row, and keeps what was typed', async () => {
    const fields = { 'days.0.ranges.1.from': 'Before the other range ends.' }
    show({ send: () => Promise.reject(new TrialRefusal({ message: 'Please check what you entered.', fields })) })
    await userEvent.click(screen.getByRole('button', { name: 'Another range' }))
    await type('7')
    await save()
    const [first, second] = froms()
    expect(second?.textContent).toContain('Before the other range ends.')
    expect(first?.textContent).not.toContain('Before the other range ends.')
    expect(second?.contains(document.activeElement)).toBe(true)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(seats().value).toBe('7')
    expect(within(second ?? document.body).getByRole('spinbutton', { name: /hour/ }).textContent).toBe('14')
  })

  it('shows above what names no field of the form', async () => {
    const fields = { seats: 'Only 3 chairs are left.', 'team.3.name': 'Ines has left.' }
    show({ send: () => Promise.reject(new TrialRefusal({ message: 'Please check what you entered.', fields })) })
    await save()
    expect(screen.getByRole('alert').textContent).toBe('Please check what you entered. Ines has left.')
    expect(screen.getByText('Only 3 chairs are left.')).toBeTruthy()
    await type('3')
    await save()
    expect(screen.getByRole('alert').textContent).toBe('Please check what you entered. Ines has left.')
  })

  it('stops at a problem without a field of its own by saying so above', async () => {
    const ranges = Array.from({ length: 4 }, () => ({ from: '09:00', to: '12:00' }))
    const { draft } = drawer(JSON.stringify({ days: [{ name: 'Monday', ranges }] }))
    const send = vi.fn(async () => undefined)
    show({ send, draft })
    await save()
    expect(send).not.toHaveBeenCalled()
    expect(screen.getByRole('alert').textContent).toBe('At most 3 characters.')
  })
})

describe('a draft', () => {
  it('is kept after a moment of rest, once, and comes back', async () => {
    const { place, draft } = drawer()
    vi.useFakeTimers()
    const { unmount } = show({ draft })
    for (const count of ['5', '6', '7']) {
      fireEvent.change(seats(), { target: { value: count } })
      fireEvent.blur(seats())
    }
    await act(() => vi.advanceTimersByTimeAsync(399))
    expect(place.writes).toBe(0)
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(place.writes).toBe(1)
    unmount()
    show({ draft })
    expect(seats().value).toBe('7')
  })

  it('is kept at once when the page is left, and forgotten when it was sent', async () => {
    const { place, draft } = drawer()
    show({ draft })
    await type('9')
    fireEvent(window, new Event('pagehide'))
    expect(JSON.parse(place.text ?? '{}')).toMatchObject({ seats: 9 })
    await save()
    expect(place.text).toBeNull()
  })

  it('survives a refusal', async () => {
    const { place, draft } = drawer()
    show({ draft, send: () => Promise.reject(new TrialRefusal({ message: 'Closed.', fields: {} })) })
    await type('9')
    await save()
    fireEvent(window, new Event('pagehide'))
    expect(JSON.parse(place.text ?? '{}')).toMatchObject({ seats: 9 })
  })

  it('keeps what is half typed and drops what is of another kind', () => {
    const stored = { since: null, seats: 99, days: 'Monday', colour: 'red' }
    show({ draft: drawer(JSON.stringify(stored)).draft })
    expect(seats().value).toBe('99')
    expect(froms()).toHaveLength(1)
    expect(screen.getAllByRole('spinbutton', { name: /year/ })[0]?.textContent).toBe('yyyy')
  })

  it.each(['{"seats":', 'null', '[1]', '{"seats":{"a":1}}', '{"days":[{"name":"Monday","ranges":[{}]}]}'])(
    'begins anew where %s is stored',
    (text) => {
      show({ draft: drawer(text).draft })
      expect(seats().value).toBe('4')
      expect(froms()).toHaveLength(1)
    },
  )

  it('starts over with what was there before', async () => {
    const { place, draft } = drawer(JSON.stringify({ seats: 12 }))
    show({ draft })
    expect(seats().value).toBe('12')
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
    expect(seats().value).toBe('4')
    expect(place.text).toBeNull()
  })
})
