// What was kept is shown with its hour, until the server is back: with the browser's line, or without its having gone.
import { act, cleanup, screen } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { AsOf } from './visit-status.tsx'

const worker = vi.hoisted(() => {
  const events = new EventTarget()
  Object.defineProperty(navigator, 'serviceWorker', { value: events, configurable: true })
  return events
})
const say = (keptAt: string | null) => act(() => void worker.dispatchEvent(new MessageEvent('message', { data: { keptAt } })))

let asked = 0
function Visits() {
  const { data } = useQuery({ queryKey: ['visits'], queryFn: () => (asked += 1), staleTime: Infinity })
  return (
    <>
      <AsOf />
      <p>answer {data}</p>
    </>
  )
}
const answered = (answer: number) => vi.waitFor(() => expect(screen.getByText(`answer ${answer}`)).toBeTruthy(), { timeout: 60_000 })

beforeEach(() => {
  asked = 0
  vi.useFakeTimers({ now: Date.parse('2031-03-18T13:30:00Z'), toFake: ['Date', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  say(null)
  cleanup()
  vi.useRealTimers()
})

it('looks again by itself while the browser has its line, and says nothing more once the server answers', async () => {
  renderPart(<Visits />)
  await answered(1)
  say('2031-03-18T13:05:00.000Z')
  expect(screen.getByText(/^As of \d\d?:\d\d/)).toBeTruthy()
  await act(async () => vi.advanceTimersByTime(20_000))
  await answered(2)
  say(null)
  expect(screen.queryByText(/^As of/)).toBeNull()
  await act(async () => vi.advanceTimersByTime(120_000))
  expect(asked).toBe(2)
})

it('does not ask again and again where there is no line', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  renderPart(<Visits />)
  await answered(1)
  say('2031-03-18T13:05:00.000Z')
  await act(async () => vi.advanceTimersByTime(120_000))
  expect(asked).toBe(1)
  vi.restoreAllMocks()
})
