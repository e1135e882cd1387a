/** Requests about passkeys, with a device that signs. */
import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Recipe } from './access-recipes.ts'
import type { AccessWorld } from './access-world.ts'
import { Authenticator } from './authenticator.ts'
import { type MadeUser, makeUser } from './factories.ts'
import type { TestBody } from './test-app.ts'

const secure = '/api/v1/secure/client/passkeys'
type Asked = { challenge: string; user: { id: string } }
const asked = (body: TestBody): Asked => body as unknown as Asked

/** One that signs nothing. */
async function passkeyOf({ t }: AccessWorld, user: MadeUser | null): Promise<string> {
  const id = randomUUID()
  if (user)
    await sql`insert into passkeys (id, user_id, credential_id, public_key, sign_count, name)
      values (${id}, ${user.id}, ${randomBytes(16)}, ${randomBytes(16)}, 0, 'Phone')`.execute(t.db)
  return id
}

/** Worlds are used over and over: there is always room for one more. */
const forget = async ({ t }: AccessWorld, user: MadeUser | null): Promise<void> => {
  if (user) await sql`delete from passkeys where user_id = ${user.id}`.execute(t.db)
}

const ofOwn = (body?: Record<string, unknown>): Recipe => ({
  make: async (world, user) => ({ params: { id: await passkeyOf(world, user) }, ...(body && { body }) }),
  neighbours: { 'params.id': async (world) => passkeyOf(world, await makeUser(world.t.db)) },
})

export const passkeyRecipes = {
  passkeys: { make: () => ({}) },
  beginPasskey: {
    async make(world, user) {
      await forget(world, user)
      return { body: {} }
    },
  },
  addPasskey: {
    async make(world, user) {
      await forget(world, user)
      const { body } = user ? await world.t.inject('POST', `${secure}/begin`, { token: user.token, body: {} }) : { body: {} }
      const { challenge = randomBytes(32).toString('base64url'), user: { id } = { id: 'AA' } } = body as unknown as Partial<Asked>
      return { body: { credential: new Authenticator().make({ challenge, user: { id } }) } }
    },
  },
  renamePasskey: ofOwn({ name: 'My telephone' }),
  removePasskey: ofOwn(),
  beginPasskeySignIn: { make: () => ({}) },
  signInByPasskey: {
    async make({ t }) {
      const { token } = await makeUser(t.db)
      const device = new Authenticator()
      const made = device.make(asked((await t.inject('POST', `${secure}/begin`, { token, body: {} })).body))
      await t.inject('POST', secure, { token, body: { credential: made } })
      const { body } = await t.inject('POST', '/api/v1/client/auth/passkey/begin')
      return { body: { credential: device.sign(asked(body)) } }
    },
  },
} satisfies Record<string, Recipe>
