// npm run admin as an operator runs it: what waits is listed and looked at with its documents, accepted, refused with a reason.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { instituteHeader } from '@soigne/contract/access'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { pdf } from '#/testing/pictures.ts'
import { compiledBefore } from '#/testing/server-process.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const script = resolve(import.meta.dirname, '../../../../scripts/admin.ts')
const path = '/api/v1/secure/mysalon/business-check'
let t: TestApp
let folder: string
beforeAll(async () => {
  t = await openTestApp()
  folder = mkdtempSync(join(tmpdir(), 'soigne-operator-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await t.close()
})

const run = (...args: string[]): Promise<{ status: number | null; out: string; errors: string }> =>
  new Promise((done) => {
    const { dataDir } = t.context.settings
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...compiledBefore(), DATABASE_URL: t.databaseUrl, DATA_DIR: dataDir, MODE: 'trial', SEED: 'none' },
    })
    const said = { out: '', errors: '' }
    child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (said.errors += chunk.toString()))
    child.once('close', (status) => done({ status, ...said }))
  })

/** A business that waits, and how its owner reads what became of it. */
async function sent(legalName: string): Promise<() => Promise<unknown>> {
  const owner = await makeUser(t.db, { role: 'isPro' })
  const { id } = await makeInstitute(t.db, { ownerId: owner.id, name: 'Nacre' })
  const as = { token: owner.token, headers: { [instituteHeader]: id } }
  const form = new FormData()
  for (const [name, value] of Object.entries({ legalName, registrationNumber: '73282932000074', vatNumber: '' })) form.set(name, value)
  form.append('documents', new Blob([new Uint8Array(pdf())]), '../kbis.pdf')
  const made = new Response(form)
  const headers = { ...as.headers, 'content-type': made.headers.get('content-type') ?? '' }
  const answer = await t.inject('POST', path, { ...as, headers, payload: Buffer.from(await made.arrayBuffer()) })
  expect(answer.status).toBe(201)
  return async () => (await t.inject('GET', path, as)).body
}

interface Line {
  id: string
  legalName: string
}
async function waiting(legalName: string): Promise<Line | undefined> {
  const { status, out } = await run('business-checks')
  expect(status).toBe(0)
  const lines = out.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Line).find((one) => one.legalName === legalName)
}

describe('npm run admin, of businesses', () => {
  it('lists what waits, saves its documents, and accepts it once', async () => {
    const read = await sent('Nacre SARL')
    const line = await waiting('Nacre SARL')
    expect(line).toMatchObject({ institute: 'Nacre', countryCode: 'FR', registrationNumber: '732 829 320 00074', vatNumber: null })
    expect(JSON.stringify(line)).not.toContain('private/')
    const id = line?.id ?? ''
    const shown = await run('business-check', id, join(folder, 'nacre'))
    const file = join(folder, 'nacre', '1.pdf')
    expect(JSON.parse(shown.out)).toMatchObject({ legalName: 'Nacre SARL', files: [file] })
    expect(readFileSync(file).equals(pdf())).toBe(true)
    expect(await run('accept-business', id)).toMatchObject({ status: 0, out: 'the business check is accepted\n' })
    expect(await read()).toMatchObject({ open: null, accepted: { legalName: 'Nacre SARL' } })
    expect(await run('accept-business', id)).toMatchObject({ status: 1, errors: `no business check ${id} waits\n` })
    expect(await waiting('Nacre SARL')).toBeUndefined()
  })

  it('refuses with a reason, which it asks for', async () => {
    const read = await sent('Boucle SARL')
    const id = (await waiting('Boucle SARL'))?.id ?? ''
    expect((await run('refuse-business', id)).status).toBe(2)
    expect(await run('refuse-business', id, '  ')).toMatchObject({ status: 1 })
    expect((await run('refuse-business', id, 'The extract is of another company.')).status).toBe(0)
    expect(await read()).toMatchObject({ open: { state: 'refused', reason: 'The extract is of another company.' } })
    expect((await run('business-check', 'nonsense', folder)).status).toBe(1)
  })
})
