import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Locale } from '@soigne/contract/wire'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { MoveVisit } from './move-visit.tsx'

/** Thursday at five in Paris, and Friday at ten. */
const before = '2031-03-20T16:00:00.000Z'
const friday = '2031-03-21T09:00:00.000Z'
const tuesdayNoon = '2031-03-18T11:00:00Z'

type Plan = Answer<Calls['reschedulePlan']>
type Afterwards = NonNullable<Plan['afterwards']>
const euros = (amount: number) => ({ amount, currency: 'EUR' })
const inTime: Afterwards = {
  freeUntil: '2031-03-20T09:00:00.000Z',
  canCancel: true,
  canReschedule: true,
  ifCancelled: { refunded: euros(1500), kept: euros(0), charged: euros(0) },
}
const late: Afterwards = {
  ...inTime,
  freeUntil: '2031-03-17T09:00:00.000Z',
  ifCancelled: { refunded: euros(0), kept: euros(1500), charged: euros(0) },
}
const planWith = (afterwards?: Afterwards): Plan => {
  const { startsAt, endsAt, segments, total } = visitAt(friday)
  return { startsAt, endsAt, segments, total, staff: segments.map(({ staffId }) => staffId), ...(afterwards && { afterwards }) }
}

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  vi.useFakeTimers({ now: Date.parse(tuesdayNoon), toFake: ['Date'] })
})
afterEach(() => {
  cleanup()
  act(() => dismissAllToasts())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

type Handlers = Parameters<typeof fakeServer>[0]
function open(reschedulePlan: NonNullable<Handlers['reschedulePlan']>, { isPaidInFull = false, locale = 'en' as Locale } = {}) {
  const seen = fakeServer({
    reschedulePlan,
    rescheduleAppointment: () => visitAt(friday),
    me: () => refused(401, { code: 'unauthenticated', message: 'Who?' } as never),
  })
  renderPart(
    <MoveVisit
      appointment={visitAt(before, { status: isPaidInFull ? 'completed' : 'deposit_paid' })}
      onClose={() => {}}
      renderChooser={({ onChoose }) => <button onClick={() => onChoose(friday)}>friday</button>}
      renderNearest={() => null}
    />,
    { locale },
  )
  return (name: string) => seen.filter((one) => one.name === name)
}
const choose = () => userEvent.click(screen.getByRole('button', { name: 'friday' }))
const told = async (text: RegExp | string) => (await screen.findByText(text)).closest('[role="status"]')
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Move to/ })

describe('what a move costs', () => {
  it('is told before the click: nothing, until when it stays free, and with whom', async () => {
    const asked = open(() => planWith(inTime))
    await choose()
    const status = await told('Moving is free: €0.00')
    expect(status?.textContent).toContain('Free until Thursday 20 March')
    expect(status?.textContent).toMatch(/20 March[^.]* at 10:00/)
    expect(status?.textContent).not.toContain('€15')
    expect(screen.getByText(/New time/).parentElement?.textContent).toContain('with Inès · €38')
    expect(asked('rescheduleAppointment')).toHaveLength(0)
    expect(asked('reschedulePlan').map(({ query }) => [query.get('startsAt'), query.get('staff')])).toEqual([[friday, null]])
    await userEvent.click(button())
    await waitFor(() => expect(asked('rescheduleAppointment')[0]?.body).toEqual({ startsAt: friday }))
  })

  it('nothing is moved before it is known', async () => {
    const answer = Promise.withResolvers<Plan>()
    open(() => answer.promise)
    await choose()
    expect(button().disabled).toBe(true)
    await act(async () => answer.resolve(planWith(inTime)))
    await waitFor(() => expect(button().disabled).toBe(false))
  })

  it('late: that the deposit is no longer free', async () => {
    open(() => planWith(late))
    await choose()
    const status = await told('The €15.00 deposit is no longer free: if you cancel after this move, it is kept.')
    expect(status?.textContent).toContain('Moving is free: €0.00')
    expect(status?.textContent).not.toContain('Free until')
  })

  it('late after paying with a session of a package: that it is gone for whoever cancels then', async () => {
    const nothing = euros(0)
    open(() => planWith({ ...late, ifCancelled: { refunded: nothing, kept: nothing, charged: nothing, sessions: 'gone' } }), {
      isPaidInFull: true,
    })
    await choose()
    expect(await told('If you cancel after this move, the session of your package is gone.')).toBeTruthy()
  })

  it('late after paying at the counter too: that this is settled there', async () => {
    const ifCancelled = { refunded: euros(0), kept: euros(0), charged: euros(0), atSalon: euros(6000), sessions: 'gone' as const }
    open(() => planWith({ ...late, ifCancelled }), { isPaidInFull: true })
    await choose()
    const status = await told('If you cancel after this move, the €60.00 you paid is settled at the salon.')
    expect(status?.textContent).toContain('If you cancel after this move, the session of your package is gone.')
  })

  it('late after paying in full, or with a fee: what is kept, and what the card is charged', async () => {
    open(() => planWith({ ...late, ifCancelled: { refunded: euros(2300), kept: euros(1500), charged: euros(600) } }), {
      isPaidInFull: true,
    })
    await choose()
    const status = await told('€15.00 of what you paid is no longer free: if you cancel after this move, it is kept.')
    expect(status?.textContent).toContain('If you cancel after this move, €6.00 is charged to your card.')
  })

  it.each([
    [{ canCancel: false, canReschedule: false }, 'After this move, changes are by phone only.'],
    [{ canCancel: false, canReschedule: true }, 'After this move, cancelling is by phone only.'],
    [{ canCancel: true, canReschedule: false }, 'After this move, moving again is by phone only.'],
  ])('what can be changed no more online: %j', async (can, words) => {
    open(() => planWith({ ...late, ifCancelled: null, ...can }))
    await choose()
    expect(await told(words)).toBeTruthy()
  })

  it('a plan that did not come is asked for again, and moves nothing meanwhile', async () => {
    let fails = true
    open(() => (fails ? refused(503, { code: 'busy', message: 'Busy.' } as never) : planWith(inTime)))
    await choose()
    expect(await screen.findByText('Busy.')).toBeTruthy()
    expect(button().disabled).toBe(true)
    fails = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await told('Moving is free: €0.00')).toBeTruthy()
    expect(button().disabled).toBe(false)
  })

  it('an answer of the release before says nothing of it, and moves all the same', async () => {
    open(() => planWith())
    await choose()
    await waitFor(() => expect(button().disabled).toBe(false))
    expect(screen.queryByText(/Moving is free/)).toBeNull()
  })

  it.each([
    ['fr', /^Déplacement sans frais : 0,00 €$/, /L’acompte de 15,00 € n’est plus remboursable :/],
    ['ar', /التغيير مجاني: .*0/, /لم يعد عربون .*15.* قابلًا للاسترداد/],
  ] as const)('in %s', async (locale, free, deposit) => {
    open(() => planWith(late), { locale })
    await choose()
    expect(await told(free)).toBeTruthy()
    expect(await told(deposit)).toBeTruthy()
  })
})
