import { channels, choiceKinds, type NotificationChoice } from '@soigne/contract/notifications'
import type { Device } from '@soigne/contract/settings'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storageKeys, writeStored } from '#/platform/storage.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { kept, middle, sideOf } from './crop.ts'
import { SettingsContent } from './settings-content.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  delete document.documentElement.dataset['theme']
})

const profile = {
  email: client.email,
  firstName: 'Ann',
  lastName: 'Lindqvist',
  phone: '',
  locale: 'en' as const,
  hasPassword: true,
  hasProvider: false,
}
const deviceOf = (id: string, more: Partial<Device>): Device => ({
  _id: id,
  browser: 'Firefox',
  system: 'Windows',
  isPhone: false,
  signedInAt: '2026-11-01T10:00:00.000Z',
  lastSeenAt: '2026-11-02T10:00:00.000Z',
  isCurrent: false,
  ...more,
})

function open(more: Parameters<typeof fakeServer>[0] = {}) {
  const devices = [deviceOf('d1', { isCurrent: true }), deviceOf('d2', { browser: 'Safari', system: 'iPhone', isPhone: true })]
  const seen = fakeServer({
    me: () => client,
    ownProfile: () => profile,
    devices: () => ({ items: devices }),
    notificationChoices: () => ({ items: [] }),
    calendars: () => ({ provider: null, connection: null, feed: null }),
    ...more,
  })
  renderPart(<SettingsContent />, { at: '/settings' })
  return seen
}

