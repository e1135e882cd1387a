// The settings of an institute on screen: what is changed, what is sent, and what is hit.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import InstituteSettingsPage from './institute-settings-page.tsx'
import { overlaps } from './week-editor.tsx'

const pages = { '/mysalon/settings': <InstituteSettingsPage />, '/mysalon/settings/:part': <InstituteSettingsPage /> } as const

const nineToSix = [{ opensAt: '09:00', closesAt: '18:00' }]
const settings: InstituteSettings = {
  _id: 'i-nacre',
  slug: 'atelier-nacre',
  city: 'Lyon',
  countryCode: 'FR',
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  profile: {
    name: 'Atelier Nacre',
    description: { en: 'An hour of your own.' },
    email: '',
    phone: '',
    website: '',
    addressLine: '1 rue des Capucins',
    postalCode: '69001',
    categories: ['nails'],
    audience: ['All'],
    languages: ['French'],
    atHome: false,
    atHomeRadiusKm: null,
  },
  openingHours: (['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const).map((weekday) => ({
    weekday,
    ranges: weekday === 'Sunday' ? [] : nineToSix,
  })),
  rules: {
    gridMinutes: 20,
    noticeMinutes: 60,
    horizonDays: 90,
    maxWaitMinutes: 0,
    gapPolicy: 'rank',
    serviceOrder: 'given',
    cancelWindowMinutes: 120,
    rescheduleWindowMinutes: 360,
  },
  payments: { payAtSalon: true, paymentMethods: ['card'], deposit: { kind: 'none' } },
  documents: { legalName: null, vatNumber: null, vatBasisPoints: null },
  paymentAccount: null,
  usualVatBasisPoints: 2000,
  notifications: [
    {
      userId: 'u1',
      name: 'Odile Benali',
      level: 'owner',
      choices: [
        { kind: 'booked', channel: 'bell', isOn: true },
        { kind: 'booked', channel: 'mail', isOn: false },
        { kind: 'messages', channel: 'mail', isOn: true },
      ],
    },
    { userId: 'u2', name: 'Karim', level: 'staff', choices: [{ kind: 'booked', channel: 'bell', isOn: true }] },
  ],
}
const all = ['diary.read', 'institute.change', 'people.change', 'institute.export'] as const
const permissions = (own: readonly (typeof all)[number][] = all) => ({
  permissions: [...all],
  levels: [
    { level: 'owner' as const, may: [...all] },
    { level: 'staff' as const, may: ['diary.read' as const] },
  ],
  own: [...own],
})
const hit = {
  _id: 'a-1',
  startsAt: '2030-12-25T09:00:00Z',
  endsAt: '2030-12-25T10:00:00Z',
  customer: { name: 'Camille' },
  services: ['Cut'],
  staff: ['Inès'],
}
const closures = {
  items: [
    {
      _id: 'c-1',
      fromDay: '2030-12-24',
      toDay: '2030-12-24',
      part: { opensAt: '16:00', closesAt: '24:00' },
      reason: 'Early evening',
      visits: 1,
      isBookable: true,
    },
  ],
  holidays: {
    country: 'FR',
    countryName: 'France',
    region: null,
    items: [{ day: '2030-12-25', name: 'Christmas', closureId: null, isOpenDay: true }],
  },
}
type Handlers = Parameters<typeof fakeServer>[0]
const server = (more: Handlers = {}) =>
  fakeServer({
    me: () => owner,
    chats: () => ({ items: [], page: 1, pageSize: 10, total: 0, unread: 0 }),
    ownPermissions: () => permissions(),
    instituteSettings: () => settings,
    closures: () => closures,
    changeInstituteSettings: ({ body }) => ({ settings: { ...settings, ...(body as object) }, outside: [] }),
    ...more,
  })
const sent = (seen: ReturnType<typeof server>, name: string) => seen.filter((one) => one.name === name).map(({ body }) => body)

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

