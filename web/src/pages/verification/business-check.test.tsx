import type { BusinessCheck, SentCheck } from '@soigne/contract/business-check'
import type { SessionUser } from '@soigne/contract/session'
import { minuteMs } from '@soigne/contract/time'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner, professional } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import VerificationPage from './verification-page.tsx'

vi.mock('#/platform/page-settings.ts', () => ({ usePageSettings: () => ({ signIn: null }) }))

// Sockets are the server's to test: here they only say what one of them would.
const live = vi.hoisted(() => new Map<string, Set<(payload: unknown) => void>>())
vi.mock('#/platform/live-socket.ts', async (original) => {
  const { useEffect } = await import('react')
  return {
    ...(await original<object>()),
    useLive(name: string, listener: (payload: unknown) => void) {
      useEffect(() => {
        const all = live.get(name) ?? new Set()
        live.set(name, all.add(listener))
        return () => void all.delete(listener)
      })
    },
  }
})
const hear = (name: string, payload: unknown) =>
  act(async () => {
    for (const listener of live.get(name) ?? []) listener(payload)
    await Promise.resolve()
  })

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const sent: SentCheck = {
  _id: 'c-1',
  state: 'waiting',
  countryCode: 'FR',
  legalName: 'Nacre SARL',
  registrationNumber: '73282932000074',
  vatNumber: null,
  sentAt: '2026-11-20T09:00:00.000Z',
  decidedAt: null,
  reason: null,
  documents: [{ name: 'kbis.pdf', kind: 'document', url: '/files/private/a.pdf?until=1&proof=a' }],
}
const decidedAt = '2026-11-21T09:00:00.000Z'
const accepted: SentCheck = { ...sent, state: 'accepted', decidedAt }
const nothing: BusinessCheck = { countryCode: 'FR', onInvoices: { legalName: null, vatNumber: null }, accepted: null, open: null }

