import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { spellingsOf } from './spellings.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

/** Whether a text is found, as the database sees it. */
async function isFound(search: string, text: string): Promise<boolean | undefined> {
  const pattern = spellingsOf(search)
  if (pattern === null) return undefined
  const { rows } = await sql<{ found: boolean }>`select (${text}::text collate pg_c_utf8) ~* ${pattern} as found`.execute(t.db)
  return rows[0]?.found
}

describe('what is searched for is found', () => {
  it.each([
    ['decoloration', 'Une DÉCOLORATION, s’il vous plaît'],
    ['Décoloration', 'decoloration'],
    ['s’il vous plait', 's\u2019il  vous  plaît'],
    ['e', 'e\u0301te\u0301'],
    ['strasse', 'Straße'],
    ['straße', 'STRASSE'],
    ['oeil', 'œil'],
    ['soeur', 'Sœur'],
    ['الساعه الخامسه', 'على السّاعة الخامسة'],
    ['احمد', 'أحمد'],
    ['صالون', 'صـالون'],
    ['подар', 'Подарок'],
    ['a.b', 'A b'],
    ['💇🏽 100', 'zum Preis von 100'],
  ])('%s in %s', async (search, text) => {
    expect(await isFound(search, text)).toBe(true)
  })

  it.each([
    ['decoloration', 'coloration'],
    ['ss', 's'],
    ['100 20', '10020'],
    ['.*', 'anything'],
  ])('%s, and not in %s', async (search, text) => {
    expect(await isFound(search, text)).not.toBe(true)
  })

  it('and nothing is asked for a text without a word', () => {
    expect(['', ' ', '%', '👋', '[(*'].map(spellingsOf)).toEqual([null, null, null, null, null])
  })
})
