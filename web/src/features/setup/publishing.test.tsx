import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { professional } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { alertStore } from '#/ui/alerts.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { closedWeek, type DraftService, initialDraft, keepDraft, readDraft, type SetupDraft } from './draft/draft.ts'
import { SetupWizard } from './setup-wizard.tsx'

const pages = { '/institute-register': <SetupWizard user={professional} preview={({ name }) => <p>Page of {name}</p>} /> }
const now = '2026-11-29T10:00:00.000Z'
const cut: DraftService = {
  key: 'cut',
  category: 'hair',
  section: {},
  name: { en: 'Cut' },
  description: {},
  active: '40',
  idle: '',
  after: '',
  buffer: '',
  isSequential: false,
  minimumAge: '',
  priceKind: 'fixed',
  price: '42',
  audience: 'All',
  prerequisites: [],
}
const whole: SetupDraft = {
  ...initialDraft(professional.id),
  step: 5,
  name: 'Atelier Mimosa',
  categories: ['hair'],
  address: '12 rue du Mimosa',
  quarter: 'Croix-Rousse',
  place: { name: 'Lyon', lat: 45.77, lon: 4.83, timeZone: 'Europe/Paris', countryCode: 'FR', currency: 'EUR' },
  openingHours: { ...closedWeek(), Tuesday: [{ opensAt: '09:00', closesAt: '19:00' }] },
  services: [cut],
  staff: [
    {
      key: 'me',
      name: 'Noor',
      title: '',
      isMe: true,
      languages: ['English'],
      bookableOnline: true,
      skips: [],
      hours: 'salon',
      anchorDay: '',
      weeks: [],
    },
  ],
  pictures: [{ id: 'a', url: '/files/a.webp', width: 800, height: 600 }],
  deposit: { kind: 'percent', amount: '', percent: '25' },
}
const institute = { _id: 'i-1', slug: 'atelier-mimosa', name: 'Atelier Mimosa' }
const kept = () => readDraft(professional.id)
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

let isPublished = false
type Handlers = Parameters<typeof fakeServer>[0]
function serve(more: Handlers = {}) {
  return fakeServer({
    me: () => (isPublished ? { ...professional, institute } : professional),
    setupState: () => ({ claim: null, now }),
    setupListings: () => ({ items: [] }),
    publishInstitute() {
      isPublished = true
      return { state: 'published', institute }
    },
    ...more,
  })
}
const sent = (seen: ReturnType<typeof serve>) => seen.filter(({ name }) => name === 'publishInstitute')

beforeEach(() => {
  isPublished = false
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  keepDraft(whole)
})
afterEach(() => {
  act(() => {
    alertStore.set([])
    dismissAllToasts()
  })
  cleanup()
  vi.unstubAllGlobals()
})