type Handlers = Parameters<typeof fakeServer>[0]
async function open(check: BusinessCheck, handlers: Handlers = {}, user: SessionUser = owner) {
  const seen = fakeServer({
    me: () => user,
    calendars: () => ({ provider: null, connection: null, feed: null }),
    currentHolds: () => ({ items: [] }),
    businessCheck: () => check,
    ...handlers,
  })
  renderSite('/verification', { '/verification': <VerificationPage /> })
  const heading = await screen.findByRole('heading', { level: 2, name: 'Business check' })
  return { seen, row: within(heading.closest('li') as HTMLElement) }
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const files = () => screen.getByLabelText<HTMLInputElement>('Add documents')
const pdf = new File(['%PDF-1.4'], 'kbis.pdf', { type: 'application/pdf' })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('[R-16] the check of a business', () => {
  it('reads it anew while the page stays open and when somebody comes back to it: addresses of documents work for an hour', async () => {
    const opened = Date.UTC(2026, 10, 24, 12)
    vi.useFakeTimers({ now: opened, shouldAdvanceTime: true })
    let proof = 0
    const { row } = await open(nothing, {
      businessCheck: () => ({
        ...nothing,
        open: { ...sent, documents: [{ ...sent.documents[0]!, url: `/files/a.pdf?proof=${++proof}` }] },
      }),
    })
    const address = () => row.getByRole('link', { name: 'kbis.pdf' }).getAttribute('href')
    expect(address()).toBe('/files/a.pdf?proof=1')
    await act(() => vi.advanceTimersByTimeAsync(50 * minuteMs))
    await waitFor(() => expect(address()).toBe('/files/a.pdf?proof=2'))
    vi.setSystemTime(opened + 120 * minuteMs)
    fireEvent(window, new Event('visibilitychange'))
    await waitFor(() => expect(address()).toBe('/files/a.pdf?proof=3'))
  })

  it('begins with what stands on invoices and is sent with its documents', async () => {
    const onInvoices = { legalName: 'Nacre SARL', vatNumber: 'FR44732829320' }
    const { seen, row } = await open({ ...nothing, onInvoices }, { sendBusinessCheck: () => ({ ...nothing, open: sent }) })
    expect(row.getByText('Not sent')).toBeTruthy()
    await press('Have it checked')
    expect([field('Legal name').value, field('VAT number').value]).toEqual(['Nacre SARL', 'FR44732829320'])
    await userEvent.type(field('SIRET'), '732 829 320 00074')
    await userEvent.upload(files(), pdf)
    await press('Send')
    expect(await screen.findByText('Being checked')).toBeTruthy()
    expect(screen.getByText('Sent on 20 November 2026. We will write to you once we have checked it.')).toBeTruthy()
    expect(screen.getByText('732 829 320 00074')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'kbis.pdf' }).getAttribute('href')).toContain('/files/private/')
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
    const body = seen.find(({ name }) => name === 'sendBusinessCheck')?.body as FormData
    expect([body.get('legalName'), body.get('registrationNumber')]).toEqual(['Nacre SARL', '732 829 320 00074'])
    expect((body.getAll('documents') as File[]).map(({ name }) => name)).toEqual(['kbis.pdf'])
  })

  it('says what is missing or wrong before anything is sent, goes to the first of it, and loses nothing', async () => {
    const { seen } = await open(nothing)
    await press('Have it checked')
    await press('Send')
    expect(screen.getAllByText('Please fill this in.').length).toBe(2)
    expect(screen.getByText('Add at least one document.')).toBeTruthy()
    expect(document.activeElement).toBe(field('Legal name'))
    await userEvent.type(field('Legal name'), 'Nacre SARL')
    await userEvent.type(field('SIRET'), '732 829 320')
    await userEvent.upload(files(), pdf)
    await press('Send')
    expect(screen.getByText('A SIRET has 14 digits.')).toBeTruthy()
    await userEvent.type(field('SIRET'), ' 00075')
    await press('Send')
    expect(screen.getByText('One of these digits is wrong. Compare the number with your document.')).toBeTruthy()
    expect(document.activeElement).toBe(field('SIRET'))
    expect([field('Legal name').value, field('SIRET').value]).toEqual(['Nacre SARL', '732 829 320 00075'])
    expect(screen.getByRole('button', { name: 'Remove kbis.pdf' })).toBeTruthy()
    expect(seen.some(({ name }) => name === 'sendBusinessCheck')).toBe(false)
  })

  it('shows what the server refuses beside it, with all that was typed and chosen', async () => {
    const fields = { 'documents.1': 'We can’t take this document. Send one of: PDF.' }
    await open(nothing, { sendBusinessCheck: () => refused(415, { code: 'wrong_type', message: 'Wrong file.', details: { fields } }) })
    await press('Have it checked')
    await userEvent.type(field('Legal name'), 'Nacre SARL')
    await userEvent.type(field('SIRET'), '73282932000074')
    await userEvent.upload(files(), [pdf, new File(['broken'], 'broken.pdf', { type: 'application/pdf' })])
    await press('Send')
    const said = await screen.findByText(fields['documents.1'])
    expect(said.closest('li')?.textContent).toContain('broken.pdf')
    expect([field('Legal name').value, field('SIRET').value]).toEqual(['Nacre SARL', '73282932000074'])
    await press('Remove broken.pdf')
    expect(screen.queryByText(fields['documents.1'])).toBeNull()
    expect(screen.getByRole('button', { name: 'Remove kbis.pdf' })).toBeTruthy()
  })

  it('takes no file of another kind, and five at most', async () => {
    await open(nothing)
    await press('Have it checked')
    await userEvent.upload(files(), new File(['x'], 'film.mp4', { type: 'video/mp4' }), { applyAccept: false })
    expect(screen.getByText('film.mp4 is neither a PDF nor a picture.')).toBeTruthy()
    const six = [1, 2, 3, 4, 5, 6].map((n) => new File(['%PDF-'], `${n}.pdf`, { type: 'application/pdf' }))
    await userEvent.upload(files(), six)
    expect(screen.getByText('5 files at most.')).toBeTruthy()
    expect(screen.queryByText('6.pdf')).toBeNull()
  })

  it('is sent once by a double press, and shows what another tab has sent', async () => {
    let check = nothing
    const { seen } = await open(nothing, {
      businessCheck: () => check,
      async sendBusinessCheck() {
        check = { ...nothing, open: sent }
        return refused(409, { code: 'check_waiting', message: 'Your business is being checked.' })
      },
    })
    await press('Have it checked')
    await userEvent.type(field('Legal name'), 'Nacre SARL')
    await userEvent.type(field('SIRET'), '73282932000074')
    await userEvent.upload(files(), pdf)
    await userEvent.dblClick(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Being checked')).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'sendBusinessCheck').length).toBe(1)
  })

  it('is taken back after a question', async () => {
    const { seen } = await open({ ...nothing, open: sent }, { withdrawBusinessCheck: () => nothing })
    await press('Take back')
    expect(seen.some(({ name }) => name === 'withdrawBusinessCheck')).toBe(false)
    await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('Not sent')).toBeTruthy()
  })

  it('is read again when the bell rings: what became of it shows on a page that is open', async () => {
    let check: BusinessCheck = { ...nothing, open: sent }
    const { row } = await open(check, { businessCheck: () => check })
    expect(row.getByText('Being checked')).toBeTruthy()
    check = { ...nothing, accepted }
    await hear('notification', { unread: 1 })
    expect(await row.findByText('Verified on 21 November 2026.')).toBeTruthy()
    expect(row.queryByRole('button', { name: 'Take back' })).toBeNull()
  })

  it('says why it was not accepted, and begins again with what was sent', async () => {
    const reason = 'The extract is older than three months.'
    const { row } = await open({ ...nothing, open: { ...sent, state: 'refused', decidedAt, reason } })
    expect(row.getByText('Not accepted')).toBeTruthy()
    expect(row.getByText('Not accepted on 21 November 2026')).toBeTruthy()
    expect(row.getByText(reason)).toBeTruthy()
    await press('Correct and send again')
    expect(document.activeElement).toBe(field('Legal name'))
    expect(row.queryByRole('link', { name: 'kbis.pdf' })).toBeNull()
    expect([field('Legal name').value, field('SIRET').value]).toEqual(['Nacre SARL', '732 829 320 00074'])
    await press('Cancel')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Correct and send again' }))
    expect(row.getByRole('link', { name: 'kbis.pdf' })).toBeTruthy()
  })

  it('says what was verified, also when invoices say something else since, and while something newer waits', async () => {
    const onInvoices = { legalName: 'Nacre Group SAS', vatNumber: null }
    const { row } = await open({ ...nothing, onInvoices, accepted, open: { ...sent, legalName: 'Nacre Group SAS' } })
    expect(row.getByText('Verified')).toBeTruthy()
    expect(row.getByText('Verified on 21 November 2026.')).toBeTruthy()
    expect(row.getByText('Nacre SARL')).toBeTruthy()
    expect(row.getByText('Your invoices now say Nacre Group SAS, which was not checked.')).toBeTruthy()
    expect(row.getByRole('link', { name: 'Details on invoices' }).getAttribute('href')).toBe('/mysalon/settings/documents')
    expect(row.getByRole('heading', { level: 3, name: 'Sent since' })).toBeTruthy()
    expect(row.queryByRole('button', { name: /send/i })).toBeNull()
  })

  it('says nothing of invoices that say the same otherwise', async () => {
    const onInvoices = { legalName: 'NACRE S.A.R.L.', vatNumber: null }
    const { row } = await open({ ...nothing, onInvoices, accepted })
    expect(row.getByText('Verified on 21 November 2026.')).toBeTruthy()
    expect(row.queryByText(/Your invoices now say/)).toBeNull()
    expect(row.getByRole('button', { name: 'Send new details' })).toBeTruthy()
  })

  it('is the owner’s, and comes after the setup of an institute', async () => {
    const first = await open(nothing, { businessCheck: () => refused(403, { code: 'forbidden', message: 'No.' }) })
    await waitFor(() => expect(first.row.getByText('Only the owner of the institute can have it checked.')).toBeTruthy())
    cleanup()
    localStorage.setItem('skipRegistration', 'true')
    const { row, seen } = await open(nothing, {}, professional)
    expect(row.getByRole('link', { name: 'Set up your institute' }).getAttribute('href')).toBe('/institute-register')
    expect(seen.some(({ name }) => name === 'businessCheck')).toBe(false)
  })
})
