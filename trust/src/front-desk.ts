/** The front desk: writes leave into the diary as rows, in a transaction under the same lock a booking takes, and only where nobody is booked. */
import { minuteMs } from '@soigne/contract/time'
import type pg from 'pg'

/** The lock of a diary, as every change of the product takes it. */
async function underLock<T>(db: pg.Pool, instituteId: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await db.connect()
  try {
    await client.query('begin')
    await client.query('select from diary_versions where institute_id = $1 for update', [instituteId])
    const done = await work(client)
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

export interface LeaveRequest {
  instituteId: string
  memberId: string
  /** Midnight UTC in milliseconds, and minutes of that day. */
  day: number
  opensAt: number
  closesAt: number
}

/** The leave's id, or null when somebody has a visit then. */
export async function takeLeave(db: pg.Pool, request: LeaveRequest): Promise<string | null> {
  const at = (minute: number): Date => new Date(request.day + minute * minuteMs)
  return underLock(db, request.instituteId, async (client) => {
    const now = new Date()
    // Holds that have run out give way, unless one is being confirmed this moment.
    await client.query(
      `with expired as (select a.id from appointments a where a.status = 'held' and a.expires_at <= $2
         and a.id in (select o.appointment_id from occupations o where o.subject_id = $1 and o.expires_at <= $2) order by a.id for update of a)
       delete from occupations o using expired e where o.appointment_id = e.id`,
      [request.memberId, now],
    )
    const { rowCount } = await client.query('select 1 from occupations where subject_id = $1 and during && tstzrange($2, $3)', [
      request.memberId,
      at(request.opensAt),
      at(request.closesAt),
    ])
    if (rowCount !== 0) return null
    const day = at(0).toISOString().slice(0, 10)
    const { rows } = await client.query<{ id: string }>(
      `insert into absences (institute_id, member_id, kind, from_day, to_day, opens_at, closes_at) values ($1, $2, 'sick_leave', $3, $3, $4, $5) returning id`,
      [request.instituteId, request.memberId, day, request.opensAt, request.closesAt],
    )
    return rows[0]?.id ?? null
  })
}

export const endLeave = (db: pg.Pool, instituteId: string, id: string): Promise<unknown> =>
  underLock(db, instituteId, (client) => client.query('delete from absences where id = $1', [id]))

/** Brings a hold's end forward; the instant it ends, or null when it is no hold any more. */
export async function bringEndForward(db: pg.Pool, id: string, end: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `with a as (update appointments set expires_at = $2 where id = $1 and status = 'held' returning id)
     update occupations o set expires_at = $2 from a where o.appointment_id = a.id`,
    [id, end],
  )
  return (rowCount ?? 0) > 0
}
