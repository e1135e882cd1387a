/** Where the check of a business is told, and when it is gone: exports of the institute and of who sent it, the end of both. */
import { instituteHeader } from '@soigne/contract/access'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { pdf } from '#/testing/pictures.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { ownDataOf, unzip } from '#/testing/zip-files.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Nacre' })
  const form = new FormData()
  for (const [name, value] of Object.entries({ legalName: 'Nacre SARL', registrationNumber: '73282932000074' })) form.set(name, value)
  form.append('documents', new Blob([new Uint8Array(pdf())]), 'kbis.pdf')
  const made = new Response(form)
  const { status } = await t.inject('POST', '/api/v1/secure/mysalon/business-check', {
    token: owner.token,
    headers: { [instituteHeader]: institute.id, 'content-type': made.headers.get('content-type') ?? '' },
    payload: Buffer.from(await made.arrayBuffer()),
  })
  expect(status).toBe(201)
})

const told = { state: 'waiting', legalName: 'Nacre SARL', registrationNumber: '73282932000074', vatNumber: null, documents: ['kbis.pdf'] }

it('is in what the owner takes away of the institute, without the places of its files', async () => {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/v1/secure/mysalon/export',
    headers: { authorization: `Bearer ${owner.token}`, [instituteHeader]: institute.id },
    payload: { health: false },
  })
  const text = unzip(answer.rawPayload).get('institute.json')?.toString('utf8') ?? ''
  const { businessChecks } = JSON.parse(text) as { businessChecks: unknown[] }
  expect(businessChecks).toMatchObject([told])
  expect(JSON.stringify(businessChecks)).not.toContain('private/')
})

it('is in the data of whoever sent it, and of nobody else', async () => {
  expect((await ownDataOf(t, owner)).data['businessChecks']).toMatchObject([{ ...told, institute: 'Nacre' }])
  expect((await ownDataOf(t, await makeUser(t.db, { role: 'isPro' }))).data['businessChecks']).toEqual([])
})

it('stays with the institute, and names nobody, once whoever sent it owns it no more and their account has ended', async () => {
  const next = await makeUser(t.db, { role: 'isPro' })
  await sql`update institutes set owner_id = ${next.id} where id = ${institute.id}`.execute(t.db)
  await sql`delete from users where id = ${owner.id}`.execute(t.db)
  const { rows } = await sql`select sent_by, legal_name from business_checks where institute_id = ${institute.id}`.execute(t.db)
  expect(rows).toEqual([{ sent_by: null, legal_name: 'Nacre SARL' }])
})

it('goes with the institute, and its documents after it', async () => {
  const keys = await sql<{ key: string }>`select key from files where institute_id = ${institute.id}`.execute(t.db)
  const key = keys.rows[0]?.key ?? ''
  expect(await t.context.files.stat(key)).not.toBeNull()
  await sql`delete from institutes where id = ${institute.id}`.execute(t.db)
  const left = await sql`select from business_checks where institute_id = ${institute.id}
    union all select from business_check_documents where institute_id = ${institute.id}`.execute(t.db)
  expect(left.rows.length).toBe(0)
  await t.jobs['tidy_files']?.({})
  expect(await t.context.files.stat(key)).toBeNull()
})
