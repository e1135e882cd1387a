import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { DataPart } from './data-part.tsx'

vi.mock('#/ui/save-file.ts', () => ({ saveFile: vi.fn() }))
const saved = vi.mocked(saveFile)
beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  saved.mockReset()
  vi.unstubAllGlobals()
})

it('[R-14] all that is held is saved as the zip of the day, or it is said why not', async () => {
  let isRefused = true
  const zip = () => new Blob(['zip'], { type: 'application/zip' })
  fakeServer({ exportOwnFiles: () => (isRefused ? refused(503, { code: 'unavailable', message: 'Please wait a minute.' }) : zip()) })
  renderPart(<DataPart hasPassword />)
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  expect(await screen.findByText('Please wait a minute.')).toBeTruthy()
  expect(saved).not.toHaveBeenCalled()
  isRefused = false
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  await waitFor(() =>
    expect(saved).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), expect.stringMatching(/^soigne-\d{4}-\d\d-\d\d\.zip$/)),
  )
})
