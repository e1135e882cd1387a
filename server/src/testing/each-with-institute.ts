/** The set-up of tests about visits: one app for the file, and for each test a new institute and a new client at the same moment. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type InstituteOptions, type MadeInstitute, type MadeUser, makeInstitute, makeUser } from './factories.ts'
import { openTestApp, type TestApp } from './test-app.ts'

export interface World {
  t: TestApp
  institute: MadeInstitute
  client: MadeUser
}

/** `take` gets what is new before each test. Clients may hold as much as they like, unless other settings are given. */
export function eachWithInstitute(
  { at, institute, settings = { LIMIT_HOLDS: '50' } }: { at: string; institute?: InstituteOptions; settings?: Record<string, string> },
  take: (world: World) => void,
): void {
  let t: TestApp
  beforeAll(async () => {
    t = await openTestApp({ at, settings })
  })
  afterAll(() => t.close())
  beforeEach(async () => {
    t.clock.set(at)
    take({ t, institute: await makeInstitute(t.db, institute), client: await makeUser(t.db) })
  })
}
