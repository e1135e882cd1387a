import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { type JSX, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { SearchBar } from './search-bar.tsx'
import { PlainField, useSuggestingField } from './suggesting-field.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('shows suggestions to a hand that had typed all of it before the scripts came', async () => {
  fakeServer({ suggestions: () => ({ items: [{ kind: 'service', name: 'Nail art' }] }), places: () => ({ items: [] }) })
  renderPart(<SearchBar filters={{}} now={Date.UTC(2026, 10, 23, 9)} zone="Europe/Paris" />)
  const plain = screen.getByLabelText('What')
  fireEvent.change(plain, { target: { value: 'nail' } })
  plain.focus()
  expect(await screen.findByRole('option', { name: /Nail art/ })).toBeTruthy()
})

type Suggesting = (props: { value: string; autoFocus: boolean }) => JSX.Element
const Suggesting: Suggesting = ({ value, autoFocus }) => <input aria-label="Suggesting" readOnly value={value} autoFocus={autoFocus} />

function Place({ load }: { load: () => Promise<Suggesting> }) {
  const [text, setText] = useState('')
  const { Field, plain, frame, wasFocused, hear, wake } = useSuggestingField(load, text, setText)
  return (
    <div ref={frame} onFocus={wake}>
      {Field ? (
        <Field value={text} autoFocus={wasFocused.current} />
      ) : (
        <PlainField label="Where" name="place" variant="bar" input={plain} value={text} onText={hear} />
      )}
      <input aria-label="Next" />
    </div>
  )
}

it('takes over at once where the hand stands, and takes no focus back from a hand that has moved on', async () => {
  const came = Promise.withResolvers<Suggesting>()
  render(<Place load={() => came.promise} />)
  act(() => screen.getByLabelText('Where').focus())
  // The hand moves on in the very moment in which the other field is there.
  void came.promise.then(() => {
    expect(document.activeElement).toBe(screen.getByLabelText('Suggesting'))
    screen.getByLabelText('Next').focus()
  })
  await act(async () => {
    came.resolve(Suggesting)
    await came.promise
  })
  expect(document.activeElement).toBe(screen.getByLabelText('Next'))
})