describe('a part of the settings', () => {
  it('[P-11] counts what was changed, undoes it, and sends only itself', async () => {
    const seen = server()
    renderSite('/mysalon/settings/rules', pages)
    fireEvent.click(within(await screen.findByRole('radiogroup', { name: 'Times are offered every' })).getByLabelText('30'))
    fireEvent.click(within(screen.getByRole('radiogroup', { name: 'Cancel free until' })).getByLabelText('Never'))
    expect(screen.getByText(/^2 changes\. Visits already booked keep the rules/)).toBeTruthy()
    expect(screen.getByText('To cancel, call Atelier Nacre.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    fireEvent.click(within(screen.getByRole('radiogroup', { name: 'Times are offered every' })).getByLabelText('30'))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Saved. Clients see it now.')
    expect(sent(seen, 'changeInstituteSettings')).toEqual([{ rules: { ...settings.rules, gridMinutes: 30 } }])
  })

  it('keeps what was typed where it is refused, and says why at the field', async () => {
    server({
      changeInstituteSettings: () =>
        refused(400, {
          code: 'bad_input',
          message: 'Please check.',
          details: { fields: { 'profile.website': 'This is not an address.' } },
        }),
    })
    renderSite('/mysalon/settings/profile', pages)
    fireEvent.change(await screen.findByLabelText('Website'), { target: { value: 'nacre' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('This is not an address.')).toBeTruthy()
    expect((screen.getByLabelText('Website') as HTMLInputElement).value).toBe('nacre')
  })

  it('is not left for another with something unsaved before that was asked about', async () => {
    server()
    const { place } = renderSite('/mysalon/settings/profile', pages)
    fireEvent.change(await screen.findByLabelText('Website'), { target: { value: 'https://nacre.test' } })
    fireEvent.click(screen.getByRole('link', { name: 'Rules' }))
    fireEvent.click(within(await screen.findByRole('alertdialog')).getAllByRole('button')[0] as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(place()).toBe('/mysalon/settings/profile')
    expect(screen.getByDisplayValue('https://nacre.test')).toBeTruthy()
  })

  it('keeps one way to pay', async () => {
    const seen = server()
    renderSite('/mysalon/settings/payments', pages)
    fireEvent.click(await screen.findByLabelText('Pay at the salon'))
    fireEvent.click(screen.getByLabelText('Card'))
    expect(screen.getByText('Keep at least one way to pay.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(sent(seen, 'changeInstituteSettings')).toEqual([])
  })
})

describe('who of the team is told of what', () => {
  it('is chosen person by person, and offers each what concerns them', async () => {
    const seen = server()
    renderSite('/mysalon/settings/notifications', pages)
    fireEvent.click(await screen.findByRole('switch', { name: 'New booking, Email, Odile Benali' }))
    expect(screen.queryByRole('switch', { name: 'Messages, Bell, Odile Benali' })).toBeNull()
    fireEvent.change(screen.getByLabelText('Person'), { target: { value: 'u2' } })
    expect(screen.getByText('Of their own visits.')).toBeTruthy()
    expect(screen.getAllByRole('switch')).toHaveLength(1)
    fireEvent.click(screen.getByRole('switch', { name: 'New booking, Bell, Karim' }))
    expect(screen.getByText('2 changes.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    const [body] = sent(seen, 'changeInstituteSettings') as [{ notifications: InstituteSettings['notifications'] }]
    expect(body.notifications.map(({ userId, choices }) => [userId, choices.map(({ isOn }) => isOn)])).toEqual([
      ['u1', [true, true, true]],
      ['u2', [false]],
    ])
  })
})

describe('hours and closures', () => {
  it('[P-11] open and close days, and name the visits that are left outside', async () => {
    const seen = server({ changeInstituteSettings: () => ({ settings, outside: [hit] }) })
    renderSite('/mysalon/settings/hours', pages)
    fireEvent.click(await screen.findByRole('switch', { name: 'Monday' }))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('1 visit is now outside your hours.')).toBeTruthy()
    expect(screen.getByText('Camille')).toBeTruthy()
    const [body] = sent(seen, 'changeInstituteSettings') as [{ openingHours: InstituteSettings['openingHours'] }]
    expect(body.openingHours[0]).toEqual({ weekday: 'Monday', ranges: [] })
    expect(overlaps([{ weekday: 'Monday', ranges: [...nineToSix, { opensAt: '17:00', closesAt: '19:00' }] }])).toEqual(new Set(['Monday']))
  })

  it('[P-11] show the visits a closure would hit before anything is closed', async () => {
    const seen = server({ close: ({ query }) => ({ closure: null, hits: query.get('dryRun') ? [hit] : [] }) })
    renderSite('/mysalon/settings/hours', pages)
    expect(await screen.findByText('1 visit to move')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Add' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }))
    expect(await screen.findByText('1 visit is booked then.')).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'close')).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'Close and keep them' }))
    await waitFor(() => expect(seen.filter(({ name }) => name === 'close')).toHaveLength(2))
  })

  it('[P-11] close on a public holiday with one tap', async () => {
    const seen = server({ close: () => ({ closure: null, hits: [hit] }) })
    renderSite('/mysalon/settings/hours', pages)
    fireEvent.click(await screen.findByRole('switch', { name: 'Closed on Christmas' }))
    expect(await screen.findByText('Closed. 1 visit is in it.')).toBeTruthy()
    expect(sent(seen, 'close')).toEqual([{ fromDay: '2030-12-25', isHoliday: true }])
  })
})

describe('permissions', () => {
  it('[R-11] are those of the server, and the only part for whoever may change nothing', async () => {
    server({ ownPermissions: () => permissions(['diary.read']) })
    renderSite('/mysalon/settings', pages)
    const table = await screen.findByRole('table', { name: 'What each level may do' })
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toContain('Give and end loginsYes–No')
    const nav = screen.getByRole('navigation', { name: 'Parts of the settings' })
    expect(
      within(nav)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['Permissions'])
  })

  it('let the owner give another level and invite somebody', async () => {
    const member = {
      _id: 'u-2',
      state: 'joined' as const,
      email: 'sofia@example.test',
      firstName: 'Sofia',
      lastName: null,
      level: 'staff' as const,
      staffId: null,
      since: '2030-01-01T00:00:00Z',
      isMe: false,
    }
    const seen = server({
      members: () => ({ items: [member] }),
      changeMember: () => member,
      addMember: () => ({ ...member, state: 'invited' }),
    })
    renderSite('/mysalon/settings/permissions', pages)
    fireEvent.change(await screen.findByLabelText('Level of Sofia'), { target: { value: 'reception' } })
    await waitFor(() => expect(sent(seen, 'changeMember')).toEqual([{ level: 'reception' }]))
    fireEvent.click(screen.getByRole('button', { name: 'Invite a person' }))
    fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'noe@example.test' } })
    fireEvent.click(screen.getByRole('button', { name: 'Send invitation' }))
    await waitFor(() => expect(sent(seen, 'addMember')).toEqual([{ email: 'noe@example.test', level: 'staff' }]))
  })
})

describe('everything as a file', () => {
  it('is asked for with health notes only where somebody wants them', async () => {
    const seen = server({ exportInstitute: () => new Blob(['zip'], { type: 'application/zip' }) })
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
    renderSite('/mysalon/settings/export', pages)
    const download = await screen.findByRole('button', { name: 'Download everything' })
    fireEvent.click(download)
    expect(await screen.findByText('Your file is saved.')).toBeTruthy()
    fireEvent.click(screen.getByRole('switch', { name: 'With allergies and formulas' }))
    fireEvent.click(download)
    await waitFor(() => expect(sent(seen, 'exportInstitute')).toEqual([{ health: false }, { health: true }]))
  })

  it('is offered to nobody else', async () => {
    server({ ownPermissions: () => permissions(['diary.read', 'institute.change']) })
    renderSite('/mysalon/settings/export', pages)
    expect(await screen.findByRole('heading', { name: 'Profile' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Export' })).toBeNull()
  })
})
