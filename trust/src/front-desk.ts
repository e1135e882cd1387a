/** What no call of the product does: bringing the end of a hold forward, as if ten minutes had gone by. */
import type pg from 'pg'

/** Under the lock of the diary, as every change of the product takes it. False when it is no hold any more. */
export async function bringEndForward(db: pg.Pool, id: string, end: Date): Promise<boolean> {
  const client = await db.connect()
  try {
    await client.query('begin')
    await client.query('select from diary_versions where institute_id = (select institute_id from appointments where id = $1) for update', [
      id,
    ])
    const { rowCount } = await client.query(
      `with a as (update appointments set expires_at = $2 where id = $1 and status = 'held' returning id)
       update occupations o set expires_at = $2 from a where o.appointment_id = a.id`,
      [id, end],
    )
    await client.query('commit')
    return (rowCount ?? 0) > 0
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
