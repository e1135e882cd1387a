import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import type { SetupDraft } from './draft/draft.ts'
import { problemsOf } from './draft/send-draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { ServicesStep } from './services-step.tsx'
import { renderDraft, renderKept } from '#/testing/render-draft.tsx'

type Starter = Answer<Calls['serviceStarters']>['items'][number]

const starter = (key: string, name: string, more: Partial<Starter> = {}): Starter => ({
  key,
  category: 'hair',
  section: { en: 'Hair' },
  name: { en: name },
  description: {},
  activeMinutes: 40,
  idleMinutes: 0,
  activeAfterMinutes: 0,
  bufferAfterMinutes: 0,
  isSequential: false,
  minimumAge: null,
  audience: 'All',
  prerequisites: [],
  ...more,
})
const hair = [
  starter('cut', 'Cut'),
  starter('child', 'Child’s cut', { activeMinutes: 20, audience: 'Kids', minimumAge: 3 }),
  starter('blow-dry', 'Blow-dry', { isSequential: true }),
  starter('test', 'Patch test', { activeMinutes: 20 }),
  starter('colour', 'Root colour', { activeMinutes: 80, prerequisites: [{ key: 'test', minHours: 48, maxMonths: 6 }] }),
]
const nails = [starter('manicure', 'Manicure')]

const part = (draft: SetupDraft, change: DraftChange) => <ServicesStep draft={draft} change={change} />

