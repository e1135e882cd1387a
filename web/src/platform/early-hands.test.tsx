import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { renderToString } from 'react-dom/server'
import { hydrateRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { earlyHandsScript, repeatEarlyHands, stopRemembering } from './early-hands.ts'

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})

function Form({ onPress }: { onPress: () => void }) {
  const [where, setWhere] = useState('salon')
  const [extras, setExtras] = useState<string[]>([])
  const [day, setDay] = useState('any')
  return (
    <form>
      {['salon', 'home', 'elsewhere'].map((one) => (
        <label key={one}>
          <input type="radio" name="where" value={one} checked={where === one} onChange={() => setWhere(one)} />
          {one}
        </label>
      ))}
      {['wash', 'care'].map((one) => (
        <label key={one}>
          <input
            type="checkbox"
            checked={extras.includes(one)}
            onChange={(event) => setExtras((all) => (event.target.checked ? [...all, one] : all.filter((other) => other !== one)))}
          />
          {one}
        </label>
      ))}
      <select aria-label="day" value={day} onChange={(event) => setDay(event.target.value)}>
        <option value="any">any</option>
        <option value="monday">monday</option>
      </select>
      <button type="button" onClick={onPress}>
        More
      </button>
      <output>{[where, ...extras, day].join(' ')}</output>
    </form>
  )
}

/** The page as the server sends it, with what a head of ours brings along. */
let arrivals = 0
async function arrive(onPress: () => void): Promise<() => Promise<void>> {
  const place = document.body.appendChild(document.createElement('div'))
  place.innerHTML = renderToString(<Form onPress={onPress} />)
  await import(`data:text/javascript,${encodeURIComponent(`${earlyHandsScript} // ${++arrivals}`)}`)
  return async () => {
    stopRemembering()
    await act(async () => void hydrateRoot(place, <Form onPress={onPress} />))
    await act(repeatEarlyHands)
  }
}

it('counts what was chosen and pressed before the page was taken over, once', async () => {
  const pressed = vi.fn()
  const takeOver = await arrive(pressed)
  const user = userEvent.setup()
  await user.click(screen.getByLabelText('elsewhere'))
  await user.click(screen.getByLabelText('home'))
  await user.click(screen.getByLabelText('wash'))
  await user.click(screen.getByLabelText('care'))
  await user.click(screen.getByLabelText('care'))
  await user.selectOptions(screen.getByLabelText('day'), 'monday')
  await user.click(screen.getByRole('button', { name: 'More' }))
  await takeOver()
  expect(screen.getByRole('status').textContent).toBe('home wash monday')
  expect((screen.getByLabelText('home') as HTMLInputElement).checked).toBe(true)
  expect(pressed).toHaveBeenCalledTimes(1)
  await act(repeatEarlyHands)
  expect(pressed).toHaveBeenCalledTimes(1)
})

it('leaves alone what is done afterwards', async () => {
  const pressed = vi.fn()
  const takeOver = await arrive(pressed)
  stopRemembering()
  await takeOver()
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await act(repeatEarlyHands)
  expect(pressed).toHaveBeenCalledTimes(1)
})
