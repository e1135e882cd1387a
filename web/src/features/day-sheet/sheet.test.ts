// What lies on the device, and the calendar with what waits.
import { expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit } from '#/testing/diary.ts'
import { gelManicure, ines, maud } from '#/testing/institutes.ts'
import { parseInstant } from '#/platform/time.ts'
import { inTheWay, withChanges } from './changes.ts'
import { daysOfSheet, forgetSheet, keepSheet, ownerOf, readSheet, stripped } from './sheet.ts'

const visit = diaryVisit('v', '14:00', '15:00', {
  note: 'allergic to latex',
  ownNote: 'pregnant',
  atHome: { city: 'Lyon', postalCode: '69004' } as never,
})
const diary = diaryOf({ visits: [visit] })
const now = parseInstant(at('14:06'))

it('has no telephones, notes, homes, nor why somebody is away', () => {
  const [first] = diary.days[0]?.members ?? []
  const away = { _id: 'l', kind: 'sick_leave' as const, startsAt: at('09:00'), endsAt: at('12:00') }
  const day = { ...diary.days[0], members: [{ ...first, away: [away] }] }
  const block = {
    _id: 'b',
    staffId: ines,
    resourceId: null,
    startsAt: at('12:00'),
    endsAt: at('13:00'),
    kind: 'errand' as const,
    note: 'to the doctor',
  }
  const text = JSON.stringify(stripped({ ...diary, days: [day as never], blocked: [block] }))
  for (const hidden of ['latex', 'pregnant', 'Lyon', '+33', 'sick', 'doctor']) expect(text).not.toContain(hidden)
  expect(text).toContain('Camille Renaud')
})

it('is of one account at one institute, and gone once forgotten', async () => {
  const owner = ownerOf({ id: 'u', institute: { _id: 'i' } }) ?? ''
  await keepSheet(owner, diary, [], now)
  expect((await readSheet(owner))?.diary.visits).toHaveLength(1)
  expect(await readSheet('u.other')).toBeNull()
  await forgetSheet(owner)
  expect(await readSheet(owner)).toBeNull()
  expect(ownerOf({ id: 'u' })).toBeNull()
})

it('answers for kept days alone, from when it is, with the clock going on', () => {
  const sheet = { keptAt: now, diary, services: [] }
  expect(daysOfSheet(sheet, { from: diaryDay, days: 1 }, now + 60_000)).toMatchObject({ asOf: at('14:06'), now: at('14:07') })
  expect(daysOfSheet(sheet, { from: diaryDay, days: 7 }, now)).toBeNull()
  expect(daysOfSheet(sheet, { from: '2026-11-20', days: 1 }, now)).toBeNull()
})

const kept = { id: 'a', owner: 'u.i', madeAt: at('14:10'), key: 'k', keyedAt: at('14:10'), isTried: false, refusal: null, name: '' }
const walkIn = {
  ...kept,
  kind: 'walkIn' as const,
  startsAt: at('15:00'),
  endsAt: at('15:40'),
  staffId: maud,
  service: { _id: gelManicure, name: 'Gel manicure' },
}

it('shows what waits in its place, also what was done to it, and not what was refused', () => {
  const arrived = {
    ...kept,
    id: 'b',
    madeAt: at('14:11'),
    kind: 'attendance' as const,
    visitId: 'desk-a',
    version: 0,
    was: 'expected' as const,
    attendance: 'arrived' as const,
  }
  const from = { startsAt: at('14:00'), endsAt: at('15:00'), staffId: ines, services: [gelManicure] }
  const moved = {
    ...kept,
    id: 'c',
    madeAt: at('14:12'),
    kind: 'move' as const,
    visitId: 'v',
    version: 1,
    startsAt: at('16:00'),
    staffId: maud,
    from,
  }
  const shown = withChanges(diary, [moved, arrived, walkIn]).visits
  expect(shown.map(({ _id, startsAt, attendance, segments }) => [_id, startsAt, attendance, segments[0]?.staffId])).toEqual([
    ['desk-a', at('15:00'), 'arrived', maud],
    ['v', at('16:00'), 'expected', maud],
  ])
  const refusal = { code: 'slot_taken', message: '' }
  expect(withChanges(diary, [{ ...walkIn, refusal }]).visits).toEqual(diary.visits)
})

it('says what stands in the way of a time', () => {
  const busy = (from: string, to: string) => inTheWay(diary, ines, { startsAt: at(from), endsAt: at(to) }, '').length
  expect([busy('13:00', '14:00'), busy('14:40', '15:20'), busy('15:00', '16:00')]).toEqual([0, 1, 0])
  expect(inTheWay(diary, ines, { startsAt: at('14:00'), endsAt: at('15:00') }, 'v')).toEqual([])
})
