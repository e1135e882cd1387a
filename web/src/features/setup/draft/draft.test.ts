// What was typed, and what may have become of it on the device.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currencyDigits } from '#/platform/money.ts'
import { type DraftService, initialDraft, readDraft, type SetupDraft } from './draft.ts'
import { ageOf, draftToSend, problemsOf } from './send-draft.ts'

const paris = { name: 'Paris', lat: 48.85, lon: 2.35, timeZone: 'Europe/Paris', countryCode: 'FR', currency: 'EUR' }
const cut: DraftService = {
  key: 's1',
  category: 'hair',
  section: {},
  name: { ar: 'قص' },
  description: {},
  active: '30',
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
const noor = { key: 'm1', name: 'نور', title: '', isMe: true, languages: [], bookableOnline: true, skips: [], anchorDay: '', weeks: [] }
const whole = (service: Partial<DraftService>, more: Partial<SetupDraft> = {}): SetupDraft => {
  const initial = initialDraft('u-1')
  return {
    ...initial,
    name: 'دار نور',
    categories: ['hair'],
    address: '1 rue de Seine',
    place: paris,
    openingHours: { ...initial.openingHours, Friday: [{ opensAt: '09:00', closesAt: '18:00' }] },
    services: [{ ...cut, ...service }],
    staff: [{ ...noor, hours: 'salon' }],
    ...more,
  }
}
const wrong = (draft: SetupDraft) => problemsOf(draft).map(({ what }) => what)

beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

describe('what is typed', () => {
  it('may be in the digits of an Arabic keyboard', () => {
    const draft = whole(
      { active: '٣٠', idle: '١٥', after: '۲۰', price: '٤٢٫٥', minimumAge: '١٦' },
      { phone: '+٢١٢ ٦١٢ ٣٤ ٥٦ ٧٨', atHomeService: true, atHomeRadiusKm: '١٢' },
    )
    expect(wrong(draft)).toEqual([])
    expect(draftToSend(draft, '2026-11-23')).toMatchObject({
      profile: { atHomeRadiusKm: 12 },
      services: [{ activeMinutes: 30, idleMinutes: 15, activeAfterMinutes: 20, priceAmount: 4250, minimumAge: 16 }],
    })
    expect(ageOf('٠')).toBeUndefined()
  })

  it('is a phone as an address book gives it, with marks that nobody sees', () => {
    expect(wrong(whole({}, { phone: '\u202a+212\u00a0612‑34‑56‑78\u202c' }))).toEqual([])
    expect(wrong(whole({}, { phone: 'call me' }))).toEqual(['phone'])
  })

  it.each([
    [{ active: '725' }, 'serviceMinutes'],
    [{ active: '30', idle: '485', after: '30' }, 'serviceMinutes'],
    [{ buffer: '245' }, 'serviceMinutes'],
    [{ price: '1000001' }, 'servicePrice'],
  ])('%o is more than can be published, and is said before', (service, what) => {
    expect(wrong(whole(service))).toEqual([what])
  })
})

describe('a place that was kept broken', () => {
  it.each([{ timeZone: 'Nowhere/Here' }, { currency: 'euros' }, { currency: '' }, { countryCode: 'France' }, { lat: 123 }, { lon: -999 }])(
    '%o is asked for once more, and everything else stays',
    (broken) => {
      localStorage.setItem('instituteSetupForm', JSON.stringify(whole({}, { place: { ...paris, ...broken } })))
      const draft = readDraft('u-1')
      expect([draft.place, draft.name, draft.services.length]).toEqual([null, 'دار نور', 1])
      expect(wrong(draft)).toEqual(['town'])
      expect(() => currencyDigits(draft.place?.currency ?? 'EUR')).not.toThrow()
    },
  )

  it('stays where it is sound, and before its zone is known', () => {
    for (const place of [paris, { ...paris, timeZone: '' }]) {
      localStorage.setItem('instituteSetupForm', JSON.stringify(whole({}, { place })))
      expect(readDraft('u-1').place).toEqual(place)
    }
  })

  it('what came twice is kept once', () => {
    localStorage.setItem('instituteSetupForm', JSON.stringify(whole({}, { services: [cut, cut] })))
    expect(readDraft('u-1').services).toEqual([cut])
  })
})
