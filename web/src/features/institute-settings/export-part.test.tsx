import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { ExportPart } from './export-part.tsx'

const saved = vi.hoisted(() => vi.fn())
vi.mock('#/ui/save-file.ts', () => ({ saveFile: saved }))

afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  saved.mockReset()
  vi.unstubAllGlobals()
})

const zip = new Blob(['zip'], { type: 'application/zip' })
const preparing = 'Putting the file together. With many visits this takes a moment.'

it('says that the file is being put together, and saves it as a zip of the day', async () => {
  const { promise, resolve } = Promise.withResolvers<Blob>()
  fakeServer({ exportInstitute: () => promise })
  renderPart(<ExportPart />)
  expect((await screen.findByRole<HTMLInputElement>('switch', { name: 'With allergies and formulas' })).checked).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'Download everything' }))
  expect(screen.getByText(preparing)).toBeTruthy()
  expect(saved).not.toHaveBeenCalled()
  await act(async () => resolve(zip))
  expect(await screen.findByText('Your file is saved.')).toBeTruthy()
  expect(screen.queryByText(preparing)).toBeNull()
  expect(saved).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), expect.stringMatching(/^soigne-\d{4}-\d\d-\d\d\.zip$/))
})

it('says why there is no file, keeps what was chosen, and can be asked again', async () => {
  let isRefused = true
  const seen = fakeServer({
    exportInstitute: () => (isRefused ? refused(503, { code: 'unavailable', message: 'Please wait a minute.' }) : zip),
  })
  renderPart(<ExportPart />)
  const health = await screen.findByRole<HTMLInputElement>('switch', { name: 'With allergies and formulas' })
  await userEvent.click(health)
  await userEvent.click(screen.getByRole('button', { name: 'Download everything' }))
  expect(await screen.findByText('Please wait a minute.')).toBeTruthy()
  expect([saved.mock.calls.length, health.checked, screen.queryByText(preparing)]).toEqual([0, true, null])
  isRefused = false
  await userEvent.click(screen.getByRole('button', { name: 'Download everything' }))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(seen.map(({ body }) => body)).toEqual([{ health: true }, { health: true }])
})
