import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, describe, expect, it } from 'vitest'
import { toggleService } from '#/features/cart/choice.ts'
import { gelManicure, handMassage, nacre } from '#/testing/institutes.ts'
import { useChoice } from './use-booking.ts'

afterEach(cleanup)

function Menu() {
  const { choice, go } = useChoice(nacre, 0)
  return [handMassage, gelManicure].map((id) => (
    <input
      key={id}
      type="checkbox"
      aria-label={id}
      checked={choice.items.some(({ serviceId }) => serviceId === id)}
      onChange={() => go((now) => ({ items: toggleService(now, id).items, step: 'services' }), 'replace')}
    />
  ))
}

/** A menu whose address follows only when it is let. */
async function openMenu() {
  const held = Promise.withResolvers<null>()
  let isOpen = false
  const loader = () => (isOpen ? held.promise : null)
  const router = createMemoryRouter([{ path: '/salon/:slug/book', loader, HydrateFallback: () => null, element: <Menu /> }], {
    initialEntries: [`/salon/${nacre.slug}/book`],
  })
  render(<RouterProvider router={router} />)
  await screen.findByRole('checkbox', { name: handMassage })
  isOpen = true
  const chosen = () => new URLSearchParams(router.state.location.search).getAll('service')
  const box = (id: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: id })
  const checked = () => [box(handMassage).checked, box(gelManicure).checked]
  return { router, box, checked, chosen, follow: () => act(async () => held.resolve(null)) }
}

describe('what is chosen', () => {
  it('is shown at once, however long the address takes', async () => {
    const { box, checked, chosen, follow } = await openMenu()
    fireEvent.click(box(handMassage))
    expect(checked()).toEqual([true, false])
    fireEvent.click(box(gelManicure))
    fireEvent.click(box(handMassage))
    expect(checked()).toEqual([false, true])
    expect(chosen()).toEqual([])
    await follow()
    await waitFor(() => expect(chosen()).toEqual([gelManicure]))
    expect(checked()).toEqual([false, true])
  })

  it('is what the address says once that is another, such as after going back', async () => {
    const { router, box, checked, chosen, follow } = await openMenu()
    fireEvent.click(box(handMassage))
    await follow()
    await waitFor(() => expect(chosen()).toEqual([handMassage]))
    await act(() => router.navigate(`/salon/${nacre.slug}/book?service=${gelManicure}`))
    expect(checked()).toEqual([false, true])
    fireEvent.click(box(handMassage))
    await waitFor(() => expect(chosen()).toEqual([gelManicure, handMassage]))
  })
})
