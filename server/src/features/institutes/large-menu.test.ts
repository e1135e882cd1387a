/** A house with a large menu: every word of it finds the house. */
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
}, 60_000)
afterAll(() => t.close())

const found = async (what: string): Promise<unknown[]> => {
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
