import type { MemberChange, Team, TeamMember, VisitOfMember } from '@soigne/contract/team'
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { keepSelectionStill } from '#/testing/still-selection.ts'
import { emptyWeek } from './shifts.ts'
import { TeamMemberContent } from './team-member.tsx'
import { TeamContent } from './team.tsx'

const [ines, salma] = ['019b8d2b-8c00-7286-a9fa-91d4fb44d101', '019b8d2b-8c00-7286-a9fa-91d4fb44d102']
const asked = vi.hoisted(() => ({ id: '019b8d2b-8c00-7286-a9fa-91d4fb44d101' }))
vi.mock('react-router', async (original) => ({ ...(await original<object>()), useParams: () => asked }))

configure({ defaultHidden: true })
keepSelectionStill()
beforeEach(() => {
  asked.id = ines
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const late = { opensAt: '12:00', closesAt: '20:00', breaks: [] }
const early = { opensAt: '09:00', closesAt: '17:00', breaks: [] }
const [weekA, weekB] = [
  { ...emptyWeek(), Tuesday: [late] },
  { ...emptyWeek(), Friday: [early] },
]
const memberOf = (id: string, name: string, weeks = [weekA, weekB]): TeamMember => ({
  _id: id,
  name,
  title: { en: 'Stylist' },
  bio: {},
  languages: ['English'],
  imageUrl: '/art/face/a.svg',
  bookableOnline: true,
  services: [],
  rotas: [{ anchorDay: '2026-11-23', fromDay: null, toDay: null, weeks }],
  availability: 'available',
  absences: [],
  days: [],
  shiftMinutes: 480,
  busyMinutes: 120,
  login: null,
  lastDay: null,
})
const team = (...items: TeamMember[]): Team => ({
  items,
  services: [],
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  today: '2026-11-24',
  openingHours: emptyWeek(),
})
const visitAt = (at: number): VisitOfMember => ({
  _id: `v${at}`,
  kind: 'visit',
  segment: 0,
  serviceName: 'Gel manicure',
  startsAt: '2026-11-27T09:00:00Z',
  endsAt: '2026-11-27T10:00:00Z',
  customer: `Client ${at}`,
  price: { amount: 3800, currency: 'EUR' },
  colleagues: [{ staffId: salma, name: 'Salma' }],
})

const answers = (items: TeamMember[], visits: VisitOfMember[] = []): Parameters<typeof fakeServer>[0] => ({
  me: () => owner,
  team: () => team(...items),
  members: () => refused(403, { code: 'forbidden', message: 'No.' }),
  visitsOfMember: () => ({ items: visits, timeZone: 'Europe/Paris' }),
  busyCalendar: () => ({ calendar: null, timeZone: 'Europe/Paris' }),
  changeTeamMember: ({ params }) => ({ _id: params['id'] ?? '', outside: [] }),
})

async function open(items = [memberOf(ines, 'Inès')], visits: VisitOfMember[] = []) {
  const seen = fakeServer(answers(items, visits))
  renderPart(<TeamMemberContent />, { at: `/mysalon/staff/${ines}` })
  await screen.findByLabelText('Name')
  return () => seen.find(({ name }) => name === 'changeTeamMember')?.body as MemberChange | undefined
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const ahead = () =>
  within(screen.getByRole('region', { name: 'The weeks ahead' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)

describe('a member', () => {
  it('[P-08] has weeks that take turns, shown as they fall, and A is copied to B', async () => {
    const sent = await open()
    expect(ahead().slice(0, 3)).toEqual(['23 NovA–12–20–––––', '30 NovB––––9–17––', '7 DecA–12–20–––––'])
    await userEvent.click(screen.getByRole('button', { name: 'Copy A to B' }))
    expect(ahead().slice(0, 2)).toEqual(['23 NovA–12–20–––––', '30 NovB–12–20–––––'])
    await save()
    await waitFor(() => expect(sent()?.rota).toEqual({ anchorDay: '2026-11-23', fromDay: '2026-11-24', weeks: [weekA, weekA] }))
  })

  it('is not left with something unsaved before that was asked about; what was saved is not asked about', async () => {
    fakeServer(answers([memberOf(ines, 'Inès')]))
    const { place } = renderPart(<TeamMemberContent />, { at: `/mysalon/staff/${ines}` })
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Inès B.' } })
    await userEvent.click(screen.getByRole('link', { name: 'Team' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getAllByRole('button')[0] as HTMLElement)
    expect([place(), (screen.getByLabelText('Name') as HTMLInputElement).value]).toEqual([`/mysalon/staff/${ines}`, 'Inès B.'])
    await save()
    await screen.findByText('Saved. The offered times follow at once.')
    await userEvent.click(screen.getByRole('link', { name: 'Team' }))
    await waitFor(() => expect(place()).toBe('/mysalon/staff'))
  })

  it('has weeks written ahead, which stay and can be changed in their place', async () => {
    const ines2 = memberOf(ines, 'Inès', [weekA])
    const later = { anchorDay: '2027-01-04', fromDay: '2027-01-01', toDay: null, weeks: [weekB] }
    const sent = await open([{ ...ines2, rotas: [...ines2.rotas, later] }])
    expect(screen.getByText(/From 1 January 2027 other weeks hold/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Change those' }))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Friday' }).checked).toBe(true)
    await userEvent.click(screen.getByRole('checkbox', { name: 'Friday' }))
    await save()
    await waitFor(() => expect(sent()?.rota).toEqual({ anchorDay: '2027-01-04', fromDay: '2027-01-01', weeks: [emptyWeek()] }))
  })

  it('keeps what they do and cannot be booked at present, when all of the list is chosen', async () => {
    const minutes = { activeMinutes: 40, idleMinutes: 0, activeAfterMinutes: 0 }
    const listed = { _id: salma, name: 'Cut', section: '', minutes, priceAmount: 4200 }
    const off = { serviceId: ines, minutes: null, priceAmount: 3000 }
    const seen = fakeServer({
      ...answers([{ ...memberOf(ines, 'Inès'), services: [off] }]),
      team: () => ({ ...team({ ...memberOf(ines, 'Inès'), services: [off] }), services: [listed] }),
    })
    renderPart(<TeamMemberContent />, { at: `/mysalon/staff/${ines}` })
    await userEvent.click(await screen.findByRole('button', { name: 'Choose all' }))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Cut' }).checked).toBe(true)
    await save()
    await waitFor(() => {
      const body = seen.find(({ name }) => name === 'changeTeamMember')?.body as MemberChange | undefined
      expect(body?.services?.map(({ serviceId }) => serviceId)).toEqual([ines, salma])
    })
  })

  it('who is new is added, and the team is shown without a question', async () => {
    asked.id = 'new'
    fakeServer({ ...answers([memberOf(salma, 'Salma')]), addTeamMember: () => ({ _id: ines }) })
    const { place } = renderPart(<TeamMemberContent />, { at: '/mysalon/staff/new' })
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Inès' } })
    await userEvent.click(screen.getByRole('button', { name: 'Add to the team' }))
    await waitFor(() => expect(place()).toBe('/mysalon/staff'))
  })

  it('who is to leave on a day may stay after all', async () => {
    const sent = await open([{ ...memberOf(ines, 'Inès'), lastDay: '2026-12-31' }])
    expect(screen.getByText('Their last day is Thursday 31 December.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Inès stays' }))
    expect(await screen.findByText('Inès stays. Their hours go on.')).toBeTruthy()
    expect(sent()).toEqual({ lastDay: null })
  })

  it('changes the week that is open and no other; a third begins as the one shown', async () => {
    const sent = await open()
    await userEvent.click(screen.getByRole('radio', { name: 'Week B' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Friday' }))
    await userEvent.click(screen.getByRole('radio', { name: '3 weeks' }))
    await save()
    await waitFor(() => expect(sent()?.rota?.weeks).toEqual([weekA, emptyWeek(), emptyWeek()]))
  })

  it('whose hours were not touched is saved without them', async () => {
    const sent = await open()
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Inès B.' } })
    await save()
    await waitFor(() => expect(sent()?.name).toBe('Inès B.'))
    expect(sent()).not.toHaveProperty('rota')
  })

  it('shows the first visits ahead, and all when asked; nobody leaves while one is left', async () => {
    await open(
      [memberOf(ines, 'Inès')],
      Array.from({ length: 9 }, (_, at) => visitAt(at)),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Show all 9 visits' }))
    expect(screen.getByText('Client 8')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show all 9 visits' })).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Inès leaves' }).disabled).toBe(true)
    expect(screen.getByText('9 visits need a colleague, another time or an end first.')).toBeTruthy()
  })

  it('says what becomes of its money, and is cancelled on purpose alone where another visit needs it', async () => {
    const visits = [{ serviceName: 'Root colour', startsAt: '2031-03-20T08:20:00.000Z' }]
    const needed = refused(409, { code: 'needed_by', message: 'Needed.', details: { visits, timeZone: 'Europe/Paris' } })
    const seen = fakeServer({
      ...answers([memberOf(ines, 'Inès')], [visitAt(0)]),
      visitCancellation: () => ({ refunded: { amount: 0, currency: 'EUR' }, sessions: 2 }),
      cancelInstituteVisit: ({ body }) => ((body as { anyway?: true }).anyway ? {} : needed) as never,
    })
    renderPart(<TeamMemberContent />, { at: `/mysalon/staff/${ines}` })
    const agree = async (title: string) =>
      userEvent.click(within(await screen.findByRole('alertdialog', { name: title })).getByRole('button', { name: 'confirm' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('2 sessions go back to their packages.')).toBeTruthy()
    await agree('End this visit?')
    expect(await screen.findByText(/^Root colour, Thursday 20 March.* at 9:20, needs this visit first\./)).toBeTruthy()
    await agree('Go on without this test?')
    const sent = () => seen.filter(({ name }) => name === 'cancelInstituteVisit').map(({ body }) => body)
    await waitFor(() => expect(sent()).toEqual([{}, { anyway: true }]))
  })

  it('who leaves on a later day is told when the login ends; without a day at once', async () => {
    await open()
    const leave = () => userEvent.click(screen.getByRole('button', { name: 'Inès leaves' }))
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Inès leaves' }).disabled).toBe(false))
    await leave()
    expect(await screen.findByText('Their login ends at once. What they did keeps their name.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'cancle' }))
    // The fifteenth of the month after the one that the calendar opens at.
    const field = screen.getByRole('group', { name: 'Last day' })
    await userEvent.click(within(field).getByRole('button'))
    await userEvent.click(screen.getAllByRole('button', { name: 'Next' })[0]!)
    await userEvent.click(within(screen.getByRole('grid')).getByRole('button', { name: /\b15\b/ }))
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Inès leaves' }).disabled).toBe(false))
    await leave()
    const until = await screen.findByText(/keeps their name/)
    expect(until.textContent).toMatch(/^Their login ends after .*\b15\b.*\. What they did keeps their name\.$/)
    await userEvent.click(screen.getByRole('button', { name: 'cancle' }))
  })

  it('has a calendar elsewhere: given, refused with what is wrong, and said when it fails', async () => {
    const hit = { _id: 'v1', startsAt: '2026-11-27T09:00:00Z', endsAt: '2026-11-27T10:00:00Z', customer: 'Camille' }
    let isGiven = false
    const calendar = { host: 'calendar.test', lastReadAt: '2026-11-24T08:05:00Z', problem: 'unreachable' as const, busy: 3, hits: [hit] }
    const seen = fakeServer({
      ...answers([memberOf(ines, 'Inès')]),
      busyCalendar: () => ({ calendar: isGiven ? calendar : null, timeZone: 'Europe/Paris' }),
      setBusyCalendar({ body }) {
        const { address } = body as { address: string }
        const details = { fields: { address: 'There is no calendar at this address.' } }
        if (address !== 'webcal://calendar.test/a') return refused(400, { code: 'bad_input', message: 'Please check.', details })
        isGiven = true
        return { message: 'The calendar is read.' }
      },
      removeBusyCalendar() {
        isGiven = false
        return { message: 'Removed.' }
      },
    })
    renderPart(<TeamMemberContent />, { at: `/mysalon/staff/${ines}` })
    const field = await screen.findByLabelText('Address of the calendar')
    fireEvent.change(field, { target: { value: 'https://x.test' } })
    await userEvent.click(screen.getByRole('button', { name: 'Read it' }))
    expect(await screen.findByText('There is no calendar at this address.')).toBeTruthy()
    fireEvent.change(field, { target: { value: 'webcal://calendar.test/a' } })
    await userEvent.click(screen.getByRole('button', { name: 'Read it' }))
    expect(await screen.findByText('calendar.test')).toBeTruthy()
    const part = within(screen.getByRole('region', { name: 'Busy elsewhere' }))
    expect(part.getByText(/at 9:05 · 3 busy stretches ahead\./)).toBeTruthy()
    expect(part.getByText('The calendar does not answer. What was read before still counts.')).toBeTruthy()
    expect(part.getByText('1 visit lies over it. It stays until you decide.')).toBeTruthy()
    await userEvent.click(part.getByRole('button', { name: 'Remove' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getAllByRole('button')[1] as HTMLElement)
    expect(await screen.findByLabelText('Address of the calendar')).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'removeBusyCalendar')).toHaveLength(1)
  })

  it('that is not of this team is said to be nobody', async () => {
    asked.id = salma
    fakeServer(answers([memberOf(ines, 'Inès')]))
    renderPart(<TeamMemberContent />, { at: `/mysalon/staff/${salma}` })
    expect(await screen.findByText('Nobody of this team.')).toBeTruthy()
    expect(screen.queryByLabelText('Name')).toBeNull()
  })
})

describe('the rota of everybody', () => {
  it('[P-08] copies week A to B for those whose weeks differ, once that was asked', async () => {
    const seen = fakeServer(answers([memberOf(ines, 'Inès'), memberOf(salma, 'Salma', [weekA, weekA])]))
    renderPart(<TeamContent />, { at: '/mysalon/staff' })
    await userEvent.click(await screen.findByRole('button', { name: 'Copy A to B' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText('From today on, week B of 1 person is as their week A.')).toBeTruthy()
    expect(seen.some(({ name }) => name === 'changeTeamMember')).toBe(false)
    await userEvent.click(within(question).getAllByRole('button')[1] as HTMLElement)
    expect(await screen.findByText('Week B of 1 person is as week A now.')).toBeTruthy()
    const changes = seen.filter(({ name }) => name === 'changeTeamMember')
    expect(changes.map(({ params, body }) => [params['id'], body])).toEqual([
      [ines, { rota: { anchorDay: '2026-11-23', fromDay: '2026-11-24', weeks: [weekA, weekA] } }],
    ])
  })

  it('offers no copy where nobody’s weeks differ', async () => {
    fakeServer(answers([memberOf(ines, 'Inès', [weekA]), memberOf(salma, 'Salma', [weekA, weekA])]))
    renderPart(<TeamContent />, { at: '/mysalon/staff' })
    await screen.findByRole('list', { name: 'Members of the team' })
    expect(screen.queryByRole('button', { name: 'Copy A to B' })).toBeNull()
  })
})
