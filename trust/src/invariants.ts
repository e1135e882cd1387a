/** What must be true of the stored rows whatever happened, asked as SQL and without leaning on the constraints that should keep it so. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { root, type Stage } from './stage.ts'

/** Each statement lists violations; good is none. */
const statements: Record<string, string> = {
  'two occupations of one person or machine overlap': `
    select a.subject_id, a.during, b.during as other from occupations a join occupations b on a.subject_id = b.subject_id and a.id < b.id and a.during && b.during`,
  'an occupation belongs to nothing, or to a visit that is cancelled': `
    select o.id, o.appointment_id, a.status from occupations o left join appointments a on a.id = o.appointment_id where o.kind = 'visit' and (a.id is null or a.status = 'cancelled')`,
  'a visit and its time disagree on when the hold ends': `
    select a.id, a.status, a.expires_at, o.expires_at as occupation from appointments a join occupations o on o.appointment_id = a.id where o.expires_at is distinct from a.expires_at`,
  'a live visit does not occupy exactly what its segments imply': `
    with live as (select id from appointments where (status in ('pending', 'deposit_paid', 'completed') or (status = 'held' and expires_at > now()))
      and not exists (select from session_seats t where t.appointment_id = appointments.id)),
    parts as (
      select s.appointment_id, s.member_id, s.resource_id, s.starts_at - v.buffer_before_minutes * interval '1 minute' as from_at, s.ends_at + v.buffer_after_minutes * interval '1 minute' as to_at,
        s.starts_at + v.active_minutes * interval '1 minute' as idle_from, s.starts_at + (v.active_minutes + v.idle_minutes) * interval '1 minute' as idle_to, v.idle_minutes > 0 and v.active_after_minutes > 0 as has_idle
      from segments s join services v on v.id = s.service_id where s.appointment_id in (select id from live)),
    spans as (
      select appointment_id, member_id as subject, tstzrange(from_at, case when has_idle then idle_from else to_at end) as span from parts
      union all select appointment_id, member_id, tstzrange(idle_to, to_at) from parts where has_idle
      union all select appointment_id, resource_id, tstzrange(from_at, to_at) from parts where resource_id is not null),
    implied as (select appointment_id, subject, range_agg(span) as times from spans group by 1, 2),
    stored as (select appointment_id, subject_id as subject, range_agg(during) as times from (select appointment_id, subject_id, during from occupations union all select appointment_id, subject_id, during from soft_occupations) o
      where appointment_id in (select id from live) group by 1, 2)
    select coalesce(i.appointment_id, s.appointment_id) as id, i.times as implied, s.times as stored from implied i full join stored s using (appointment_id, subject) where i.times is distinct from s.times`,
  'a session has more visits than seats': `
    select s.id, s.capacity, count(*) as seats from group_sessions s join session_seats t on t.session_id = s.id group by s.id having count(*) > s.capacity`,
  'a seat and its session disagree on when and with whom': `
    select t.session_id, t.appointment_id from session_seats t join group_sessions s on s.id = t.session_id join segments p on p.appointment_id = t.appointment_id
    where p.member_id <> s.member_id or tstzrange(p.starts_at, p.ends_at) <> s.during`,
  'a session does not have the time of its member': `
    select s.id from group_sessions s where not exists (select from occupations o where o.source_id = s.id and o.subject_id = s.member_id and o.during @> s.during)`,
  'a live visit has no segment': `
    select id from appointments a where (status in ('pending', 'deposit_paid', 'completed') or (status = 'held' and expires_at > now())) and not exists (select 1 from segments s where s.appointment_id = a.id)`,
  'a segment with a machine in its rules has none': `
    select s.id from segments s join services v on v.id = s.service_id where (v.resource_type is null) <> (s.resource_id is null)`,
  'a key was kept without its answer': `select user_id, key from idempotency_keys where body is null`,
}

/** Words for every violation found; none is good. */
export async function checkInvariants(db: pg.Pool): Promise<string[]> {
  const found: string[] = []
  for (const [words, text] of Object.entries(statements)) {
    const { rows } = await db.query<Record<string, unknown>>(text)
    if (rows.length > 0) found.push(`${words}: ${rows.length}, such as ${JSON.stringify(rows[0])}`)
  }
  return found
}

/** Deadlocks Postgres has counted. A backend reports late, at the latest when it ends. */
export async function deadlocks(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select deadlocks::int as n from pg_stat_database where datname = current_database()')
  return rows[0]?.n ?? -1
}

/** Reports are published: where the project lies on one machine is nobody's business. */
export const withoutPlace = (text: string): string => text.replaceAll(`${root}/`, '')

/** What the servers wrote that they should never write. */
export function suspiciousWords(stage: Stage): string[] {
  return stage.servers.flatMap((server, at) =>
    [
      ...server
        .log()
        .matchAll(
          /^.*(?:40P01|deadlock|unexpected failure|job runner stopped|unhandled(?!.*(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|Connection terminated|57P0))).*$/gm,
        ),
    ]
      .slice(0, 3)
      .map((match) => `server ${at} wrote: ${withoutPlace(match[0]).slice(0, 400)}`),
  )
}

const hasSummary = (): boolean =>
  'summary' in (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts

/** What a command of the product says of the data of a stage, and whether it was good. */
async function productSays(stage: Stage, ...command: string[]): Promise<{ isGood: boolean; said: string }> {
  const child = spawn('npm', ['run', '--silent', ...command], {
    cwd: root,
    env: { ...process.env, DATA_DIR: stage.dataDir, SEED: 'none', MAP_STYLE_URL: 'none' },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  return { isGood: code === 0, said }
}

/** The stored summary of free times against the diaries: the product's own command says whether they agree. */
export async function checkSummary(stage: Stage): Promise<{ violations: string[]; checked: boolean }> {
  if (!hasSummary()) return { violations: [], checked: false }
  const { isGood, said } = await productSays(stage, 'summary', '--', '--verify')
  return { violations: isGood ? [] : [`the summary of free times does not verify: ${said.slice(-600)}`], checked: true }
}

/** The books of every institute, by the product's own command. */
export async function checkLedger(stage: Stage): Promise<string[]> {
  const { isGood, said } = await productSays(stage, 'ledger', '--', '--verify')
  return isGood ? [] : [`the ledger does not verify: ${said.slice(-600)}`]
}

/** Everything after a trial: rows, deadlocks, logs, summary. */
export async function afterwards(stage: Stage, deadlocksBefore: number): Promise<{ violations: string[]; summary: string }> {
  const violations = [...(await checkInvariants(stage.db)), ...suspiciousWords(stage)]
  const summary = await checkSummary(stage)
  const met = (await deadlocks(stage.db)) - deadlocksBefore
  if (met > 0) violations.push(`${met} deadlocks`)
  return { violations: [...violations, ...summary.violations], summary: summary.checked ? 'verified' : 'not there yet' }
}
