import type { Passkey } from '@soigne/contract/passkeys'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import LoginPage from '#/pages/login/login-page.tsx'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner, unverified } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { PasskeyList } from './passkey-list.tsx'

const signed = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key' as const,
  response: { clientDataJSON: 'e30', authenticatorData: 'BBBB', signature: 'CCCC', userHandle: 'DDDD' },
}
const made = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const, response: { clientDataJSON: 'e30', attestationObject: 'EEEE' } }
const question = { challenge: 'asked', rpId: 'localhost', timeout: 1, allowCredentials: [], userVerification: 'required' as const }
const creation = {
  challenge: 'asked',
  rp: { id: 'localhost', name: 'Soigné' },
  user: { id: 'DDDD', name: client.email, displayName: 'Ann' },
  pubKeyCredParams: [],
  timeout: 1,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true as const, userVerification: 'required' as const },
  attestation: 'none' as const,
}
const welcome = (role: 'isClient' | 'isPro') => ({
  message: 'Welcome back.',
  token: 'token-1',
  user: { role, hasGoogleCalendarAccess: false },
})

/** What the device says: more than is sent on. */
class FakeCredential {
  readonly #said: object
  constructor(said: object) {
    this.#said = said
  }
  toJSON = () => ({ ...this.#said, authenticatorAttachment: 'platform', clientExtensionResults: {} })
  static parseCreationOptionsFromJSON = (options: object) => options
  static parseRequestOptionsFromJSON = (options: object) => options
}
const get = vi.fn<(options: object) => Promise<object>>()
const create = vi.fn<(options: object) => Promise<object>>()

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('PublicKeyCredential', FakeCredential)
  get.mockReset().mockImplementation(async () => new FakeCredential(signed))
  create.mockReset().mockImplementation(async () => new FakeCredential(made))
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get, create } })
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

describe('logging in with a passkey', () => {
  const pages = { '/login': <LoginPage /> }
  const press = async () => userEvent.click(screen.getByRole('button', { name: 'Log in with a passkey' }))

  it.each([
    ['isClient', client, '/appointment/list?when=past'],
    ['isPro', owner, '/mysalon'],
  ] as const)('[E-10] an account of %s lands where its password leads', async (role, user, where) => {
    const seen = fakeServer({ beginPasskeySignIn: () => question, signInByPasskey: () => welcome(role), me: () => user })
    const { place } = renderSite('/login?from=%2Fappointment%2Flist%3Fwhen%3Dpast', pages)
    await press()
    await waitFor(() => expect(place()).toBe(where))
    expect(localStorage.getItem('AuthToken')).toBe('token-1')
    expect(get).toHaveBeenCalledWith({ publicKey: question })
    expect(seen.find(({ name }) => name === 'signInByPasskey')?.body).toEqual({ credential: signed })
  })

  it('meets Email Confirmation when the email is not confirmed', async () => {
    fakeServer({
      beginPasskeySignIn: () => question,
      signInByPasskey: () => welcome('isClient'),
      me: () => unverified(client),
      currentHolds: () => ({ items: [] }),
    })
    renderSite('/login?from=%2Fappointment%2Flist', pages)
    await press()
    expect(await screen.findByRole('heading', { name: 'Email Confirmation' })).toBeTruthy()
  })

  it('says nothing when somebody changes their mind, and what the server says when it refuses', async () => {
    get.mockRejectedValueOnce(new DOMException('Not now', 'NotAllowedError'))
    const seen = fakeServer({
      beginPasskeySignIn: () => question,
      signInByPasskey: () => refused(401, { code: 'passkey_refused', message: 'This passkey opens nothing here.' }),
    })
    renderSite('/login', pages)
    await press()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Log in with a passkey' }).getAttribute('aria-busy')).not.toBe('true'))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(seen.map(({ name }) => name)).toEqual(['beginPasskeySignIn'])
    await press()
    expect((await screen.findByRole('alert')).textContent).toContain('This passkey opens nothing here.')
    expect(localStorage.getItem('AuthToken')).toBeNull()
  })

  it('is not offered where the browser knows no passkeys', () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    fakeServer({})
    renderSite('/login', pages)
    expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Log in with a passkey' })).toBeNull()
  })
})

describe('the passkeys of an account', () => {
  const phone: Passkey = { _id: 'p1', name: 'iPhone', madeAt: '2026-11-01T10:00:00.000Z', lastUsedAt: null }
  function open(more: Parameters<typeof fakeServer>[0] = {}, hasPassword = true) {
    localStorage.setItem('AuthToken', 't')
    const seen = fakeServer({ me: () => client, passkeys: () => ({ items: [] }), ...more })
    renderPart(<PasskeyList hasPassword={hasPassword} />)
    return seen
  }

  it('[E-10] one is added once the password is shown to be known', async () => {
    let isRight = false
    let items: Passkey[] = []
    const seen = open({
      passkeys: () => ({ items }),
      beginPasskey: () =>
        isRight
          ? creation
          : refused(400, { code: 'bad_input', message: 'Check.', details: { fields: { password: 'Not your password.' } } }),
      addPasskey: () => {
        items = [phone]
        return { message: 'Passkey added.' }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Current password'))
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(screen.getByText('Enter your password.')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Current password'), 'a short sentence')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Not your password.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('a short sentence')
    isRight = true
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Passkey added.')).toBeTruthy()
    expect(within(await screen.findByRole('list', { name: 'Passkeys' })).getByText('iPhone')).toBeTruthy()
    expect(screen.getByText('Not used yet')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a passkey' }))
    expect(create).toHaveBeenCalledWith({ publicKey: creation })
    expect(seen.find(({ name }) => name === 'addPasskey')?.body).toEqual({ credential: made })
  })

  it('one is added without a password where the account has none; a device that has one says so', async () => {
    create.mockRejectedValueOnce(new DOMException('There is one', 'InvalidStateError'))
    const seen = open({ beginPasskey: () => creation, addPasskey: () => ({ message: 'Passkey added.' }) }, false)
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }))
    expect(await screen.findByText('This device already has a passkey for your account.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'beginPasskey')?.body).toEqual({})
    expect(seen.map(({ name }) => name)).not.toContain('addPasskey')
  })

  it('each is renamed and removed, after a question', async () => {
    const seen = open({
      passkeys: () => ({ items: [phone] }),
      renamePasskey: () => ({ message: 'Saved.' }),
      removePasskey: () => ({ message: 'Passkey removed.' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Rename iPhone' }))
    const name = screen.getByLabelText('Name of the passkey')
    await userEvent.clear(name)
    await userEvent.type(name, 'Kitchen')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(seen.find((one) => one.name === 'renamePasskey')?.body).toEqual({ name: 'Kitchen' })
    await userEvent.click(screen.getByRole('button', { name: 'Remove iPhone' }))
    const question = await screen.findByRole('alertdialog', { name: 'Remove “iPhone”?' })
    expect(seen.map((one) => one.name)).not.toContain('removePasskey')
    await userEvent.click(within(question).getByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('Passkey removed.')).toBeTruthy()
  })

  it('a full account and a browser without passkeys offer no more', async () => {
    open({ passkeys: () => ({ items: Array.from({ length: 10 }, (_, index) => ({ ...phone, _id: `p${index}` })) }) })
    expect(await screen.findByText('Your account has as many passkeys as it can. Remove one to add another.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
    cleanup()
    vi.stubGlobal('PublicKeyCredential', undefined)
    open({ passkeys: () => ({ items: [phone] }) })
    expect(await screen.findByText('iPhone')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
  })
})
