/** What the wizard sends, of Atelier Mimosa in Lyon: two people, a colour that needs a patch test, a rota of two weeks. */
import type { SetupDraft } from '@soigne/contract/setup'
import { weekdays } from '@soigne/contract/wire'

type Week<Day> = Record<(typeof weekdays)[number], Day[]>

/** A week with the same on some days, Monday first, and nothing on the others. */
export const weekWith = <Day>(days: readonly string[], ...each: Day[]): Week<Day> =>
  Object.fromEntries(weekdays.map((weekday) => [weekday, days.includes(weekday) ? each : []])) as unknown as Week<Day>

const open = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const shift = (opensAt: string, closesAt: string) => ({ opensAt, closesAt, breaks: [] })

const service = (key: string, name: string, more: Partial<SetupDraft['services'][number]> = {}): SetupDraft['services'][number] => ({
  key,
  category: 'hair',
  section: { en: 'Colour' },
  name: { en: name },
  description: {},
  activeMinutes: 40,
  idleMinutes: 0,
  activeAfterMinutes: 0,
  bufferAfterMinutes: 0,
  isSequential: false,
  minimumAge: null,
  priceKind: 'fixed',
  priceAmount: 4200,
  audience: 'All',
  prerequisites: [],
  ...more,
})

export function setupDraftFor({ name = 'Atelier Mimosa', claims = null }: { name?: string; claims?: string | null } = {}): SetupDraft {
  return {
    profile: {
      name,
      phone: '+33 4 78 00 00 00',
      description: 'Hair, and nothing else.',
      categories: ['hair'],
      address: { line: '12 rue du Mimosa', quarter: 'Croix-Rousse', postalCode: '69004', city: 'Lyon', countryCode: 'FR' },
      location: { lat: 45.7745, lon: 4.8303 },
      openingHours: weekWith(open, { opensAt: '09:00', closesAt: '19:00' }),
      audience: ['All'],
      languages: ['French', 'English'],
      atHomeRadiusKm: null,
    },
    services: [
      service('cut', 'Cut'),
      service('colour', 'Root colour', {
        activeMinutes: 30,
        idleMinutes: 40,
        activeAfterMinutes: 30,
        bufferAfterMinutes: 10,
        priceAmount: 6800,
        prerequisites: [{ key: 'test', minHours: 48, maxMonths: 6 }],
      }),
      service('test', 'Patch test', { activeMinutes: 20, priceAmount: 0 }),
    ],
    staff: [
      {
        key: 'me',
        name: 'Nora Haddad',
        title: 'Colourist',
        isMe: true,
        languages: ['French'],
        bookableOnline: true,
        services: ['cut', 'colour', 'test'],
        anchorDay: '2026-11-30',
        weeks: [weekWith(open, shift('09:00', '12:30'), shift('13:10', '19:00'))],
      },
      {
        key: 'karim',
        name: 'Karim',
        title: '',
        isMe: false,
        languages: [],
        bookableOnline: true,
        services: ['cut'],
        anchorDay: '2026-11-30',
        weeks: [
          weekWith(['Wednesday', 'Thursday', 'Friday', 'Saturday'], {
            ...shift('09:00', '18:00'),
            breaks: [{ opensAt: '13:00', closesAt: '14:00' }],
          }),
          weekWith(['Tuesday', 'Wednesday', 'Thursday', 'Friday'], shift('09:00', '18:00')),
        ],
      },
    ],
    pictures: [],
    logo: null,
    payment: {
      paymentMethods: ['card'],
      payAtSalon: true,
      deposit: { kind: 'percent', percent: 30 },
      cancelWindowMinutes: 1440,
      rescheduleWindowMinutes: 120,
    },
    claims,
  }
}
