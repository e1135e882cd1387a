/** docs/access.md is what the rules say, and what the server does: a request for every cell, over the whole server on a real database. */
import { instituteHeader } from '@soigne/contract/access'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccessRequest, recipes } from '#/testing/access-recipes.ts'
import { type AccessActor, accessDocument, actors, callNames, callOf, type CallName, cellOf, idPlaces } from '#/testing/access-table.ts'
import { type AccessWorld, makeAccessWorld, unknownId } from '#/testing/access-world.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const many = '1000000'
let t: TestApp
let world: AccessWorld
beforeAll(async () => {
  t = await openTestApp({
    settings: { LIMIT_REGISTRATIONS: many, LIMIT_LOGINS: many, LIMIT_WRONG_PASSWORDS: many, LIMIT_HOLDS: '1000' },
  })
  world = await makeAccessWorld(t)
})
afterAll(() => t.close())

const isOfInstitute = (name: CallName): boolean => {
  const { access } = callOf(name)
  return access !== 'public' && access.of === 'institute'
}
const namesThings = (name: CallName): boolean => recipes[name].namesThings === true

/** Sends a request; calls of an institute name the one of the owner, unless told otherwise. */
function send(
  name: CallName,
  token: string | undefined,
  request: AccessRequest,
  instituteId: string | null = world.mine.id,
): Promise<TestAnswer> {
  const { method, path } = callOf(name)
  const address = path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(request.params?.[part] ?? ''))
  const query = new URLSearchParams(request.query).toString()
  return t.inject(method, query === '' ? address : `${address}?${query}`, {
    ...(token !== undefined && { token }),
    ...(request.body && { body: request.body }),
    ...(request.payload && { payload: request.payload }),
    headers: { ...(isOfInstitute(name) && instituteId !== null && { [instituteHeader]: instituteId }), ...request.headers },
  })
}

const statusOf = (name: CallName, actor: AccessActor): number => {
  const cell = cellOf(callOf(name), actor, namesThings(name))
  return cell === 'ok' ? (recipes[name].refusedByState?.[actor] ?? callOf(name).status ?? 200) : Number(cell)
}

it('the committed table is what the rules say', async () => {
  await expect(accessDocument(namesThings)).toMatchFileSnapshot('../../docs/access.md')
})

describe.each(callNames)('%s', (name) => {
  const { make, neighbours = {} } = recipes[name]

  it('gives every actor what the table says', async () => {
    // Where a thing of the client is named, everybody asks for the same one and the client last: what was refused has changed nothing.
    const order = namesThings(name) ? actors.toSorted((a, b) => Number(a === 'client') - Number(b === 'client')) : actors
    const shared = namesThings(name) ? await make(world, world.people.client, 'client') : null
    const wanted: Record<string, number> = {}
    const got: Record<string, number> = {}
    const texts: Record<string, string> = {}
    for (const actor of order) {
      const user = await (recipes[name].endsAccount ? world.comeAnew(actor) : world.come(actor))
      const answer = await send(name, user?.token, shared ?? (await make(world, user, actor)))
      got[actor] = answer.status
      texts[actor] = answer.text.slice(0, 200)
      wanted[actor] = statusOf(name, actor)
    }
    expect(got, JSON.stringify(texts)).toEqual(wanted)
  })

  it('has a neighbour’s id for each id it takes', () => {
    expect(Object.keys(neighbours).toSorted()).toEqual(idPlaces(callOf(name)).toSorted())
  })

  const places = Object.keys(neighbours)
  if (places.length > 0)
    it.each(places)('takes no neighbour’s id in %s, and says what it says of one that nobody has', async (place) => {
      const asking = actors.filter((one) => cellOf(callOf(name), one, namesThings(name)) === 'ok')
      for (const actor of asking.filter((one) => recipes[name].refusedByState?.[one] === undefined)) {
        const user = await world.come(actor)
        const foreign = await neighbours[place]?.(world)
        const ask = async (id: string): Promise<[number, string]> => {
          const answer = await send(name, user?.token, withId(name, await make(world, user, actor), place, id))
          return [answer.status, answer.text.replaceAll(id, 'ID')]
        }
        const [first, second] = [await ask(foreign ?? ''), await ask(unknownId())]
        expect([actor, first[0], second[0]]).toEqual([actor, 404, 404])
        expect(codeOf(first)).toEqual(codeOf(second))
        // Institutes are public: of one that is known the refusal may say what it does not have. Of things of people it says nothing.
        if (namesThings(name)) expect(first).toEqual(second)
      }
    })

  if (isOfInstitute(name) && places.length > 0)
    it('knows the things of one’s own institute only, whether it is named or not', async () => {
      const neighbour = await world.come('neighbour')
      const answer = await send(name, neighbour?.token, await make(world, neighbour, 'neighbour'), null)
      expect(answer.status).toBe(404)
    })

  if (isOfInstitute(name))
    it('takes no neighbour’s institute, and is for nobody who works at none', async () => {
      const owner = await world.come('owner')
      const request = await make(world, owner, 'owner')
      const naming = (id: string): Promise<TestAnswer> => send(name, owner?.token, request, id)
      const [foreign, unknown] = [await naming(world.theirs.id), await naming(unknownId())]
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
      // A new one: somebody may have been asked to work somewhere meanwhile.
      const stranger = await world.comeAnew('stranger')
      expect((await send(name, stranger?.token, request, null)).status).toBe(403)
    })
})

const codeOf = ([status, text]: [number, string]): [number, unknown] => [status, (JSON.parse(text) as { code: string }).code]

/** The request with another id in one place. */
function withId(name: CallName, request: AccessRequest, place: string, id: string): AccessRequest {
  const copy = structuredClone({ ...request, payload: undefined }) as unknown as Record<string, unknown>
  const steps = place.split('.')
  let at = copy
  for (const step of steps.slice(0, -1)) at = at[step] as Record<string, unknown>
  const last = steps.at(-1) ?? ''
  const isThere = typeof at[last] === 'string' || (recipes[name].elsewhere?.includes(place) && at[last] === undefined)
  if (!isThere) throw new Error(`the recipe has no id in ${place}`)
  at[last] = id
  return { ...(copy as AccessRequest), ...(request.payload && { payload: request.payload }) }
}
