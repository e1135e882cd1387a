import { describe, expect, it } from 'vitest'
import { nacre } from '#/testing/institutes.ts'
import { loader } from './institute-page.tsx'

type Arguments = Parameters<typeof loader>[0]

/** What the page answers to an address, where the server knows one institute by whatever slug. */
async function answerTo(path: string): Promise<unknown> {
  const request = new Request(`http://soigne.test${path}`)
  const slug = new URL(request.url).pathname.split('/').at(-1)
  const context = { get: () => ({ call: async (name: string) => (name === 'institute' ? nacre : { times: [], items: [] }) }) }
  const asked = { context, params: { slug }, request } as unknown as Arguments
  return loader(asked).catch((thrown: unknown) => thrown)
}

describe('the address of an institute', () => {
  it('that it had before is moved for good to the one it has, with what was asked', async () => {
    const answer = await answerTo('/salon/nails-lyon-0a1b2c3d?at=x')
    expect(answer).toBeInstanceOf(Response)
    const { status, headers } = answer as Response
    expect([status, headers.get('location')]).toEqual([301, '/salon/atelier-nacre?at=x'])
  })

  it('that it has is its page', async () => {
    expect(await answerTo('/salon/atelier-nacre')).toMatchObject({ institute: { slug: 'atelier-nacre' } })
  })
})
