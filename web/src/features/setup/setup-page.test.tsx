import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { professional } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { closedWeek, freeWeek, initialDraft, readDraft } from './draft/draft.ts'
import { problemsOf, rangesAreInOrder } from './draft/send-draft.ts'
import { SetupWizard } from './setup-wizard.tsx'

const pages = { '/institute-register': <SetupWizard user={professional} preview={() => 'the page'} /> }
const now = '2026-11-27T10:00:00.000Z'
const kept = (): unknown => JSON.parse(localStorage.getItem('instituteSetupForm') ?? 'null')

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  fakeServer({ me: () => professional, setupState: () => ({ claim: null, now }) })
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

describe('the setup of an institute', () => {
  it('[U-02] names its six steps', async () => {
    renderSite('/institute-register', pages)
    const steps = within(await screen.findByRole('list', { name: 'Steps' })).getAllByRole('listitem')
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      '1General',
      '2Services',
      '3Team',
      '4Gallery',
      '5Payment',
      "6Let's Review!",
    ])
    expect(steps[0]?.getAttribute('aria-current')).toBe('step')
  })

  it('[E-03] starts a draft with the initial values', async () => {
    renderSite('/institute-register', pages)
    await screen.findByRole('heading', { name: 'Tell us where you are' })
    expect(kept()).toMatchObject({
      _id: professional.id,
      step: 0,
      atHomeService: false,
      clientType: ['All'],
      offeredLanguages: ['English'],
      services: [],
      staff: [],
      logo: null,
      paymentMethods: ['card'],
    })
  })

  it('[E-04] keeps what is typed, also across a reload', async () => {
    renderSite('/institute-register', pages)
    await userEvent.type(await screen.findByLabelText('Name'), 'Petal & Stone')
    await userEvent.click(screen.getByRole('button', { name: 'Nails' }))
    await userEvent.click(screen.getByRole('button', { name: 'Woman' }))
    await userEvent.click(screen.getByRole('switch', { name: 'Tuesday' }))
    expect(kept()).toMatchObject({
      name: 'Petal & Stone',
      categories: ['nails'],
      clientType: ['Woman'],
      openingHours: { Tuesday: [{ opensAt: '09:00', closesAt: '18:00' }] },
    })
    cleanup()
    renderSite('/institute-register', pages)
    expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Petal & Stone')
    expect(screen.getByRole('button', { name: 'Nails' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('[E-04] shows a stored step as that step, and goes on from it', async () => {
    localStorage.setItem('instituteSetupForm', JSON.stringify({ ...initialDraft(professional.id), name: 'Petal & Stone', step: 3 }))
    renderSite('/institute-register', pages)
    const current = () =>
      within(screen.getByRole('list', { name: 'Steps' }))
        .getAllByRole('listitem')
        .filter((step) => step.getAttribute('aria-current') === 'step')
        .map(({ textContent }) => textContent)
    expect(await screen.findByRole('heading', { level: 1, name: 'Gallery' })).toBeTruthy()
    expect(current()).toEqual(['4Gallery'])
    expect(screen.getByText(/Step 4 of 6/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(current()).toEqual(['5Payment'])
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Payment' }))
    expect(kept()).toMatchObject({ step: 4, name: 'Petal & Stone' })
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    cleanup()
    renderSite('/institute-register', pages)
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment' })).toBeTruthy()
  })

  it('[R-20] Skip for now is remembered and goes home', async () => {
    const { place } = renderSite('/institute-register', pages)
    await userEvent.click(await screen.findByRole('button', { name: 'Skip for now' }))
    await waitFor(() => expect(place()).toBe('/'))
    expect(localStorage.getItem('skipRegistration')).toBe('true')
  })

  it('[R-20] is where a professional without an institute is sent', async () => {
    const { place } = renderSite('/mysalon', pages)
    expect(await screen.findByRole('heading', { name: 'Tell us where you are' })).toBeTruthy()
    expect(place()).toBe('/institute-register')
  })
})

describe('a draft in two tabs', () => {
  it('what the other tab wrote is shown, and nothing typed here writes over it', async () => {
    renderSite('/institute-register', pages)
    const name = await screen.findByLabelText<HTMLInputElement>('Name')
    localStorage.setItem(
      'instituteSetupForm',
      JSON.stringify({ ...initialDraft(professional.id), name: 'Petal', phone: '+33 1 40 00 00 00' }),
    )
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'instituteSetupForm' })))
    expect(name.value).toBe('Petal')
    await userEvent.type(name, ' & Stone')
    expect(kept()).toMatchObject({ name: 'Petal & Stone', phone: '+33 1 40 00 00 00' })
  })

  it('one that was published there, or signed out of, is not written again by what is open here', async () => {
    renderSite('/institute-register', pages)
    await userEvent.type(await screen.findByLabelText<HTMLInputElement>('Name'), 'Petal')
    localStorage.removeItem('instituteSetupForm')
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'instituteSetupForm' })))
    expect(kept()).toBeNull()
  })

  it.each(['{', 'null', JSON.stringify({ ...initialDraft('u-other'), name: 'Elsewhere' })])(
    'what is nobody’s there, or somebody else’s, takes nothing away here: %s',
    async (stored) => {
      renderSite('/institute-register', pages)
      const name = await screen.findByLabelText<HTMLInputElement>('Name')
      await userEvent.type(name, 'Petal')
      localStorage.setItem('instituteSetupForm', stored)
      act(() => void dispatchEvent(new StorageEvent('storage', { key: 'instituteSetupForm' })))
      expect(name.value).toBe('Petal')
    },
  )

  it('the step of the other tab is its own', async () => {
    renderSite('/institute-register', pages)
    await screen.findByLabelText('Name')
    localStorage.setItem('instituteSetupForm', JSON.stringify({ ...initialDraft(professional.id), name: 'Petal', step: 3 }))
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'instituteSetupForm' })))
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Petal')
  })
})