describe("Let's Review!", () => {
  it('leads to a step and back: what was told stays, and what was changed there is told', async () => {
    serve()
    renderSite('/institute-register', pages)
    await heading("Let's Review!")
    expect(screen.getByText('Atelier Mimosa, 12 rue du Mimosa, Lyon · open 1 day')).toBeTruthy()
    await press('Edit Services')
    await heading('Services')
    const price = screen.getByRole<HTMLInputElement>('textbox', { name: 'Price of Cut' })
    expect(price.value).toBe('42')
    await userEvent.clear(price)
    await userEvent.click(within(screen.getByRole('list', { name: 'Steps' })).getByRole('button', { name: /Review/ }))
    await heading("Let's Review!")
    expect(screen.getByText('Cut: check the price.')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Publish' }).disabled).toBe(true)
    await press('Edit Services')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Price of Cut' }), '45')
    for (const step of ['Team', 'Gallery', 'Payment', "Let's Review!"]) {
      await press('Continue')
      await heading(step)
    }
    expect(kept()).toEqual({ ...whole, services: [{ ...cut, price: '45' }] })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Publish' }).disabled).toBe(false)
    expect(screen.getByText('Page of Atelier Mimosa')).toBeTruthy()
  })

  it('[C-20] says which pictures have not arrived: they wait while other steps are shown', async () => {
    keepDraft({ ...whole, step: 3 })
    serve({ sendSetupPicture: () => Promise.reject(new TypeError('Failed to fetch')) })
    renderSite('/institute-register', pages)
    await userEvent.upload(
      await screen.findByLabelText('Add pictures', { selector: 'input' }),
      new File(['x'], 'x.jpg', { type: 'image/jpeg' }),
    )
    await screen.findByRole('button', { name: 'Try again' })
    await press('Continue')
    await press('Continue')
    expect(await screen.findByText('1 picture · 1 has not arrived yet')).toBeTruthy()
    const publish = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Publish' })
    expect([publish().disabled, screen.queryByText('A few things are still missing above.') !== null]).toEqual([true, true])
    await press('Edit Gallery')
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
    await press('Remove x.jpg')
    await press('Continue')
    await press('Continue')
    await screen.findByText('1 picture')
    expect(publish().disabled).toBe(false)
  })
})

describe('publishing', () => {
  it('[P-06] [U-12] twice tapped sends once, throws petals, leaves no draft and leads to My Salon', async () => {
    const seen = serve()
    localStorage.setItem('skipRegistration', 'true')
    const { place } = renderSite('/institute-register', pages)
    const publish = await screen.findByRole('button', { name: 'Publish' })
    act(() => {
      // Both before React shows that it is busy.
      publish.click()
      publish.click()
    })
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('Atelier Mimosa is open')
    expect(dialog.querySelector('canvas')).toBeTruthy()
    await waitFor(() => expect(place()).toBe('/mysalon'))
    expect(sent(seen)).toHaveLength(1)
    expect(sent(seen)[0]?.body).toMatchObject({
      profile: { name: 'Atelier Mimosa', address: { quarter: 'Croix-Rousse', city: 'Lyon' } },
      payment: { deposit: { kind: 'percent', percent: 25 } },
    })
    expect([localStorage.getItem('instituteSetupForm'), localStorage.getItem('skipRegistration')]).toEqual([null, null])
  })

  it('sends the age and the order a service keeps to; a draft kept before there were any knows neither', async () => {
    const { minimumAge: _age, isSequential: _order, ...older } = { ...cut, key: 'older' }
    const services = [{ ...cut, minimumAge: '18', isSequential: true }, older as DraftService]
    keepDraft({ ...whole, services })
    const seen = serve()
    renderSite('/institute-register', pages)
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    await screen.findByRole('alertdialog')
    const body = sent(seen)[0]?.body as { services: Record<string, unknown>[] }
    expect(body.services.map((one) => [one['minimumAge'], one['isSequential']])).toEqual([
      [18, true],
      [null, false],
    ])
  })

  it('tapped again after a line that was cut sends the same content under the same key', async () => {
    let isCut = true
    const seen = serve({
      publishInstitute() {
        if (isCut) throw new TypeError('Failed to fetch')
        isPublished = true
        return { state: 'published', institute }
      },
    })
    renderSite('/institute-register', pages)
    fireEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    expect((await screen.findByRole('alert')).textContent).toContain('No connection. Try again.')
    expect(kept()).toEqual(whole)
    isCut = false
    await press('Publish')
    await screen.findByRole('alertdialog')
    const keys = sent(seen).map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toEqual([expect.stringMatching(/.{8}/), keys[0]])
  })

  it('refused says why in the words of the server, until something is changed', async () => {
    serve({ publishInstitute: () => refused(409, { code: 'already_member', message: 'You already work at an institute.' }) })
    renderSite('/institute-register', pages)
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    expect((await screen.findByRole('alert')).textContent).toContain('You already work at an institute.')
    await press('Edit General')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2')
    await userEvent.click(within(screen.getByRole('list', { name: 'Steps' })).getByRole('button', { name: /Review/ }))
    await heading("Let's Review!")
    expect(screen.queryByText('You already work at an institute.')).toBeNull()
  })
})
