/** Keeping the table of events in order: forgetting what is old, and taking over what a dump brought from another database. */
import { dayMs, type Instant } from '@soigne/contract/time'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from './database.ts'
import { c, known, statement } from './statement.ts'

/** Events are kept this long. */
const keptMs = 400 * dayMs
const together = 1000

const forgetOldest = statement(
  { name: 'events.forgetOldest', row: { gone: known(c.count) }, tries: [{ before: new Date(0), limit: 1 }] },
  ({ before, limit }: { before: Date; limit: number }) => sql`
    with oldest as (select id, at from events order by id limit ${limit}),
      gone as (delete from events e using oldest o where e.id = o.id and o.at < ${before} returning e.id),
      answered as (delete from reactions_done d using gone g where d.event_id = g.id)
    select count(*) as gone from gone`,
)
/** Forgets events that every follower has long heard. Ids follow time closely, so the oldest stand first, and nobody reads the whole table to find none. */
export async function forgetOldEvents(db: Db, now: Instant, limit = together): Promise<void> {
  const before = new Date(now - keptMs)
  while ((await forgetOldest.one(db, { before, limit }))?.gone === limit);
}

const fromElsewhere = statement(
  { name: 'events.fromElsewhere', row: { isSo: known(c.bool) } },
  () => sql`select exists (select from event_cursors where pg_snapshot_xmax(position) > pg_snapshot_xmax(pg_current_snapshot()))
    or coalesce((select xid >= pg_snapshot_xmax(pg_current_snapshot()) from events order by xid desc limit 1), false) as "isSo"`,
)
const mayChange = {
  on: statement({ name: 'events.mayChange', row: {} }, () => sql`alter table events disable trigger events_stay`),
  off: statement({ name: 'events.mayNotChange', row: {} }, () => sql`alter table events enable trigger events_stay`),
}
const renumber = statement(
  { name: 'events.renumber', row: {} },
  () => sql`
    with cursors as (select min(pg_snapshot_xmin(position)) as heard from event_cursors),
      restored as (select max(id) as last from events where xid >= pg_current_xact_id())
    update events e set xid = case
        when e.id > restored.last or exists (select from event_cursors c where not pg_visible_in_snapshot(e.xid, c.position)) then pg_current_xact_id()
        else '0' end
    from cursors, restored where e.xid >= least(cursors.heard, pg_current_xact_id()) or e.id > restored.last`,
)
const takeTime = statement(
  { name: 'events.takeTime', row: { limit: known(c.text) } },
  () => sql`select set_config('statement_timeout', '0', true) as "limit"`,
)
const standHere = statement(
  { name: 'events.standHere', row: {} },
  () => sql`update event_cursors set position = format('%s:%s:', pg_current_xact_id(), pg_current_xact_id())::pg_snapshot`,
)

/**
 * A dump brings numbers of transactions that have not happened yet in the database it is restored into: what was dispatched would come again, and what is new never.
 * Then events get numbers of here, and those that no reaction has heard of yet are still to come. True when it was so.
 */
export async function adoptRestoredEvents(db: Database): Promise<boolean> {
  if (!(await fromElsewhere.one(db))?.isSo) return false
  return inTransaction(db, async (transaction) => {
    await mayChange.on.run(transaction)
    // Somebody else may have been here first.
    const isSo = (await fromElsewhere.one(transaction))?.isSo === true
    if (isSo) {
      await takeTime.all(transaction)
      await renumber.run(transaction)
      await standHere.run(transaction)
    }
    await mayChange.off.run(transaction)
    return isSo
  })
}
