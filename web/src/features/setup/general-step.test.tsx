import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { CardPreview } from './card-preview.tsx'
import type { SetupDraft } from './draft/draft.ts'
import { GeneralStep } from './general-step.tsx'
import { renderDraft } from '#/testing/render-draft.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the first step', () => {
  const open = (initial: Partial<SetupDraft> = {}) => {
    fakeServer({ places: () => ({ items: [] }) })
    return renderDraft(initial, (draft, change) => (
      <>
        <GeneralStep draft={draft} change={change} />
        <CardPreview draft={draft} />
      </>
    ))
  }
  const press = (group: string, name: string) =>
    userEvent.click(within(screen.getByRole('group', { name: group })).getByRole('button', { name }))

  it('[E-14] All stands alone: another takes its place, and it comes back when none is left', async () => {
    const { kept } = open()
    await press('For', 'Kids')
    expect(kept().clientType).toEqual(['Kids'])
    await press('For', 'Woman')
    expect(kept().clientType).toEqual(['Woman', 'Kids'])
    await press('For', 'All')
    expect(kept().clientType).toEqual(['All'])
    await press('For', 'Men')
    await press('For', 'Men')
    expect(kept().clientType).toEqual(['All'])
  })

  it('[E-15] several languages can be spoken', async () => {
    const { kept } = open()
    await press('Languages spoken', 'Arabic')
    expect(kept().offeredLanguages).toEqual(['English', 'Arabic'])
    await press('Languages spoken', 'English')
    expect(kept().offeredLanguages).toEqual(['Arabic'])
  })

  it('counts the words of the description and takes no more than there is room for', async () => {
    open({ description: 'x'.repeat(399) })
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' })
    expect(screen.getByText('399 of 400 characters')).toBeTruthy()
    expect(field.maxLength).toBe(400)
    await userEvent.type(field, 'y')
    expect(screen.getByText('400 of 400 characters')).toBeTruthy()
  })

  it('the first category gives the cover, and taking it away the next one', async () => {
    const { container, kept } = open()
    const cover = () => container.querySelector('aside img')?.getAttribute('src') ?? ''
    await userEvent.click(screen.getByRole('button', { name: 'Massage' }))
    await userEvent.click(screen.getByRole('button', { name: 'Nails' }))
    expect(kept().categories).toEqual(['massage', 'nails'])
    expect(cover()).toContain('massage')
    await userEvent.click(screen.getByRole('button', { name: 'Massage' }))
    expect(cover()).toContain('nails')
  })

  it('the preview shows what clients will see, as far as it is known', async () => {
    open()
    const preview = screen.getByRole('complementary')
    expect(preview.textContent).toContain('Your nameWhat you do · where you are')
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Petal & Stone')
    await userEvent.click(screen.getByRole('button', { name: 'Nails' }))
    expect(preview.textContent).toContain('Petal & StoneNails')
  })

  it('Enter in a field sends nothing and loses nothing', async () => {
    open()
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Petal{Enter}')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Petal')
  })

  it('coming to people’s homes is a switch of its own', async () => {
    const { kept } = open()
    await userEvent.click(screen.getByRole('switch', { name: 'We also come to people’s homes' }))
    expect(kept().atHomeService).toBe(true)
  })
})
