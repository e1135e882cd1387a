// A member on two screens: each stores what was changed on it, and nothing of what it had read before.
import type { Team, TeamMember } from '@soigne/contract/team'
import { act, cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { keepSelectionStill } from '#/testing/still-selection.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { emptyWeek } from './shifts.ts'
import { TeamMemberContent } from './team-member.tsx'

vi.mock('react-router', async (original) => ({
  ...(await original<object>()),
  useParams: () => ({ id: '019b8d2b-8c00-7286-a9fa-91d4fb44d101' }),
}))

configure({ defaultHidden: true })
keepSelectionStill()
beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const [ines, cut, colour] = [1, 3, 4].map((n) => `019b8d2b-8c00-7286-a9fa-91d4fb44d10${n}`) as [string, string, string]
const week = { ...emptyWeek(), Tuesday: [{ opensAt: '12:00', closesAt: '20:00', breaks: [] }] }
const does = (serviceId: string, priceAmount: number | null = null) => ({ serviceId, minutes: null, priceAmount })
const member: TeamMember = {
  _id: ines,
  name: 'Inès',
  title: { en: 'Stylist', fr: 'Coiffeuse' },
  bio: {},
  languages: ['English'],
  imageUrl: '/art/face/a.svg',
  bookableOnline: true,
  services: [does(cut)],
  rotas: [{ anchorDay: '2026-11-23', fromDay: null, toDay: null, weeks: [week] }],
  availability: 'available',
  absences: [],
  days: [],
  shiftMinutes: 0,
  busyMinutes: 0,
  login: null,
  lastDay: null,
}
const minutes = { activeMinutes: 40, idleMinutes: 0, activeAfterMinutes: 0 }

/** The form is open, and somebody else stores something; what is sent is stored too. */
async function open() {
  let stored = member
  const teamOf = (): Team => ({
    items: [stored],
    services: [
      { _id: cut, name: 'Cut', section: '', minutes, priceAmount: 4200 },
      { _id: colour, name: 'Colour', section: '', minutes, priceAmount: 6000 },
    ],
    timeZone: 'Europe/Paris',
    currency: 'EUR',
    today: '2026-11-24',
    openingHours: emptyWeek(),
  })
  const elsewhere = (change: Partial<TeamMember>): void => void (stored = { ...stored, ...change })
  const seen = fakeServer({
    me: () => owner,
    team: teamOf,
    members: () => refused(403, { code: 'forbidden', message: 'No.' }),
    visitsOfMember: () => ({ items: [], timeZone: 'Europe/Paris' }),
    busyCalendar: () => ({ calendar: null, timeZone: 'Europe/Paris' }),
    changeTeamMember({ body }) {
      const { rota, ...facts } = body as Partial<TeamMember> & { rota?: { anchorDay: string; fromDay: string | null; weeks: [] } }
      elsewhere({ ...facts, ...(rota && { rotas: [...member.rotas, { ...rota, toDay: null }] }) })
      return { _id: ines, outside: [] }
    },
  })
  renderPart(<TeamMemberContent />, { at: `/mysalon/staff/${ines}` })
  await screen.findByLabelText('Name')
  return { elsewhere, sent: () => seen.filter(({ name }) => name === 'changeTeamMember').map(({ body }) => body) }
}
const type = (label: string, value: string): boolean => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const tick = (name: string) => userEvent.click(screen.getByRole('checkbox', { name }))

it('keeps the services, the words in another language and the weeks that the other stored meanwhile', async () => {
  const { elsewhere, sent } = await open()
  const friday = { ...emptyWeek(), Friday: week.Tuesday }
  elsewhere({
    title: { en: 'Stylist', fr: 'Coiffeuse-coloriste' },
    services: [does(cut, 4500)],
    rotas: [{ anchorDay: '2026-11-23', fromDay: null, toDay: null, weeks: [friday] }],
  })
  type('Title', 'Colourist')
  await tick('Colour')
  await save()
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toEqual({
    title: { en: 'Colourist', fr: 'Coiffeuse-coloriste' },
    services: [does(cut, 4500), does(colour)],
  })
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Friday' }).checked).toBe(true))
})

it('says where both changed the weeks; saved again they are stored', async () => {
  const { elsewhere, sent } = await open()
  elsewhere({ name: 'Inès B.', rotas: [{ anchorDay: '2026-11-23', fromDay: null, toDay: null, weeks: [emptyWeek()] }] })
  await tick('Friday')
  await save()
  expect(await screen.findByText(/^Some of this was changed on another screen meanwhile\./)).toBeTruthy()
  expect(sent()).toEqual([])
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Inès B.')
  await save()
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(Object.keys(sent()[0] as object)).toEqual(['rota'])
})

it('takes its own weeks of before, also those that begin later, for nobody else’s', async () => {
  const { sent } = await open()
  await tick('Friday')
  await save()
  await screen.findByText('Saved. The offered times follow at once.')
  await tick('Friday')
  await save()
  await waitFor(() => expect(sent()).toHaveLength(2))
  type('Title', 'Colourist')
  await save()
  await waitFor(() => expect(sent()).toHaveLength(3))
  expect(sent()[2]).toEqual({ title: { en: 'Colourist', fr: 'Coiffeuse' } })
})
