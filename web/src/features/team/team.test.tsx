import type { Team, TeamMember } from '@soigne/contract/team'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { keepSelectionStill } from '#/testing/still-selection.ts'
import { emptyWeek, shiftsText, withinHours, workMinutes } from './shifts.ts'
import { TeamContent } from './team.tsx'

keepSelectionStill()
beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const nine = { opensAt: '09:00', closesAt: '18:00', breaks: [{ opensAt: '13:00', closesAt: '14:00' }] }
const monday = '2026-11-16'
const dayAt = (at: number): string => new Date(Date.parse(`${monday}T00:00:00Z`) + at * 86_400_000).toISOString().slice(0, 10)

const memberOf = (id: string, name: string, more: Partial<TeamMember> = {}): TeamMember => ({
  _id: id,
  name,
  title: { en: 'Stylist' },
  bio: {},
  languages: ['English'],
  imageUrl: '/art/face/a.svg',
  bookableOnline: true,
  services: [],
  rotas: [{ anchorDay: monday, fromDay: null, toDay: null, weeks: [emptyWeek()] }],
  availability: 'available',
  absences: [],
  days: Array.from({ length: 28 }, (_, at) => ({ day: dayAt(at), shifts: at % 7 === 1 ? [nine] : [], away: null, isReplaced: false })),
  shiftMinutes: 480,
  busyMinutes: 120,
  login: null,
  lastDay: null,
  ...more,
})
const away = { _id: 'a1', kind: 'sick_leave', fromDay: '2026-11-20', toDay: '2026-11-24', part: null, note: null, hits: 2 } as const
const openingHours = { ...emptyWeek(), Tuesday: [{ opensAt: '09:00', closesAt: '18:00' }] }
const team = (...items: TeamMember[]): Team => ({
  items,
  services: [],
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  today: '2026-11-20',
  openingHours,
})

function open(more: Parameters<typeof fakeServer>[0] = {}) {
  const items = [memberOf('m1', 'Inès'), memberOf('m2', 'Salma', { availability: 'sick_leave', absences: [away] })]
  const seen = fakeServer({ me: () => owner, team: () => team(...items), ...more })
  renderPart(<TeamContent />, { at: '/mysalon/staff' })
  return seen
}

describe('the team', () => {
  it('[E-12] shows who is there, who is away and until when, and how full the week is', async () => {
    open()
    const members = await screen.findByRole('list', { name: 'Members of the team' })
    const [first, second] = within(members).getAllByRole('listitem')
    expect(first?.textContent).toContain('25% full this week')
    expect(second?.textContent).toContain('Sick Leave')
    expect(second?.textContent).toContain('Back Wed 25 Nov')
    expect(screen.getByText(/2 people\.\s1 is away today\./)).toBeTruthy()
    expect(screen.getByRole('link', { name: '2 visits' }).getAttribute('href')).toBe('/mysalon/staff/m2#visits')
  })

  it('is put into an order by buttons', async () => {
    const seen = open({ orderTeam: () => ({ message: 'Saved.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Move Inès back' }))
    await waitFor(() => expect(seen.find(({ name }) => name === 'orderTeam')?.body).toEqual({ ids: ['m2', 'm1'] }))
  })

  it('[P-08] gives one day other hours, and says which visits that leaves outside', async () => {
    const outside = [
      { _id: 'v1', kind: 'visit' as const, startsAt: '2026-11-17T09:00:00Z', endsAt: '2026-11-17T10:00:00Z', customer: 'Ana' },
    ]
    const seen = open({ setDayShifts: () => ({ outside }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Inès, Tuesday 24 November: 9–18' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Day off' }))
    expect(await screen.findByText('1 visit is outside these hours now.')).toBeTruthy()
    const asked = seen.find(({ name }) => name === 'setDayShifts')
    expect([asked?.params, asked?.body]).toEqual([{ id: 'm1', day: '2026-11-24' }, { shifts: [] }])
  })

  it('shows the breaks of the day, of which those outside its new hours are left out', async () => {
    const seen = open({ setDayShifts: () => ({ outside: [] }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Inès, Tuesday 24 November: 9–18' }))
    expect(await screen.findByText('13:00–14:00')).toBeTruthy()
    const [until] = screen.getAllByRole('group', { name: 'Until' })
    await userEvent.click(within(until as HTMLElement).getByRole('spinbutton', { name: /hour/ }))
    await userEvent.keyboard('12')
    expect(screen.queryByText('13:00–14:00')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(seen.find(({ name }) => name === 'setDayShifts')?.body).toEqual({
        shifts: [{ opensAt: '09:00', closesAt: '12:00', breaks: [] }],
      }),
    )
  })

  it('[E-12] says what time off would meet before it is said', async () => {
    const answer = { status: 'on_holiday', fromDay: '2026-11-20', toDay: '2026-11-20' } as const
    const met = {
      _id: 'v1',
      kind: 'visit' as const,
      startsAt: '2026-11-20T09:00:00Z',
      endsAt: '2026-11-20T10:00:00Z',
      customer: 'Ana Ruiz',
    }
    const seen = open({ setAvailability: () => ({ ...answer, appointments: [met] }) })
    await screen.findByRole('list', { name: 'Members of the team' })
    await userEvent.click(screen.getByRole('button', { name: 'Time off' }))
    expect(await screen.findByText('Ana Ruiz')).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'setAvailability').every(({ query }) => query.get('dryRun') === '1')).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Mark as away' }))
    await waitFor(() => expect(seen.some(({ name, query }) => name === 'setAvailability' && query.get('dryRun') === null)).toBe(true))
  })
})

describe('shifts', () => {
  it('are counted without their breaks, also into the night', () => {
    expect(workMinutes([nine])).toBe(480)
    expect(workMinutes([{ opensAt: '20:00', closesAt: '02:00', breaks: [] }])).toBe(360)
    const late = { opensAt: '20:00', closesAt: '04:00', breaks: [{ opensAt: '00:30', closesAt: '01:00' }] }
    const breaks = ['02:00', '00:45'].map((closesAt) => withinHours({ ...late, closesAt }).breaks)
    expect(breaks).toEqual([late.breaks, []])
    expect(shiftsText([nine, { opensAt: '19:20', closesAt: '21:00', breaks: [] }])).toBe('9–18, 19:20–21')
  })
})
