import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, moved, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z', settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())

const casablanca = {
  timeZone: 'Africa/Casablanca',
  currency: 'MAD',
  city: 'Casablanca',
  countryCode: 'MA',
  name: 'Dar Zellige',
  cancelWindow: 1440,
}

async function sides(locale: string, ownerLocale = locale) {
  const owner = await makeUser(t.db, { role: 'isPro', locale: ownerLocale, firstName: 'Salma' })
  const institute = await makeInstitute(t.db, { ...casablanca, ownerId: owner.id })
  const client = await makeUser(t.db, { locale, firstName: 'Inès' })
  await sql`update users set phone = '+212 6 00 00 00 00' where id = ${client.id}`.execute(t.db)
  return { owner, institute, client }
}

// Ten in the morning in Casablanca, which keeps +00 since September 2026.
const ten = wall('2026-11-24T10:00', 'Africa/Casablanca')
const two = wall('2026-11-24T14:00', 'Africa/Casablanca')

describe('letters about a visit', () => {
  it.each([
    [
      'en',
      'Booked: Tue 24 Nov at 10:00, Dar Zellige',
      'Tuesday 24 November 2026',
      'MAD 35, to pay at the salon',
      'New booking: Tue 24 Nov at 10:00, Inès Benali',
    ],
    [
      'fr',
      'Rendez-vous confirmé : mar. 24 nov. à 10:00, Dar Zellige',
      'mardi 24 novembre 2026',
      '35 MAD, à régler sur place',
      'Nouvelle réservation : mar. 24 nov. à 10:00, Inès Benali',
    ],
    [
      'ar',
      'تأكيد الحجز: الثلاثاء 24 نوفمبر الساعة 10:00، Dar Zellige',
      'الثلاثاء 24 نوفمبر 2026',
      '35 د.م.‏، الدفع في المركز',
      'حجز جديد: الثلاثاء 24 نوفمبر الساعة 10:00، Inès Benali',
    ],
  ])(
    'are in the language of the reader (%s), with the time on the institute’s clock',
    async (locale, subject, day, total, ownerSubject) => {
      const { owner, institute, client } = await sides(locale)
      const booked = await bookVisit(t, client, institute, { startsAt: ten, note: 'Side door <b>please</b>' })
      const [letter, ...others] = await t.mails(client.email)
      expect(others).toEqual([])
      const plain = (text: string | undefined): string => (text ?? '').replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u2068\u2069]/g, '')
      expect(plain(letter?.subject)).toBe(subject)
      expect(plain(letter?.text)).toContain(day)
      expect(plain(letter?.text)).toContain('10:00–10:40')
      expect(plain(letter?.text)).toContain(total)
      expect(letter?.text).toContain(booked.reference)
      expect(letter?.text).toContain(`http://soigne.test/appointment/${booked._id}`)
      expect(letter?.html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(letter?.attachments).toHaveLength(1)
      expect(letter?.attachments[0]?.content).toContain('DTSTART:20261124T100000Z')
      const [told] = await t.mails(owner.email)
      expect(plain(told?.subject)).toBe(ownerSubject)
      expect(told?.text).toContain(`http://soigne.test/mysalon/appointments/calendar?day=2026-11-24&visit=${booked._id}`)
      expect(told?.text).toContain('+212 6 00 00 00 00')
      expect(told?.text).toContain('Side door <b>please</b>')
      expect(told?.html).not.toContain('<b>please</b>')
      expect(told?.attachments).toEqual([])
    },
  )

  it('tell both sides of a move with the time before, and of the end, once each', async () => {
    const { owner, institute, client } = await sides('en', 'fr')
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    await moved(t, client, booked._id, two)
    await moved(t, client, booked._id, ten)
    await moved(t, client, booked._id, two)
    await cancelled(t, client, booked._id)
    await t.drainJobs()
    const kinds = async (email: string): Promise<string[]> => (await t.mails(email)).map(({ kind }) => kind)
    expect(await kinds(client.email)).toEqual(['visit_cancelled', 'visit_moved', 'visit_moved', 'visit_moved', 'visit_booked'])
    expect(await kinds(owner.email)).toEqual([
      'institute_visit_cancelled',
      'institute_visit_moved',
      'institute_visit_moved',
      'institute_visit_moved',
      'institute_visit_booked',
    ])
    const [ended, last] = await t.mails(client.email)
    expect(last?.subject).toBe('Moved to Tue 24 Nov at 14:00: Dar Zellige')
    expect(last?.text).toContain('It was Tuesday 24 November 2026 at 10:00.')
    expect(last?.text).toContain('until Monday 23 November 2026 at 14:00')
    expect(last?.attachments[0]?.content).toMatch(/SEQUENCE:3\r\n/)
    expect(ended?.subject).toBe('Cancelled: Dar Zellige, Tue 24 Nov at 14:00')
    expect(ended?.attachments[0]).toMatchObject({ contentType: 'text/calendar; charset=utf-8; method=CANCEL' })
    expect((await t.mails(owner.email))[1]?.subject.replaceAll('\u00a0', ' ')).toBe(
      'Rendez-vous déplacé : Inès Benali, mar. 24 nov. à 14:00',
    )
  })

  it('are not sent for holds, nor twice for one booking', async () => {
    const { owner, institute, client } = await sides('en')
    const held = await tryHold(t, client, institute, { startsAt: ten })
    expect(await t.mails(client.email)).toEqual([])
    await Promise.all(Array.from({ length: 6 }, () => tryConfirm(t, client, String(held.body['_id']), { key: 'k' })))
    await Promise.all(Array.from({ length: 3 }, () => tryConfirm(t, client, String(held.body['_id']))))
    expect(await t.mails(client.email)).toHaveLength(1)
    expect(await t.mails(owner.email)).toHaveLength(1)
  })

  it('go to the institute’s own address when it has one; one without owner and address is not written to', async () => {
    const { owner, institute, client } = await sides('en')
    await sql`update institutes set email = 'desk@zellige.test' where id = ${institute.id}`.execute(t.db)
    await bookVisit(t, client, institute, { startsAt: ten })
    expect(await t.mails('desk@zellige.test')).toHaveLength(1)
    expect(await t.mails(owner.email)).toEqual([])
    const alone = await makeInstitute(t.db, {})
    expect((await bookVisit(t, client, alone, { startsAt: wall('2026-11-24T12:00') })).status).toBe('pending')
  })

  it('cannot be given another subject line or recipient by a name', async () => {
    const { owner, institute } = await sides('en')
    const client = await makeUser(t.db, { firstName: 'Zoé\r\nBcc: other@people.test' })
    await bookVisit(t, client, institute, { startsAt: ten })
    const [told] = await t.mails(owner.email)
    expect(told?.subject).not.toMatch(/[\r\n]/)
    expect(await t.mails('other@people.test')).toEqual([])
  })

  it('say how to reach the institute when nothing is free of charge', async () => {
    const institute = await makeInstitute(t.db, { cancelWindow: null })
    const client = await makeUser(t.db)
    await bookVisit(t, client, institute, { startsAt: ten })
    expect((await t.mails(client.email))[0]?.text).toContain('If you can’t make it, please call the institute.')
  })
})
