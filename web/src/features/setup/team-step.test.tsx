import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { professional } from '#/testing/people.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { closedWeek, type SetupDraft } from './draft/draft.ts'
import { draftToSend } from './draft/send-draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { TeamStep } from './team-step.tsx'
import { renderDraft, renderKept } from '#/testing/render-draft.tsx'

/** The Sunday before week A begins. */
const today = '2026-11-29'
const range = (opensAt: string, closesAt: string) => ({ opensAt, closesAt })
const shift = (opensAt: string, closesAt: string, ...breaks: ReturnType<typeof range>[]) => ({ opensAt, closesAt, breaks })

const part = (draft: SetupDraft, change: DraftChange) => <TeamStep draft={draft} change={change} user={professional} today={today} />
const openingHours = { ...closedWeek(), Tuesday: [range('09:00', '19:00')], Saturday: [range('09:00', '18:00')] }

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
})

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const choose = (group: string, name: string) =>
  userEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name }))
const turn = (day: string) => userEvent.click(screen.getByRole('switch', { name: day }))
const select = (name: string, time: string, at = 0) => userEvent.selectOptions(screen.getAllByRole('combobox', { name })[at]!, time)
const done = () => userEvent.click(screen.getAllByRole('button', { name: 'Done' }).at(-1)!)
const ahead = () =>
  within(screen.getByRole('list', { name: 'The weeks ahead' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.replaceAll('\u00A0', ' '))

async function addPerson(name: string) {
  await press('Add a person')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name of the person' }), name)
  await choose('Working hours', 'Own hours')
}

describe('the team', () => {
  it('has whoever sets it up, who works as the institute is open', () => {
    const { kept } = renderDraft({ openingHours }, part)
    expect(kept().staff).toMatchObject([{ name: 'Noor Haddad', isMe: true, hours: 'salon' }])
  })

  it('has whoever was removed by mistake again by one tap, themselves too', async () => {
    const { kept } = renderDraft({ openingHours }, part)
    await addPerson('Karim')
    await done()
    const before = kept().staff
    await press('Remove Noor Haddad')
    expect(kept().staff.map(({ name }) => name)).toEqual(['Karim'])
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(kept().staff).toEqual(before)
  })

  it('[U-02] [E-12] has two weeks that take turns, shown as they fall across the end of a year of 53 weeks', async () => {
    const { kept } = renderDraft({ openingHours }, part)
    await addPerson('Karim')
    await select('Saturday, closes at', '18:00')
    await turn('Tuesday')
    await press('Add a break')
    await turn('Friday')
    await choose('Repeats after', '2 weeks')
    // Week B is shown next, as a copy of the first.
    await turn('Saturday')
    await turn('Tuesday')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Week A begins on' }), '2026-11-30')
    const karim = kept().staff[1]!
    expect(karim).toMatchObject({ name: 'Karim', hours: 'own', anchorDay: '2026-11-30' })
    expect(karim.weeks.map(({ Tuesday, Friday, Saturday }) => [Tuesday, Friday, Saturday])).toEqual([
      [[], [shift('09:00', '18:00')], [shift('09:00', '18:00', range('13:00', '14:00'))]],
      [[shift('09:00', '18:00')], [shift('09:00', '18:00')], []],
    ])
    expect(ahead()).toEqual([
      'AFri 4 Dec · Sat 5',
      'BTue 8 Dec · Fri 11',
      'AFri 18 Dec · Sat 19',
      'BTue 22 Dec · Fri 25',
      'AFri 1 Jan · Sat 2',
      'BTue 5 Jan · Fri 8',
      'AFri 15 Jan · Sat 16',
    ])
  })
})

describe('the hours of a person', () => {
  it('[U-02] are shifts with a pause between them, and a break within, as they were entered, across a reload', async () => {
    const services: SetupDraft['services'] = []
    const { kept } = renderDraft({ openingHours, services }, part)
    await addPerson('Lucie')
    await select('Tuesday, closes at', '14:00')
    await select('Tuesday, opens at', '10:00')
    await press('Add a range on Tuesday')
    await select('Tuesday, opens at', '16:00', 1)
    await select('Tuesday, closes at', '19:00', 1)
    await select('Saturday, opens at', '11:00')
    await userEvent.click(screen.getAllByRole('button', { name: 'Add a break' }).at(-1)!)
    await select('Saturday, Break, opens at', '12:20')
    await select('Saturday, Break, closes at', '13:00')
    await done()
    cleanup()
    renderKept(part)
    await press('Edit Lucie')
    const times = (name: string) => screen.getAllByRole<HTMLSelectElement>('combobox', { name }).map(({ value }) => value)
    expect([times('Tuesday, opens at'), times('Tuesday, closes at')]).toEqual([
      ['10:00', '16:00'],
      ['14:00', '19:00'],
    ])
    expect([times('Saturday, Break, opens at'), times('Saturday, Break, closes at')]).toEqual([['12:20'], ['13:00']])
    expect(kept().staff[1]?.weeks).toMatchObject([
      { Tuesday: [shift('10:00', '14:00'), shift('16:00', '19:00')], Saturday: [shift('11:00', '18:00', range('12:20', '13:00'))] },
    ])
  })

  it('have a break that is first proposed within the shift, and refused beside its fields outside of it', async () => {
    renderDraft({ openingHours: { ...closedWeek(), Friday: [range('15:00', '19:00')] } }, part)
    await addPerson('Lucie')
    await press('Add a break')
    const opens = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Friday, Break, opens at' })
    const closes = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Friday, Break, closes at' })
    expect([opens().value, closes().value, opens().getAttribute('aria-invalid')]).toEqual(['16:30', '17:30', null])
    await userEvent.selectOptions(closes(), '20:00')
    expect(document.getElementById(closes().getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Each range ends after it begins, and before the next one.',
    )
    await press('Remove the break on Friday')
    expect(screen.queryByText('Each range ends after it begins, and before the next one.')).toBeNull()
  })

  it('are sent with the Monday on which they begin', async () => {
    const place = { name: 'Lyon', lat: 45.7, lon: 4.8, timeZone: 'Europe/Paris', countryCode: 'FR', currency: 'EUR' }
    const cut = {
      key: 'cut',
      category: 'hair' as const,
      section: {},
      name: { en: 'Cut' },
      description: {},
      active: '40',
      idle: '',
      after: '',
    }
    const services = [
      {
        ...cut,
        buffer: '',
        isSequential: false,
        minimumAge: '',
        priceKind: 'fixed' as const,
        price: '42',
        audience: 'All' as const,
        prerequisites: [],
      },
    ]
    const { kept } = renderDraft({ openingHours, place, services, name: 'Atelier', address: '1 rue', categories: ['hair'] }, part)
    await addPerson('Karim')
    await choose('Repeats after', '2 weeks')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Week A begins on' }), '2026-11-30')
    expect(draftToSend(kept(), '2026-11-23')?.staff.map(({ anchorDay, weeks }) => [anchorDay, weeks.length])).toEqual([
      ['2026-11-23', 1],
      ['2026-11-30', 2],
    ])
  })
})