describe('settings', () => {
  it('[R-14] [C-18] save the profile as it was typed', async () => {
    const seen = open({ updateProfile: () => ({ message: 'Saved.' }) })
    const phone = await screen.findByLabelText('Phone')
    await userEvent.type(phone, '06 12 34 56 78')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'updateProfile')?.body).toEqual({
      firstName: 'Ann',
      lastName: 'Lindqvist',
      phone: '06 12 34 56 78',
    })
  })

  it('[C-18] take a phone as keyboards and address books give it: in Arabic digits, between marks that nobody sees', async () => {
    const seen = open({ updateProfile: () => ({ message: 'Saved.' }) })
    const phone = await screen.findByLabelText('Phone')
    await userEvent.type(phone, '\u202a+٢١٢\u00a0٦ ۱۲‑34 56 78\u202c')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'updateProfile')?.body).toMatchObject({ phone: '+212 6 12-34 56 78' })
  })

  it('show nobody the profile of who was logged in here before, whose session ended by itself', async () => {
    let [user, own] = [client, profile]
    open({ me: () => user, ownProfile: () => own, updateProfile: () => ({ message: 'Saved.' }) })
    expect((await screen.findByLabelText<HTMLInputElement>('First name')).value).toBe('Ann')
    user = { ...client, id: 'another', email: 'bea@example.test', firstName: 'Bea' }
    own = { ...profile, email: 'bea@example.test', firstName: 'Bea' }
    act(() => writeStored(storageKeys.token, 'u'))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Bea'))
  })

  it('say what is wrong at its field, before anything is sent, and keep what was typed', async () => {
    const seen = open()
    const first = await screen.findByLabelText('First name')
    await userEvent.clear(first)
    await userEvent.type(screen.getByLabelText('Phone'), 'call me')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter a phone number with digits, such as +33 6 12 34 56 78.')).toBeTruthy()
    expect(first.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('call me')
    expect(seen.some(({ name }) => name === 'updateProfile')).toBe(false)
  })

  it('[C-19] show a wrong password at its field, keep the session, and close the form once it is changed', async () => {
    let isRight = false
    open({
      changeOwnPassword: () =>
        isRight
          ? { message: 'Password changed. You’re logged out everywhere else.' }
          : refused(400, { code: 'bad_input', message: 'No', details: { fields: { currentPassword: 'That is not your password.' } } }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Change password' }))
    await userEvent.type(screen.getByLabelText('Current password'), 'wrong')
    await userEvent.type(screen.getByLabelText('New password'), 'loud evening coffee')
    const send = screen.getByRole('button', { name: 'Change my password' })
    await userEvent.click(send)
    expect(await screen.findByText('That is not your password.')).toBeTruthy()
    expect(localStorage.getItem('AuthToken')).toBe('t')
    isRight = true
    await userEvent.click(send)
    expect(await screen.findByText('Password changed. You’re logged out everywhere else.')).toBeTruthy()
    expect(screen.queryByLabelText('New password')).toBeNull()
  })

  it('say that an account has no password, mail the link that sets one, and do not ask for it at the end of the account', async () => {
    const seen = open({
      ownProfile: () => ({ ...profile, hasPassword: false }),
      requestPasswordReset: () => ({ message: 'A link is on its way.' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Set a password' }))
    // Its page is for guests alone: whoever is still logged in would be led home.
    expect(await screen.findByText(/^Log out here first, then open the link in the email to ann@example.test/)).toBeTruthy()
    expect(seen.find(({ name }) => name === 'requestPasswordReset')?.body).toEqual({ email: client.email })
    expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Erase' }))
    expect(await screen.findByText(/^Erasing asks for your password\./)).toBeTruthy()
    expect(screen.queryByLabelText('Current password')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Log out of this device' }))
    await waitFor(() => expect(localStorage.getItem('AuthToken')).toBeNull())
  })

  it('silence one kind in one place at once, and show it as it was when that is refused', async () => {
    const choices = choiceKinds.flatMap((kind) => channels.map((channel) => ({ kind, channel, isOn: true })))
    let isRefused = false
    const seen = open({
      notificationChoices: () => ({ items: choices }),
      chooseNotifications({ body }) {
        if (isRefused) return refused(503, { code: 'unavailable', message: 'Not now.' })
        const one = body as NotificationChoice
        Object.assign(choices.find(({ kind, channel }) => kind === one.kind && channel === one.channel) ?? {}, one)
        return { message: 'Saved.' }
      },
    })
    const offers = await screen.findByRole<HTMLInputElement>('switch', { name: 'Waiting list: Email' })
    await userEvent.click(offers)
    expect(offers.checked).toBe(false)
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Waiting list: Bell' }).checked).toBe(true)
    expect(seen.find(({ name }) => name === 'chooseNotifications')?.body).toEqual({ kind: 'offers', channel: 'mail', isOn: false })
    // A message rings no bell, so that there is nothing to silence.
    expect(screen.queryByRole('switch', { name: 'Messages: Bell' })).toBeNull()
    isRefused = true
    await userEvent.click(offers)
    expect(await screen.findByText('Not now.')).toBeTruthy()
    await waitFor(() => expect(offers.checked).toBe(false))
  })

  it('list devices with this one marked, and log out one or all others', async () => {
    const seen = open({ endDevice: () => ({ message: 'This device is logged out.' }), endOtherDevices: () => ({ message: 'Done.' }) })
    const rows = within(await screen.findByRole('list', { name: 'Devices' })).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent?.includes('This device'))).toEqual([true, false])
    await userEvent.click(screen.getByRole('button', { name: 'Log out Safari on iPhone' }))
    await waitFor(() => expect(seen.find(({ name }) => name === 'endDevice')?.params).toEqual({ id: 'd2' }))
    await userEvent.click(screen.getByRole('button', { name: 'Log out everywhere else' }))
    expect(await screen.findByText('Done.')).toBeTruthy()
  })

  it('turn the light at once and remember it', async () => {
    open()
    await userEvent.click(await screen.findByRole('radio', { name: 'Dark' }))
    expect([document.documentElement.dataset['theme'], localStorage.getItem('light')]).toEqual(['dark', 'dark'])
    await userEvent.click(screen.getByRole('radio', { name: 'As my device' }))
    expect([document.documentElement.dataset['theme'], localStorage.getItem('light')]).toEqual([undefined, null])
  })
})

describe('the square of a picture', () => {
  const size = { width: 400, height: 200 }
  it('is the largest in the middle, and never leaves the picture', () => {
    expect(middle(size)).toEqual({ x: 200, y: 100, zoom: 1 })
    expect(sideOf(size, middle(size))).toBe(200)
    expect(kept(size, { x: -50, y: 500, zoom: 1 })).toEqual({ x: 100, y: 100, zoom: 1 })
    expect(kept(size, { x: 0, y: 0, zoom: 2 })).toEqual({ x: 50, y: 50, zoom: 2 })
    expect(kept(size, { x: 200, y: 100, zoom: 99 }).zoom).toBe(4)
  })
})

describe('the end of an account', () => {
  it('says what goes and stays, shows a wrong password, and leads to visits that are still to come', async () => {
    let tries = 0
    open({
      eraseAccount: () =>
        tries++ === 0
          ? refused(400, { code: 'bad_input', message: 'No', details: { fields: { password: 'That is not your password.' } } })
          : refused(409, { code: 'visits_ahead', message: 'You still have visits to come. Cancel them first.' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Erase' }))
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getAllByRole('listitem')).toHaveLength(3)
    await userEvent.type(dialog.getByLabelText('Current password'), 'quiet morning tea')
    const erase = dialog.getByRole('button', { name: 'Erase for good' })
    await userEvent.click(erase)
    expect(await dialog.findByText('That is not your password.')).toBeTruthy()
    expect(localStorage.getItem('AuthToken')).toBe('t')
    await userEvent.click(erase)
    expect(await dialog.findByText('You still have visits to come. Cancel them first.')).toBeTruthy()
    expect(dialog.getByRole('link', { name: 'See my visits' }).getAttribute('href')).toBe('/appointment/list')
  })

  it('names the visits to come first, with what goes back of each and what is kept', async () => {
    const visit = visitAt('2031-03-18T15:40:00.000Z', { _id: 'v1' })
    const euros = (amount: number) => ({ amount, currency: 'EUR' })
    const ifCancelled = {
      refunded: euros(1260),
      kept: euros(0),
      charged: euros(840),
      atBank: euros(300),
      atSalon: euros(500),
      sessions: 'back' as const,
    }
    open({
      appointments: () => ({ items: [visit], page: 1, pageSize: 50, total: 1 }),
      appointmentPayments: () => ({
        total: euros(4200),
        due: euros(2940),
        payOnline: false,
        methods: [],
        ifCancelled,
        feeTerms: null,
        fee: null,
        lateCancelling: null,
        payments: [],
        documents: [],
      }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Erase' }))
    const dialog = within(screen.getByRole('dialog'))
    expect(await dialog.findByText('One visit is still to come. Cancel it first.')).toBeTruthy()
    expect(dialog.getByRole('link', { name: /Atelier Nacre.*16:40/ }).getAttribute('href')).toBe('/appointment/v1')
    expect(await dialog.findByText('€12.60 goes back.')).toBeTruthy()
    expect(dialog.getByText('€8.40 is charged.')).toBeTruthy()
    expect(dialog.getByText('€3.00 isn’t sent back: your bank has taken it back already.')).toBeTruthy()
    expect(dialog.getByText('The €5.00 you paid is settled at the salon.')).toBeTruthy()
    expect(dialog.getByText('The session of your package goes back to it.')).toBeTruthy()
    expect(dialog.queryByText(/is kept/)).toBeNull()
  })

  it('ends the session here too, and goes home', async () => {
    open({ eraseAccount: () => ({ message: 'Your account is gone. Take care.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Erase' }))
    await userEvent.type(screen.getByLabelText('Current password'), 'quiet morning tea')
    await userEvent.click(screen.getByRole('button', { name: 'Erase for good' }))
    await waitFor(() => expect(localStorage.getItem('AuthToken')).toBeNull())
    expect(await screen.findByText('Your account is gone. Take care.')).toBeTruthy()
  })
})

describe('saved cards', () => {
  const card = (id: string, lastFour: string, needed: boolean) => ({
    _id: id,
    brand: 'Visa',
    lastFour,
    keptAt: '2026-11-20T10:00:00Z',
    needed,
  })

  it('[R-14] are shown by brand and last four; one that nothing needs is removed after a question', async () => {
    const seen = open({
      savedCards: () => ({ items: [card('k1', '4242', false), card('k2', '3184', true)] }),
      removeCard: () => ({ message: 'The card is removed.' }),
    })
    const list = within(await screen.findByRole('list', { name: 'Saved cards' }))
    expect(list.getByText('Visa ending in 3184')).toBeTruthy()
    expect(list.getByText('Needed by a coming visit or an open fee')).toBeTruthy()
    expect(list.getAllByRole('button')).toHaveLength(1)
    await userEvent.click(list.getByRole('button', { name: 'Remove Visa ending in 4242' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('The card is removed.')).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'removeCard')).toHaveLength(1)
  })

  it('are no part of the page for who has none', async () => {
    open()
    expect(await screen.findByRole('list', { name: 'Devices' })).toBeTruthy()
    expect(screen.queryByText('Saved cards')).toBeNull()
  })
})
