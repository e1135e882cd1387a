/** npm run security [-- --hours N --kind KIND --email EMAIL --limit N]: reads the log of security, a line of JSON for each row. */
import { hourMs } from '@soigne/contract/time'
import { parseArgs } from 'node:util'
import { securityEvents } from '../server/src/features/security/service.ts'
import { readSettings } from '../server/src/settings.ts'
import { withDatabase } from './with-database.ts'

const usage = `npm run security [-- --hours N] [--kind KIND] [--email EMAIL] [--limit N]

  --hours N      of the last N hours (24)
  --kind KIND    such as login.failed, limit.hit, password.changed, level.changed; docs/operations.md lists them
  --email EMAIL  about one account, or one address that has none
  --limit N      the newest N at most (1000)`

function whole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) {
    console.error(usage)
    process.exit(2)
  }
  return Number(text)
}

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '24' },
    kind: { type: 'string' },
    email: { type: 'string' },
    limit: { type: 'string', default: '1000' },
  },
})
const asked = { hours: whole(values.hours), limit: whole(values.limit) }
await withDatabase(readSettings(process.env), async ({ db }, { now }) => {
  const rows = await securityEvents(db, {
    since: new Date(now - asked.hours * hourMs),
    kind: values.kind ?? null,
    email: values.email ?? null,
    limit: asked.limit,
  })
  for (const row of rows) console.log(JSON.stringify(row))
})
