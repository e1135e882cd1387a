import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#/platform/api-error.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { holdAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { HoldNotice } from './hold-notice.tsx'
import type { HoldKeeper, HoldState } from './use-hold.ts'

const at = '2031-03-18T15:40:00.000Z'
const minute = 60_000

function open(state: HoldState, part: Partial<HoldKeeper> = {}, isBegun = false) {
  const keeper: HoldKeeper = {
    state,
    extend: vi.fn<() => Promise<void>>(async () => {}),
    retry: vi.fn<() => void>(),
    markExpired: vi.fn<() => void>(),
    markBooked: vi.fn<() => void>(),
    ...part,
  }
  renderPart(
    <HoldNotice
      keeper={keeper}
      startsAt={at}
      timeZone="Europe/Paris"
      renderNearest={(nearest) => nearest.map((one) => <button key={one}>{one}</button>)}
      isBegun={isBegun}
    />,
  )
  return keeper
}
const held = (livesMs: number, part: Parameters<typeof holdAt>[2] = {}): HoldState => ({
  kind: 'held',
  hold: holdAt(at, livesMs, part),
  clockOffset: 0,
})

afterEach(() => {
  cleanup()
  act(dismissAllToasts)
})

describe('the held time', () => {
  it('nothing is said before a time is chosen', () => {
    open({ kind: 'none' })
    expect(screen.queryByText(/16:40/)).toBeNull()
  })

  it('has its place before a hold that is about to be made, so that nothing moves when it is', () => {
    open({ kind: 'none' }, {}, true)
    expect(screen.getByText('Holding 16:40 for you')).toBeTruthy()
  })

  it('names the time on the clock of the institute while it is being held and once it is', () => {
    open({ kind: 'making' })
    expect(screen.getByText('Holding 16:40 for you')).toBeTruthy()
    cleanup()
    open(held(10 * minute))
    expect(screen.getByText('We’re holding 16:40 for you.')).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toMatch(/^(?:10:00|9:\d\d)$/)
  })

  it('a device whose clock is wrong counts by the server’s', () => {
    const hold = holdAt(at, 70 * minute)
    open({ kind: 'held', hold, clockOffset: 60 * minute })
    expect(screen.getByRole('timer').textContent).toMatch(/^(?:10:00|9:\d\d)$/)
  })

  it('more time is offered from two minutes before the end, and only then', async () => {
    open(held(3 * minute))
    expect(screen.queryByRole('button', { name: 'Ten more minutes' })).toBeNull()
    cleanup()
    open(held(1.9 * minute))
    expect(await screen.findByRole('button', { name: 'Ten more minutes' })).toBeTruthy()
    cleanup()
    open(held(1.9 * minute, { extended: true }))
    await screen.findByText('Two minutes left to confirm.')
    expect(screen.queryByRole('button', { name: 'Ten more minutes' })).toBeNull()
  })

  it('a double click asks for them once', async () => {
    const answer = Promise.withResolvers<void>()
    const extend = vi.fn<() => Promise<void>>(() => answer.promise)
    open(held(1.9 * minute), { extend })
    const button = await screen.findByRole('button', { name: 'Ten more minutes' })
    await userEvent.dblClick(button)
    expect(extend).toHaveBeenCalledOnce()
    await act(async () => answer.resolve())
  })

  it('when they are refused the reason is told and the hold stays', async () => {
    const extend = vi.fn<() => Promise<void>>(() =>
      Promise.reject(new ApiError(409, { code: 'hold_expired', message: 'Too late for that.' })),
    )
    open(held(1.9 * minute), { extend })
    await userEvent.click(await screen.findByRole('button', { name: 'Ten more minutes' }))
    expect(await screen.findByText('Too late for that.')).toBeTruthy()
    expect(screen.getByText('We’re holding 16:40 for you.')).toBeTruthy()
  })

  it('at its end the keeper is told', async () => {
    const keeper = open(held(200))
    await waitFor(() => expect(keeper.markExpired).toHaveBeenCalled())
  })

  it('one that ran out can be had again', async () => {
    const keeper = open({ kind: 'expired' })
    expect(screen.getByText('Nothing was booked. 16:40 may still be free.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Hold 16:40 again' }))
    expect(keeper.retry).toHaveBeenCalledOnce()
  })

  it('one that somebody else took offers the nearest', async () => {
    const error = new ApiError(409, { code: 'slot_taken', message: 'Taken.' })
    open({ kind: 'refused', error, nearest: ['2031-03-18T16:00:00.000Z'] })
    expect(await screen.findByText('16:40 was just taken.')).toBeTruthy()
    expect(screen.getByText('Nothing was booked, and everything you chose is still here.')).toBeTruthy()
    expect(screen.getByText('These are still free:')).toBeTruthy()
    expect(screen.getByRole('button', { name: '2031-03-18T16:00:00.000Z' })).toBeTruthy()
  })

  it('any other refusal says why in the server’s words, without an empty offer', async () => {
    open({ kind: 'refused', error: new ApiError(422, { code: 'not_offered', message: 'Closed that day.' }), nearest: [] })
    expect(await screen.findByText('16:40 isn’t available.')).toBeTruthy()
    expect(screen.getByText('Closed that day.')).toBeTruthy()
    expect(screen.queryByText('These are still free:')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('who holds too much already may try again after letting one go', async () => {
    const keeper = open({ kind: 'refused', error: new ApiError(409, { code: 'too_many_holds', message: 'Two at once.' }), nearest: [] })
    await userEvent.click(await screen.findByRole('button', { name: 'Hold 16:40 again' }))
    expect(keeper.retry).toHaveBeenCalledOnce()
  })

  it('a lost connection is no refusal: the same time can be tried again', async () => {
    const keeper = open({ kind: 'failed', error: new TypeError('Failed to fetch') })
    expect(screen.getByText('We couldn’t hold this time.')).toBeTruthy()
    expect(screen.getByText('Failed to fetch')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Hold 16:40 again' }))
    expect(keeper.retry).toHaveBeenCalledOnce()
  })

  it('without a connection it says that booking needs one, and holds the time with the next', () => {
    const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const keeper = open({ kind: 'failed', error: new TypeError('Failed to fetch') })
    expect(screen.getByText('Booking needs a connection.')).toBeTruthy()
    expect(screen.queryByText('We couldn’t hold this time.')).toBeNull()
    line.mockRestore()
    expect(keeper.retry).not.toHaveBeenCalled()
    dispatchEvent(new Event('online'))
    expect(keeper.retry).toHaveBeenCalledOnce()
  })
})