describe('a stored draft', () => {
  it('is shown to nobody but its professional', () => {
    localStorage.setItem('instituteSetupForm', JSON.stringify({ ...initialDraft('u-1'), name: 'Petal & Stone' }))
    expect(readDraft('u-1').name).toBe('Petal & Stone')
    expect(readDraft('u-2')).toEqual(initialDraft('u-2'))
  })

  it('survives what another version or a hand made of it', () => {
    for (const broken of [
      '',
      'null',
      '[]',
      '{"_id":"u-1","categories":"nails","openingHours":{"Monday":[1,{"opensAt":5}]},"step":99,"clientType":[3]}',
      '{',
    ]) {
      localStorage.setItem('instituteSetupForm', broken)
      const draft = readDraft('u-1')
      expect(draft._id).toBe('u-1')
      expect(draft.step).toBeLessThanOrEqual(5)
      expect(draft.categories).toEqual([])
    }
  })

  it('knows when the ranges of a day are in order', () => {
    const range = (opensAt: string, closesAt: string) => ({ opensAt, closesAt })
    expect(rangesAreInOrder([range('09:00', '12:00'), range('13:00', '24:00')])).toBe(true)
    expect(rangesAreInOrder([range('09:00', '09:00')])).toBe(false)
    expect(rangesAreInOrder([range('09:00', '14:00'), range('13:00', '18:00')])).toBe(false)
  })

  it('says once that the opening hours overlap: whoever works as the institute is open has no fault of their own', () => {
    const twice = [
      { opensAt: '09:00', closesAt: '14:00' },
      { opensAt: '13:00', closesAt: '18:00' },
    ]
    const me = { key: 'me', name: 'Noor', title: '', isMe: true, languages: [], bookableOnline: true, skips: [], anchorDay: '', weeks: [] }
    const draft = { ...initialDraft('u-1'), openingHours: { ...closedWeek(), Friday: twice }, staff: [{ ...me, hours: 'salon' as const }] }
    const found = problemsOf(draft).map(({ what }) => what)
    expect(found).toContain('hoursOrder')
    expect(found.filter((what) => what.startsWith('member'))).toEqual([])
    const weeks = [{ ...freeWeek(), Friday: twice.map((range) => ({ ...range, breaks: [] })) }]
    const own = { ...draft, staff: [{ ...me, hours: 'own' as const, weeks }] }
    expect(problemsOf(own).map(({ what }) => what)).toContain('memberHoursOrder')
  })
})
