// One institute of component tests: two services, two people, a week with closed days.
import type { Institute } from '@soigne/contract/institutes'

export const gelManicure = '019b0000-0000-7000-8000-000000000001'
export const handMassage = '019b0000-0000-7000-8000-000000000002'
export const ines = '019b0000-0000-7000-8000-00000000000a'
export const maud = '019b0000-0000-7000-8000-00000000000b'

const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })
const open = [{ opensAt: '09:00', closesAt: '19:00' }]

export const nacre: Institute = {
  _id: '019b0000-0000-7000-8000-0000000000ff',
  slug: 'atelier-nacre',
  name: 'Atelier Nacre',
  description: 'Hands and feet, unhurried.',
  categories: ['nails'],
  claimed: true,
  sources: [],
  phone: '+33 4 00 00 10 18',
  website: null,
  address: {
    line: '14 rue d’Austerlitz',
    quarter: 'Croix-Rousse',
    postalCode: '69004',
    city: 'Lyon',
    countryCode: 'FR',
    country: 'France',
  },
  location: { lat: 45.77, lon: 4.83 },
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  atHome: false,
  audience: ['Woman', 'Kids'],
  languages: ['English', 'Arabic'],
  paymentMethods: ['card'],
  openingHours: [
    { weekday: 'Monday', ranges: [] },
    { weekday: 'Tuesday', ranges: open },
    { weekday: 'Wednesday', ranges: open },
    { weekday: 'Thursday', ranges: open },
    {
      weekday: 'Friday',
      ranges: [
        { opensAt: '09:00', closesAt: '12:00' },
        { opensAt: '14:00', closesAt: '20:00' },
      ],
    },
    { weekday: 'Saturday', ranges: open },
    { weekday: 'Sunday', ranges: [] },
  ],
  closures: [{ fromDay: '2026-12-24', toDay: '2026-12-26', reason: 'Christmas' }],
  openUntil: '19:00',
  pictures: [{ url: '/art/cover/nails/atelier-nacre.svg', alt: 'Atelier Nacre' }],
  services: [
    {
      _id: gelManicure,
      category: 'nails',
      section: 'Hands',
      name: 'Gel manicure',
      description: 'Shaping, cuticles, two coats of gel',
      durationMinutes: 60,
      price: euros(38),
      priceKind: 'fixed',
      audience: 'All',
      conditions: [],
      performers: [
        { staffId: ines, durationMinutes: 60, price: euros(38) },
        { staffId: maud, durationMinutes: 80, price: euros(44) },
      ],
    },
    {
      _id: handMassage,
      category: 'massage',
      section: 'Hands',
      name: 'Hand massage',
      description: null,
      durationMinutes: 20,
      price: euros(14),
      priceKind: 'fixed',
      audience: 'All',
      conditions: ['From 16 years'],
      performers: [{ staffId: ines, durationMinutes: 20, price: euros(14) }],
    },
  ],
  team: [
    {
      _id: ines,
      name: 'Inès',
      title: 'Nail artist',
      bio: null,
      languages: ['French'],
      availability: 'available',
      bookableOnline: true,
      imageUrl: '/art/face/ines.svg',
    },
    {
      _id: maud,
      name: 'Maud',
      title: 'Manicurist',
      bio: null,
      languages: [],
      availability: 'away',
      bookableOnline: true,
      imageUrl: '/art/face/maud.svg',
    },
    {
      _id: 'salma',
      name: 'Salma',
      title: null,
      bio: null,
      languages: [],
      availability: 'away',
      bookableOnline: false,
      imageUrl: '/art/face/salma.svg',
    },
  ],
  rules: { cancelWindowHours: 2, rescheduleWindowHours: 2, noticeMinutes: 60, horizonDays: 60, payAtSalon: true },
  rating: { average: 0, count: 0 },
  averageWelcoming: null,
  averageHygiene: null,
  averageAtmosphere: null,
  averageServiceQuality: null,
}