beforeEach(() => {
  localStorage.clear()
  fakeServer({ serviceStarters: ({ query }) => ({ items: query.get('category') === 'nails' ? nails : hair }) })
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

async function openMenu() {
  const { kept } = renderDraft({ categories: ['hair'] }, part)
  await userEvent.click(screen.getByRole('button', { name: 'Start with the menu for Hair' }))
  await screen.findByRole('button', { name: 'Edit Cut' })
  return kept
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const names = ({ services }: SetupDraft) => services.map(({ name }) => name.en)
async function retype(name: string, text: string) {
  const field = screen.getByRole<HTMLInputElement>('textbox', { name })
  await userEvent.clear(field)
  await userEvent.type(field, text)
  return field
}

describe('the starter menu', () => {
  it('is there by one tap, a test free of charge, and what needs it says so', async () => {
    const kept = await openMenu()
    expect(names(kept())).toEqual(['Cut', 'Child’s cut', 'Blow-dry', 'Patch test', 'Root colour'])
    const [test, colour] = kept().services.slice(3)
    expect([test!.price, colour!.price, colour!.prerequisites]).toEqual(['0', '', [{ key: test!.key, minHours: 48, maxMonths: 6 }]])
    expect(kept().services.map(({ isSequential }) => isSequential)).toEqual([false, false, true, false, false])
    expect(kept().services.map(({ minimumAge }) => minimumAge)).toEqual(['', '3', '', '', ''])
    expect(screen.queryByRole('button', { name: 'Start with the menu for Hair' })).toBeNull()
  })

  it('loses what is dropped: what needed it needs nothing any more', async () => {
    const kept = await openMenu()
    await press('Remove Child’s cut')
    await press('Remove Patch test')
    expect(names(kept())).toEqual(['Cut', 'Blow-dry', 'Root colour'])
    expect(kept().services.map(({ prerequisites }) => prerequisites)).toEqual([[], [], []])
    await press('Edit Root colour')
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Needed before' }).selectedOptions[0]?.textContent).toBe('Nothing')
    cleanup()
    renderKept(part)
    expect(within(screen.getByRole('list', { name: 'Services' })).getAllByRole('listitem')).toHaveLength(3)
  })

  it('comes back by one tap where something was dropped by mistake, with what needed it', async () => {
    const kept = await openMenu()
    const before = kept().services
    await press('Remove Patch test')
    await userEvent.type(screen.getByRole('textbox', { name: 'Price of Cut' }), '9')
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(kept().services).toEqual(before.map((one, at) => (at === 0 ? { ...one, price: `${one.price}9` } : one)))
  })

  it('of two categories asked for at once, both come, and what was typed meanwhile stays', async () => {
    const answers: (() => void)[] = []
    fakeServer({
      serviceStarters: ({ query }) =>
        new Promise((resolve) => answers.push(() => resolve({ items: query.get('category') === 'nails' ? nails : hair }))),
    })
    const { kept } = renderDraft({ categories: ['massage', 'hair', 'nails'] }, part)
    await press('Add a service')
    await press('Start with the menu for Nails')
    await userEvent.type(screen.getByRole('textbox', { name: 'Name of the service' }), 'Fringe')
    await press('Start with the menu for Hair')
    await waitFor(() => expect(answers).toHaveLength(2))
    await act(async () => answers[1]!())
    await act(async () => answers[0]!())
    await screen.findByRole('button', { name: 'Edit Manicure' })
    expect(names(kept())).toEqual(['Fringe', ...hair.map(({ name }) => name.en), 'Manicure'])
  })
})

describe('a service of the menu', () => {
  it('[K-02] has parts of 30, 40, 30 and 10 minutes, and its bar says the free hands', async () => {
    const kept = await openMenu()
    await press('Edit Root colour')
    await retype('At work (min)', '30')
    await retype('Waiting (min)', '40')
    expect(screen.getByText('Waiting time stands between two parts of work.')).toBeTruthy()
    await retype('At work again (min)', '30')
    await retype('Clean-up after (min)', '10')
    expect(screen.queryByText('Waiting time stands between two parts of work.')).toBeNull()
    expect(screen.getByRole('img', { name: '40 minutes free for other clients' }).textContent).toBe('3040 free30')
    expect(kept().services.at(-1)).toMatchObject({ active: '30', idle: '40', after: '30', buffer: '10' })
    await userEvent.click(screen.getAllByRole('button', { name: 'Done' }).at(-1)!)
    const line = screen.getByRole('button', { name: 'Edit Root colour' }).closest('li')!
    expect(within(line).getByText('100 min')).toBeTruthy()
    expect(within(line).getByRole('img', { name: '40 minutes free for other clients' })).toBeTruthy()
  })

  it('[K-02] of 33 minutes is refused beside the field, and the step says so until it is mended', async () => {
    const kept = await openMenu()
    await press('Edit Cut')
    await userEvent.click(screen.getByText('Another duration, waiting time, clean-up'))
    const field = await retype('At work (min)', '33')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe('In steps of 5.')
    const isWrong = () => problemsOf(kept()).some(({ what, of }) => what === 'serviceMinutes' && of?.en === 'Cut')
    expect(isWrong()).toBe(true)
    await retype('At work (min)', '35')
    expect([field.getAttribute('aria-invalid'), isWrong()]).toEqual([null, false])
    await retype('Clean-up after (min)', '245')
    expect(screen.getByText('At most 240 minutes.')).toBeTruthy()
    expect(screen.queryByText(/^Waiting time stands/)).toBeNull()
    expect(isWrong()).toBe(true)
  })

  it('[K-02] the fold of its parts stays open while somebody clears a field to type it anew, and hides nothing wrong', async () => {
    await openMenu()
    await press('Edit Cut')
    const fold = () => screen.getByText('Another duration, waiting time, clean-up').closest('details')!
    await userEvent.click(screen.getByText('Another duration, waiting time, clean-up'))
    await retype('Clean-up after (min)', '5')
    await retype('At work (min)', '33')
    await userEvent.clear(screen.getByRole('textbox', { name: 'Clean-up after (min)' }))
    expect(fold().open).toBe(true)
    await press('Edit Blow-dry')
    await press('Edit Cut')
    expect(fold().open).toBe(true)
  })

  it('[E-04] keeps a half-typed price as it was typed, also across a reload', async () => {
    await openMenu()
    await userEvent.type(screen.getByRole('textbox', { name: 'Price of Cut' }), '42,')
    await userEvent.type(screen.getByRole('textbox', { name: 'Price of Blow-dry' }), '3x')
    cleanup()
    renderKept(part)
    const shown = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
    expect(shown('Price of Cut').value).toBe('42,')
    expect(shown('Price of Cut').getAttribute('aria-invalid')).toBeNull()
    expect(shown('Price of Blow-dry').value).toBe('3x')
    expect(shown('Price of Blow-dry').getAttribute('aria-invalid')).toBe('true')
  })

  it('follows what is finished where its switch says so, and the fold of the rules stays open meanwhile', async () => {
    const kept = await openMenu()
    const follows = (at: number) => kept().services[at]?.isSequential
    const rules = () => screen.getByText('More rules').closest('details')!
    const sequential = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Only after what comes before is finished' })
    await press('Edit Cut')
    expect(rules().open).toBe(false)
    await press('Edit Blow-dry')
    expect([rules().open, sequential().checked]).toEqual([true, true])
    await userEvent.click(sequential())
    expect([follows(2), rules().open]).toEqual([false, true])
    await userEvent.click(sequential())
    expect(follows(2)).toBe(true)
  })

  it('has an age of its own: what is none is refused beside the field, and an empty one is any age', async () => {
    const kept = await openMenu()
    await press('Edit Child’s cut')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Age from' }).value).toBe('3')
    const ageIsWrong = () => problemsOf(kept()).some(({ what, of }) => what === 'serviceAge' && of?.en === 'Child’s cut')
    const field = await retype('Age from', '0')
    expect([field.getAttribute('aria-invalid'), ageIsWrong()]).toEqual(['true', true])
    expect(document.getElementById(`${field.id}-error`)?.textContent).toBe('From 1 to 99.')
    await retype('Age from', '6')
    expect([field.getAttribute('aria-invalid'), ageIsWrong(), kept().services[1]?.minimumAge]).toEqual([null, false, '6'])
    await userEvent.clear(field)
    expect([field.getAttribute('aria-invalid'), ageIsWrong()]).toEqual([null, false])
  })
})
