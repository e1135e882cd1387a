import type { Appointment } from '@soigne/contract/appointments'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { handMassage } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { confirmStore } from '#/ui/confirms.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { RemoveService } from './remove-service.tsx'

const start = '2031-03-18T15:40:00.000Z'
const later = '2031-03-18T16:40:00.000Z'
const left = visitAt(start)
const [gel] = left.segments as [Appointment['segments'][number]]
const visit = visitAt(start, { segments: [gel, { ...gel, serviceId: handMassage, serviceName: 'Hand massage', startsAt: later }] })
const euros = (amount: number) => ({ amount, currency: 'EUR' })
const plan = { startsAt: start, endsAt: later, total: euros(3800), refunded: euros(404) }

afterEach(() => {
  cleanup()
  act(() => {
    dismissAllToasts()
    confirmStore.set([])
  })
  vi.unstubAllGlobals()
})

async function ask(handlers: Parameters<typeof fakeServer>[0]) {
  const seen = fakeServer({ me: () => client, ...handlers })
  const onRemoved = vi.fn<() => void>()
  renderPart(<RemoveService appointment={visit} place={1} onRemoved={onRemoved} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Hand massage' }))
  return { onRemoved, asked: () => seen.filter(({ name }) => name === 'removeVisitService') }
}

it('says what is left and what goes back before a service is let go', async () => {
  const { onRemoved, asked } = await ask({ visitServiceRemoval: () => plan, removeVisitService: () => left })
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove Hand massage?' }))
  expect(dialog.getByText(/^Your visit at Atelier Nacre is then Tuesday 18 March.*, 16:40–17:40\.$/)).toBeTruthy()
  expect(dialog.getByText('€4.04 of your deposit goes back to you.')).toBeTruthy()
  expect(dialog.getByText('New price: €38.00')).toBeTruthy()
  expect(asked()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'confirm' }))
  expect(await screen.findByText('Hand massage is removed.')).toBeTruthy()
  expect(onRemoved).toHaveBeenCalledOnce()
  expect(asked()[0]?.body).toEqual({ segment: 1, serviceId: handMassage })
})

it('speaks of no deposit where none goes back, and keeps the service on cancle', async () => {
  const { onRemoved, asked } = await ask({ visitServiceRemoval: () => ({ ...plan, refunded: euros(0) }), removeVisitService: () => left })
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.queryByText(/deposit/)).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'cancle' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect([asked(), onRemoved.mock.calls]).toEqual([[], []])
})

it('says why it cannot go, before and after the question', async () => {
  await ask({ visitServiceRemoval: () => refused(422, { code: 'too_late', message: 'It is too late for that online.' }) })
  expect(await screen.findByText('It is too late for that online.')).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  cleanup()
  await ask({ visitServiceRemoval: () => plan, removeVisitService: () => refused(409, { code: 'wrong_state', message: 'This is over.' }) })
  await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
  expect(await screen.findByText('This is over.')).toBeTruthy()
})
