import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeStored, storageKeys, writeStored } from '#/platform/storage.ts'
import { owner, professional } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { SetupBanner } from './setup-banner.tsx'

const keep = (draft: unknown) => writeStored(storageKeys.setupDraft, typeof draft === 'string' ? draft : JSON.stringify(draft))
const banner = () => screen.queryByRole('complementary', { name: 'Finish Institute Setup' })

beforeEach(() => localStorage.clear())
afterEach(cleanup)

describe('the banner of an unfinished setup', () => {
  it('[U-03] says where the draft stands, leads back to it, and goes with it', () => {
    keep({ _id: professional.id, step: 1 })
    renderPart(<SetupBanner user={professional} />, { at: '/institutes' })
    expect(banner()?.textContent).toContain('Step 2 of 6: Services')
    expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/institute-register')
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('2')
    act(() => keep({ _id: professional.id, step: 4 }))
    expect(banner()?.textContent).toContain('Step 5 of 6: Payment')
    act(() => removeStored(storageKeys.setupDraft))
    expect(banner()).toBeNull()
  })

  it('[U-04] is not shown to another account on the same device, nor over the setup itself, nor once there is an institute', () => {
    keep({ _id: professional.id, step: 1, name: 'Atelier Mimosa' })
    renderPart(<SetupBanner user={{ ...professional, id: 'u-other' }} />, { at: '/institutes' })
    expect(banner()).toBeNull()
    cleanup()
    renderPart(<SetupBanner user={professional} />, { at: '/institute-register' })
    expect(banner()).toBeNull()
    cleanup()
    renderPart(<SetupBanner user={{ ...owner, id: professional.id }} />, { at: '/institutes' })
    expect(banner()).toBeNull()
  })

  it('is not brought down by what it cannot read', () => {
    for (const broken of ['', 'null', '{', '[]', '"x"']) {
      keep(broken)
      renderPart(<SetupBanner user={professional} />, { at: '/institutes' })
      expect(banner()).toBeNull()
      cleanup()
    }
    keep({ _id: professional.id, step: 'far' })
    renderPart(<SetupBanner user={professional} />, { at: '/institutes' })
    expect(banner()?.textContent).toContain('Step 1 of 6')
  })
})
