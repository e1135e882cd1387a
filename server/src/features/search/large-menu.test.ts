/** An institute with a large menu: every word of it finds the institute. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru']
/** Another word for each number below ten thousand. */
const wordAt = (n: number): string => [1000, 100, 10, 1].map((power) => syllables[Math.floor(n / power) % 10]).join('')
const names = Array.from({ length: 600 }, (_, n) => `${wordAt(n)} ${wordAt(n + 3000)} ${wordAt(n + 6000)}`)

let t: TestApp
let slug: string
beforeAll(async () => {
  t = await openTestApp()
  slug = (
    await makeInstitute(t.db, { name: 'Grande Maison', city: 'Annecy', members: 1, services: names.map((name) => ({ name, active: 30 })) })
  ).slug
})
afterAll(() => t.close())

const found = async (what: string): Promise<unknown[][]> => {
  const { body } = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams({ what })}`)
  return (body as unknown as { items: { slug: string; service: { name: string } | null }[] }).items.map((item) => [
    item.slug,
    item.service?.name,
  ])
}

it.each([0, 299, 599])('is found by its service number %i, which is the one shown', async (n) => {
  expect(await found(wordAt(n + 6000))).toEqual([[slug, names[n]]])
})

it('is found by where it is, too', async () => {
  expect(await found('Annecy')).toEqual([[slug, names[0]]])
})

it('is found by where it is and by what fits, however long its menu is and whatever it is written in', async () => {
  // Forty letters of three bytes each, as long as a word can be: ten thousand of them are more than PostgreSQL takes.
  const letters = [...'零一二三四五六七八九']
  const longWord = (n: number): string =>
    [...String(n).padStart(4, '0')]
      .map((digit) => letters[Number(digit)])
      .join('')
      .repeat(10)
  const services = Array.from({ length: 400 }, (_, n) => ({
    name: Array.from({ length: 25 }, (_, at) => longWord(n * 25 + at)).join(' '),
    active: 30,
  }))
  const { slug: endless } = await makeInstitute(t.db, { name: 'Sans Fin', city: 'Chambord', members: 1, services })
  expect((await found('Chambord')).map(([one]) => one)).toEqual([endless])
  expect((await found(longWord(6000))).map(([one]) => one)).toEqual([endless])
})
