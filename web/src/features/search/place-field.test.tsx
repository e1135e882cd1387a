import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { PlaceField } from './place-field.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The suggesting field with a place from before, which nobody has turned to. */
async function lyon(): Promise<HTMLInputElement> {
  fakeServer({ places: () => ({ items: [] }) })
  renderPart(<PlaceField filters={{ place: 'Lyon' }} variant="bar" />)
  await userEvent.click(screen.getByLabelText('Where'))
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Where' })
  act(() => field.blur())
  return field
}

describe('a place that stood there before', () => {
  it('gives way to what is typed after the first tap', async () => {
    const field = await lyon()
    await userEvent.click(field)
    await userEvent.keyboard('Croix-Rousse')
    expect(field.value).toBe('Croix-Rousse')
  })

  it('is gone on with after a second tap', async () => {
    const field = await lyon()
    await userEvent.click(field)
    await userEvent.click(field)
    await userEvent.keyboard('!')
    expect(field.value).toBe('Lyon!')
  })
})
