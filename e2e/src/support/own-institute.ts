/** An institute that one journey has for itself: two people who work every day, published as the wizard publishes. */
import { expect, type APIRequestContext } from '@playwright/test'
import { bearer, newAccount, type Account } from './accounts.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const everyDay = <Hours>(hours: Hours): Record<string, Hours[]> => Object.fromEntries(weekdays.map((day) => [day, [hours]]))

type InThree = { en: string; fr: string; ar: string }

const service = (key: string, name: InThree, activeMinutes: number, priceAmount: number) => ({
  key,
  category: 'hair',
  section: { en: 'Hair', fr: 'Coiffure', ar: 'الشعر' },
  name,
  description: {},
  activeMinutes,
  idleMinutes: 0,
  activeAfterMinutes: 0,
  bufferAfterMinutes: 0,
  priceKind: 'fixed',
  priceAmount,
  audience: 'All',
  prerequisites: [],
})

const member = (key: string, name: string, isMe: boolean) => ({
  key,
  name,
  title: 'Stylist',
  isMe,
  languages: ['English'],
  bookableOnline: true,
  services: ['cut', 'care'],
  anchorDay: '2026-11-30',
  weeks: [everyDay({ opensAt: '08:00', closesAt: '20:00', breaks: [] })],
})

export type OwnInstitute = {
  owner: Account
  _id: string
  slug: string
  services: { _id: string; name: string }[]
  team: { _id: string; name: string }[]
}

/** Cut (40 minutes, €42) and Hair care (60 minutes, €60) by Nora and Karim, from 8 to 20 on every day; in Corsica, where no other journey looks. */
export async function ownInstitute(request: APIRequestContext, name: string): Promise<OwnInstitute> {
  const owner = await newAccount(request, { role: 'isPro' })
  const published = await request.post('/api/v1/secure/mysalon/institute', {
    headers: bearer(owner.token),
    data: {
      profile: {
        name,
        phone: '+33 4 78 00 00 00',
        description: '',
        categories: ['hair'],
        address: { line: '12 rue du Mimosa', quarter: '', postalCode: '20000', city: 'Ajaccio', countryCode: 'FR' },
        location: { lat: 41.9256, lon: 8.7364 },
        openingHours: everyDay({ opensAt: '08:00', closesAt: '20:00' }),
        audience: ['All'],
        languages: ['English'],
        atHomeRadiusKm: null,
      },
      services: [
        service('cut', { en: 'Cut', fr: 'Coupe', ar: 'قص الشعر' }, 40, 4200),
        service('care', { en: 'Hair care', fr: 'Soin des cheveux', ar: 'العناية بالشعر' }, 60, 6000),
      ],
      staff: [member('nora', 'Nora', true), member('karim', 'Karim', false)],
      pictures: [],
      logo: null,
      payment: {
        paymentMethods: ['card'],
        payAtSalon: true,
        deposit: { kind: 'none' },
        cancelWindowMinutes: 1440,
        rescheduleWindowMinutes: 120,
      },
      claims: null,
    },
  })
  expect(published.status(), await published.text()).toBe(201)
  const { institute } = (await published.json()) as { institute: { slug: string } }
  const page = await request.get(`/api/v1/client/institutes/${institute.slug}`)
  return { owner, ...((await page.json()) as Omit<OwnInstitute, 'owner'>) }
}
