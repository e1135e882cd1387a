/** Accounts by what a provider calls their people. */
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { someId, statement } from '#/platform/statement.ts'
import { type Account, account, accountColumns } from './store.ts'

interface Known {
  issuer: string
  subject: string
}

const identified = statement(
  { name: 'session.identified', row: account, tries: [{ issuer: 'i', subject: 's' }] },
  ({ issuer, subject }: Known) =>
    sql`select ${accountColumns} from identities d join users u on u.id = d.user_id where d.issuer = ${issuer} and d.subject = ${subject}`,
)
export const findIdentified = (db: Db, _scope: SystemScope, { issuer, subject }: Known): Promise<Account | null> =>
  identified.one(db, { issuer, subject })

const link = statement(
  { name: 'session.link', row: {}, tries: [{ issuer: 'i', subject: 's', userId: someId, now: new Date(0) }] },
  ({ issuer, subject, userId, now }: Known & { userId: string; now: Date }) =>
    sql`insert into identities (issuer, subject, user_id, created_at) values (${issuer}, ${subject}, ${userId}, ${now})`,
)
export async function insertIdentity(db: Db, scope: SelfScope, { issuer, subject, now }: Known & { now: Date }): Promise<void> {
  await link.run(db, { issuer, subject, userId: scope.userId, now })
}

const unlink = statement(
  { name: 'session.unlink', row: {}, tries: [someId] },
  (userId: string) => sql`delete from identities where user_id = ${userId}`,
)
export async function deleteIdentities(db: Db, scope: SelfScope): Promise<void> {
  await unlink.run(db, scope.userId)
}

interface NewSession extends Known {
  tokenHash: Buffer
  userAgent: string | null
  now: Date
  expiresAt: Date
}
const open = statement(
  {
    name: 'session.openIdentified',
    row: {},
    tries: [{ issuer: 'i', subject: 's', tokenHash: Buffer.alloc(32), userAgent: 'a', now: new Date(0), expiresAt: new Date(1) }],
  },
  ({ issuer, subject, tokenHash, userAgent, now, expiresAt }: NewSession) => sql`
    insert into sessions (user_id, token_hash, user_agent, created_at, last_seen_at, expires_at)
    select user_id, ${tokenHash}, ${userAgent}, ${now}, ${now}, ${expiresAt} from identities where issuer = ${issuer} and subject = ${subject} for share`,
)
export async function openIdentified(db: Db, _scope: SystemScope, session: NewSession): Promise<void> {
  const { issuer, subject, tokenHash, userAgent, now, expiresAt } = session
  await open.run(db, { issuer, subject, tokenHash, userAgent, now, expiresAt })
}
