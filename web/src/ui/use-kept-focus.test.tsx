import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useKeptFocus } from './use-kept-focus.ts'

function Names() {
  const [names, setNames] = useState(['Ada', 'Ben', 'Cem'])
  const list = useKeptFocus()
  return (
    <section>
      <h2>Names</h2>
      <ul ref={list}>
        {names.map((name) => (
          <li key={name}>
            {name}
            <button type="button" onClick={() => setNames(names.filter((one) => one !== name))}>
              Remove {name}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => setNames([])}>
        Remove all
      </button>
    </section>
  )
}
function Page() {
  const [isShown, setShown] = useState(true)
  const list = useKeptFocus()
  return (
    <main>
      <h1>Visits</h1>
      {isShown && (
        <section>
          <h2>Waiting</h2>
          <ul ref={list}>
            <li>
              <button type="button" onClick={() => setShown(false)}>
                Remove the last
              </button>
            </li>
          </ul>
        </section>
      )}
      <h2>Calendar</h2>
      {isShown && (
        <button type="button" onClick={() => setShown(false)}>
          Put away
        </button>
      )}
    </main>
  )
}
const focused = () => document.activeElement?.textContent

afterEach(cleanup)

it('goes from a row that is taken away to the one that stands there then, and at last to the heading', async () => {
  render(<Names />)
  for (const [name, next] of [
    ['Ben', 'Remove Cem'],
    ['Cem', 'Remove Ada'],
    ['Ada', 'Names'],
  ] as const) {
    await userEvent.click(screen.getByRole('button', { name: `Remove ${name}` }))
    await waitFor(() => expect(focused()).toBe(next))
  }
})

it('goes to the heading before where the list goes with its last row, and only from there', async () => {
  render(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Remove the last' }))
  await waitFor(() => expect(focused()).toBe('Visits'))
  cleanup()
  render(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Put away' }))
  expect(document.activeElement).toBe(document.body)
})

it('is left where it is when rows go that had it not', async () => {
  render(<Names />)
  await userEvent.click(screen.getByRole('button', { name: 'Remove all' }))
  expect(focused()).toBe('Remove all')
})
