// How clients pay, and what stands on invoices: what is typed, what is refused at its field, and what is sent.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { DocumentsPart } from './documents-part.tsx'
import { PaymentsPart } from './payments-part.tsx'

const settings = {
  slug: 'atelier-nacre',
  currency: 'EUR',
  profile: { name: 'Atelier Nacre' },
  payments: { payAtSalon: true, paymentMethods: ['card'], deposit: { kind: 'none' } },
  documents: { legalName: null, vatNumber: null, vatBasisPoints: null },
  usualVatBasisPoints: 2000,
} as unknown as InstituteSettings

const server = (more: Parameters<typeof fakeServer>[0] = {}) => {
  const seen = fakeServer({
    institute: () => nacre,
    instituteSettings: () => settings,
    changeInstituteSettings: ({ body }) => ({ settings: { ...settings, ...(body as object) }, outside: [] }),
    ...more,
  })
  return () => seen.filter(({ name }) => name === 'changeInstituteSettings').map(({ body }) => body)
}
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))
const choose = (group: string, name: string) =>
  fireEvent.click(within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name }))
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

describe('how clients pay', () => {
  it('[E-11] [P-11] shows what a deposit comes to for a service, and sends it once it is one', async () => {
    const sent = server()
    renderPart(<PaymentsPart settings={settings} />)
    expect(await screen.findByText('Nothing now, €38.00 at the salon.')).toBeTruthy()
    choose('Deposit', 'Percent')
    expect(screen.getByText('Check the amount.')).toBeTruthy()
    save()
    type('Percent of the price', '30')
    expect(screen.getByText('€11.40 now, €26.60 at the salon.')).toBeTruthy()
    save()
    await waitFor(() =>
      expect(sent()).toEqual([{ payments: { payAtSalon: true, paymentMethods: ['card'], deposit: { kind: 'percent', percent: 30 } } }]),
    )
  })

  it('[P-11] sends after how many missed visits all is paid first, which is asked only where something is paid online', async () => {
    const sent = server()
    renderPart(<PaymentsPart settings={settings} />)
    choose('After missed visits', '2')
    save()
    await waitFor(() => expect(sent()).toEqual([{ payments: { ...settings.payments, prepayAfterNoShows: 2 } }]))
    fireEvent.click(screen.getByRole('switch', { name: 'Card' }))
    expect(screen.queryByRole('radiogroup', { name: 'After missed visits' })).toBeNull()
  })

  it('a deposit needs a way to pay online', () => {
    const sent = server()
    renderPart(<PaymentsPart settings={settings} />)
    choose('Deposit', 'Fixed')
    type('Amount', '15')
    fireEvent.click(screen.getByRole('switch', { name: 'Card' }))
    expect(screen.getByRole('alert').textContent).toBe('A deposit is paid online: keep at least one way to pay online.')
    save()
    expect(sent()).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getAllByRole<HTMLInputElement>('radio', { name: 'None' }).every(({ checked }) => checked)).toBe(true)
  })
})

describe('what is charged who cancels late or does not come', () => {
  const fees = { lateCancel: { kind: 'none' }, noShow: { kind: 'none' }, graceMinutes: 15 } as const
  const charging = { ...settings, payments: { ...settings.payments, fees } } as InstituteSettings
  it('[P-11] shows what it comes to for a service, and sends it once it is a rule', async () => {
    const sent = server({ instituteSettings: () => charging })
    renderPart(<PaymentsPart settings={charging} />)
    expect(await screen.findByText('Nothing is charged.')).toBeTruthy()
    choose('When they cancel late', 'Percent')
    type('When they cancel late: Percent of the price', '50')
    choose('When they do not come', 'Fixed')
    type('When they do not come: Amount', '90')
    choose('Grace', '30 min')
    expect(screen.getByText('Cancelled late: €19.00.')).toBeTruthy()
    expect(screen.getByText('Not coming: €38.00.')).toBeTruthy()
    save()
    await waitFor(() =>
      expect(sent()).toMatchObject([
        { payments: { fees: { lateCancel: { kind: 'percent', percent: 50 }, noShow: { kind: 'fixed', amount: 9000 }, graceMinutes: 30 } } },
      ]),
    )
  })

  it('needs cards among the ways to pay online', () => {
    const sent = server({ instituteSettings: () => charging })
    renderPart(<PaymentsPart settings={charging} />)
    choose('When they do not come', 'Percent')
    type('When they do not come: Percent of the price', '50')
    fireEvent.click(screen.getByRole('switch', { name: 'PayPal' }))
    fireEvent.click(screen.getByRole('switch', { name: 'Card' }))
    expect(screen.getByRole('alert').textContent).toBe('Fees are charged to cards: keep Card among the ways to pay online.')
    save()
    expect(sent()).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('what stands on invoices', () => {
  it('[P-11] is the usual rate where none is typed; a rate is sent in hundredths of a percent', async () => {
    const sent = server()
    renderPart(<DocumentsPart settings={settings} />)
    expect(screen.getByText(/the usual rate, 20%/)).toBeTruthy()
    type('VAT rate', 'a lot')
    expect(screen.getByText('A rate from 0 to 50, with two decimals at most.')).toBeTruthy()
    save()
    type('VAT rate', '5,5')
    type('Legal name', 'Nacre SARL')
    save()
    await waitFor(() => expect(sent()).toEqual([{ documents: { legalName: 'Nacre SARL', vatNumber: null, vatBasisPoints: 550 } }]))
  })

  it('what the server refuses stands at its field, and nothing typed is lost', async () => {
    const details = { fields: { 'documents.vatNumber': 'This is no VAT number.' } }
    server({ changeInstituteSettings: () => refused(400, { code: 'bad_input', message: 'Check the fields.', details }) })
    renderPart(<DocumentsPart settings={settings} />)
    type('VAT number', 'FR1')
    save()
    expect(await screen.findByText('This is no VAT number.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('VAT number').value).toBe('FR1')
  })
})
