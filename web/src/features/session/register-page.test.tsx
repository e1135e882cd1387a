import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, professional, unverified } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import RegisterPage from './register-page.tsx'

const pages = { '/register': <RegisterPage /> }
const made = () => ({ message: 'Welcome.', token: 'token-1' })

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

async function typeAndSend() {
  await userEvent.type(screen.getByLabelText('First name'), ' Lea ')
  await userEvent.type(screen.getByLabelText('Last name'), 'Moreau')
  await userEvent.type(screen.getByLabelText('Email'), 'lea@example.test')
  await userEvent.type(screen.getByLabelText('Password'), 'a short sentence')
  await userEvent.click(screen.getByRole('checkbox', { name: /I agree/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Create my account' }))
}

describe('registration', () => {
  it('[U-01] [E-16] sends the role with the form and stores the token', async () => {
    const seen = fakeServer({ register: made, me: () => unverified(client), currentHolds: () => ({ items: [] }) })
    renderSite('/register', pages)
    await typeAndSend()
    await waitFor(() => expect(localStorage.getItem('AuthToken')).toBe('token-1'))
    expect(seen[0]?.body).toEqual({
      firstName: 'Lea',
      lastName: 'Moreau',
      email: 'lea@example.test',
      password: 'a short sentence',
      role: 'isClient',
      acceptTerms: true,
    })
    expect(seen[1]?.name).toBe('me')
  })

  it('[R-23] [R-19] brings a professional to My Salon, where the email is confirmed first', async () => {
    const seen = fakeServer({ register: made, me: () => unverified(professional), currentHolds: () => ({ items: [] }) })
    const { place } = renderSite('/register?role=isPro', pages)
    await typeAndSend()
    expect(await screen.findByRole('heading', { name: 'Email Confirmation' })).toBeTruthy()
    expect(place()).toBe('/mysalon')
    expect(seen[0]?.body).toMatchObject({ role: 'isPro' })
  })

  it('brings a client back to where they came from', async () => {
    fakeServer({ register: made, me: () => unverified(client) })
    const { place } = renderSite('/register?from=%2Fsalon%2Fatelier-nacre%2Fbook%3Fservice%3D1', pages)
    await typeAndSend()
    await waitFor(() => expect(place()).toBe('/salon/atelier-nacre/book?service=1'))
  })

  it('[V-03] shows what the server found, beside its field too, and keeps what was typed', async () => {
    fakeServer({ register: () => refused(409, { code: 'email_taken', message: 'Somebody has an account with this email.' }) })
    renderSite('/register', pages)
    await typeAndSend()
    const toast = await screen.findByRole('alert')
    expect(toast.textContent).toContain('Somebody has an account with this email.')
    const email = screen.getByLabelText<HTMLInputElement>('Email')
    expect(email.getAttribute('aria-invalid')).toBe('true')
    expect(email.value).toBe('lea@example.test')
    expect(screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('Moreau')
  })

  it('shows the fields the server refused', async () => {
    fakeServer({
      register: () =>
        refused(400, { code: 'bad_input', message: 'Please check the fields.', details: { fields: { lastName: 'Too long.' } } }),
    })
    renderSite('/register', pages)
    await typeAndSend()
    expect(await screen.findByText('Too long.')).toBeTruthy()
  })

  it('says what is missing before it asks the server', async () => {
    const seen = fakeServer({})
    renderSite('/register', pages)
    await userEvent.click(screen.getByRole('button', { name: 'Create my account' }))
    expect(await screen.findByText('Enter your first name.')).toBeTruthy()
    expect(screen.getByText('Please accept the Terms & Conditions.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('First name'))
    expect(seen).toEqual([])
  })

  it('says that an empty email is needed, and takes each problem away while it is mended', async () => {
    fakeServer({})
    renderSite('/register', pages)
    await userEvent.click(screen.getByRole('button', { name: 'Create my account' }))
    expect(await screen.findByText('Enter your email.')).toBeTruthy()
    expect(screen.queryByText(/full address/)).toBeNull()
    const email = screen.getByLabelText('Email')
    await userEvent.type(email, 'l')
    expect(screen.queryByText('Enter your email.')).toBeNull()
    expect(email.getAttribute('aria-invalid')).toBeNull()
    expect(screen.getByText('Enter your first name.')).toBeTruthy()
    await userEvent.click(screen.getByRole('checkbox', { name: /I agree/ }))
    expect(screen.queryByText('Please accept the Terms & Conditions.')).toBeNull()
  })
})
