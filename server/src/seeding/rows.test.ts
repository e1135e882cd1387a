import { randomFrom } from '@soigne/demo/random'
import { openingRow } from '@soigne/demo/rows/institute'
import { smallInstitute, type SmallInstituteFacts } from '@soigne/demo/rows/small-institute'
import { tablesOfInstitute } from '@soigne/demo/rows/tables'
import { writeRows } from '@soigne/demo/storage/bulk'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { cloneTemplate } from '#/testing/test-database.ts'

let database: OpenDatabase
let drop: () => Promise<void>
beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'))
  drop = () => clone.drop()
  database = openDatabase(clone.url, { size: 2, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await drop()
})

const facts = (slug: string): SmallInstituteFacts => ({
  slug,
  name: 'A tab\there, a "quote", \\ and 部屋',
  categories: ['hair', 'nails'],
  city: 'Lyon',
  countryCode: 'FR',
  lat: 45.764,
  lon: 4.8357,
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  rules: {
    gridMinutes: 15,
    noticeMinutes: 60,
    horizonDays: 30,
    maxWaitMinutes: 0,
    gapPolicy: 'hide',
    serviceOrder: 'best',
    cancelWindowMinutes: null,
    rescheduleWindowMinutes: 240,
  },
  createdAt: '2026-11-20T11:00:00.000Z',
  weekdays: [1, 3],
  hours: { opensAt: 540, closesAt: 1080 },
  members: 2,
  services: [
    { category: 'hair', name: { en: 'Cut', ar: 'قص' }, activeMinutes: 40, priceAmount: 3500 },
    { category: 'nails', name: { en: 'Colour' }, activeMinutes: 60, priceAmount: null, priceKind: 'on_request', performedBy: [1] },
  ],
  resources: [{ type: 'chair', name: 'Chair' }],
})

const random = randomFrom('rows')
const newId = (): string => random.uuid(Date.now())

async function numberOf(slug: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from institutes where slug = ${slug}`.execute(database.db)
  return rows[0]?.n ?? -1
}

describe('rows of a small institute', () => {
  it('are stored as they were made', async () => {
    const rows = smallInstitute(facts('as-made'), newId)
    await writeRows(database.pool, tablesOfInstitute(rows))
    for (const [table, list] of tablesOfInstitute(rows)) {
      const keys = sql.join(
        Object.keys(list[0] ?? { institute_id: '' })
          .filter((key) => key !== 'words')
          .map((key) => sql.id(key)),
      )
      const owner = sql.id(table === 'institutes' ? 'id' : 'institute_id')
      const stored = await sql<object>`select ${keys} from ${sql.id(table)} where ${owner} = ${rows.institute.id}`.execute(database.db)
      expect(stored.rows, table).toHaveLength(list.length)
      for (const row of list) expect(stored.rows, table).toContainEqual(table === 'institutes' ? withoutWords(row) : row)
    }
  })

  it('give each service to those who perform it', () => {
    const rows = smallInstitute(facts('performed'), newId)
    const performers = rows.services.map(({ id }) => rows.memberServices.filter((row) => row.service_id === id).length)
    expect(performers).toEqual([2, 1])
  })

  it('are all there or none', async () => {
    const rows = smallInstitute(facts('none'), newId)
    const twice = openingRow({ instituteId: rows.institute.id, weekday: 1, opensAt: 600, closesAt: 700 })
    rows.openingHours.push(twice)
    await expect(writeRows(database.pool, tablesOfInstitute(rows))).rejects.toThrow('opening_hours_apart')
    expect(await numberOf('none')).toBe(0)
  })
})

const withoutWords = (row: object): object => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'words'))
