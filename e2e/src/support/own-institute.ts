/** An institute that one journey has for itself: two people who work every day, published as the wizard publishes. */
import { expect, type APIRequestContext } from '@playwright/test'
import { bearer, newAccount, type Account } from './accounts.ts'
import { journeyNow } from './journey-clock.ts'

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

/** Where an institute stands, and with that its zone and its currency. */
export type Town = { city: string; postalCode: string; countryCode: string; timeZone: string; location: { lat: number; lon: number } }

const inCorsica = (city: string, postalCode: string, lat: number, lon: number): Town => ({
  city,
  postalCode,
  countryCode: 'FR',
  timeZone: 'Europe/Paris',
  location: { lat, lon },
})
export const ajaccio = inCorsica('Ajaccio', '20000', 41.9256, 8.7364)
/** Several: home proposes the town with the most institutes, which stays one of the demo. */
const corsica = [
  ajaccio,
  inCorsica('Bastia', '20200', 42.7026, 9.4503),
  inCorsica('Corte', '20250', 42.3061, 9.1494),
  inCorsica('Calvi', '20260', 42.5661, 8.7571),
  inCorsica('Porto-Vecchio', '20137', 41.5912, 9.2796),
]

/** The same for the same name, however often and in whatever order journeys run. */
const townFor = (name: string): Town =>
  corsica[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % corsica.length] ?? ajaccio

/** One of them is awake at any hour of the journeys. */
const towns: readonly Town[] = [
  ajaccio,
  {
    city: 'Auckland',
    postalCode: '1010',
    countryCode: 'NZ',
    timeZone: 'Pacific/Auckland',
    location: { lat: -36.8485, lon: 174.7635 },
  },
  { city: 'New York', postalCode: '10001', countryCode: 'US', timeZone: 'America/New_York', location: { lat: 40.7128, lon: -74.006 } },
]

/** A town where it is day, and stays so for an hour: from 22:00 to 8:00 nobody is written to. */
export function townAwake(): Town {
  const now = Temporal.Instant.fromEpochMilliseconds(journeyNow())
  const isAwake = ({ hour }: Temporal.ZonedDateTime) => hour >= 8 && hour < 21
  const found = towns.find(({ timeZone }) => isAwake(now.toZonedDateTimeISO(timeZone)))
  if (!found) throw new Error(`everybody sleeps at ${now.toString()}`)
  return found
}

/** Cut (40 minutes, €42) and Hair care (60 minutes, €60) by Nora and Karim, from 8 to 20 on every day; in Corsica unless told, where no other journey looks. */
export async function ownInstitute(request: APIRequestContext, name: string, town = townFor(name)): Promise<OwnInstitute> {
  const { city, postalCode, countryCode, location } = town
  const owner = await newAccount(request, { role: 'isPro' })
  const published = await request.post('/api/v1/secure/mysalon/institute', {
    headers: bearer(owner.token),
    data: {
      profile: {
        name,
        phone: '+33 4 78 00 00 00',
        description: '',
        categories: ['hair'],
        address: { line: '12 rue du Mimosa', quarter: '', postalCode, city, countryCode },
        location,
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
