/** The migration that makes owners people of their institutes, on a database that has owners already. */
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { migrate } from '#/platform/migrations.ts'

const migrations = resolve(import.meta.dirname, '../../../migrations')

it('owners of before are people of their institutes, and one who is written by an older process becomes one', async () => {
  const name = `t_${process.pid}_${randomBytes(4).toString('hex')}`
  const directory = mkdtempSync(join(tmpdir(), 'soigne-owners-'))
  const server = new pg.Client({ connectionString: inject('databaseServer') })
  await server.connect()
  await server.query(`create database ${name}`)
  const address = new URL(inject('databaseServer'))
  address.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: address.href, max: 2 })
  // The database is dropped while its connections close.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  onTestFinished(async () => {
    await pool.end()
    await server.query(`drop database ${name} with (force)`)
    await server.end()
    rmSync(directory, { recursive: true, force: true })
  })
  const bring = (wanted: (file: string) => boolean): void => {
    for (const file of readdirSync(migrations).filter(wanted)) cpSync(join(migrations, file), join(directory, file))
  }
  const institute = async (slug: string): Promise<[string, string]> => {
    const { rows } = await pool.query<{ id: string; owner: string }>(
      `with owner as (insert into users (email, role, first_name, last_name, terms_accepted_at) values ($1 || '@people.test', 'isPro', 'A', 'B', now()) returning id)
      insert into institutes (slug, owner_id, name, categories, city, country_code, lat, lon, time_zone, currency)
        select $1, owner.id, 'A', '{hair}', 'Lyon', 'FR', 45, 4, 'Europe/Paris', 'EUR' from owner returning id, owner_id as owner`,
      [slug],
    )
    return [rows[0]?.id ?? '', rows[0]?.owner ?? '']
  }
  bring((file) => file < '0010')
  await migrate(pool, directory)
  const before = await institute('before')
  bring((file) => file.startsWith('0010'))
  await migrate(pool, directory)
  const after = await institute('after')
  const { rows } = await pool.query<{ institute: string; person: string; level: string }>(
    'select institute_id as institute, user_id as person, level from institute_people order by created_at',
  )
  expect(rows).toEqual([before, after].map(([made, owner]) => ({ institute: made, person: owner, level: 'owner' })))
})
