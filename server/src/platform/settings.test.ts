import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { SettingsError, settingsReader, whole } from './settings.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'soigne-settings-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const production = {
  MODE: 'production',
  DATA_DIR: dataDir,
  PUBLIC_URL: 'https://soigne.example/',
  SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtps://a:b@mail.example',
  MAIL_FROM: 'a@soigne.example',
  TRUST_PROXY: '127.0.0.1',
}

/** Of a process that is told of nothing more. */
const readSettings = settingsReader({ environment: z.object({}), secretNames: [], productionGaps: () => [], read: () => ({}) })

describe('settings', () => {
  it('need nothing for a trial: this machine only, demo data, letters in the mailbox', () => {
    expect(readSettings({ DATA_DIR: dataDir })).toMatchObject({
      mode: 'trial',
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      databaseUrl: null,
      seed: 'demo',
      smtpUrl: null,
      trustProxy: false,
      drainSeconds: 0,
      limits: { budgets: 1, registrations: 60 },
    })
  })

  it('switch budgets off for a trial, never in production', () => {
    const { limits } = readSettings({ DATA_DIR: dataDir, LIMITS: 'off', LIMIT_LOGINS: '3' })
    expect(Object.values(limits).every((limit) => limit >= 1_000_000)).toBe(true)
    expect(() => readSettings({ ...production, LIMITS: 'off' })).toThrow(/LIMITS/)
  })

  it('make a secret once and keep it to the owner of the process', () => {
    const { secret } = readSettings({ DATA_DIR: dataDir })
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect(readSettings({ DATA_DIR: dataDir }).secret).toBe(secret)
    expect(statSync(join(dataDir, 'secret')).mode & 0o077).toBe(0)
    expect(readFileSync(join(dataDir, 'secret'), 'utf8').trim()).toBe(secret)
  })

  it.each([
    ['MODE', 'staging'],
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'not a url'],
    ['PUBLIC_URL', 'soigne.example'],
    ['PUBLIC_URL', 'ftp://soigne.example'],
    ['DATABASE_URL', 'mysql://db'],
    ['DATABASE_POOL', '1'],
    ['SEED', 'everything'],
    ['LIMITS', 'none'],
    ['DRAIN_SECONDS', '-1'],
    ['DRAIN_SECONDS', 'long'],
    ['SECRET', 'short'],
    ['SMTP_URL', 'https://mail.example'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.1, ::/0'],
    ['TRUST_PROXY', '128.0.0.0/1'],
    ['METRICS_TOKEN', 'short'],
    ['FILES_URL', 's3://bucket'],
    ['FILES_URL', 'https://s3.example'],
    ['MAP_STYLE_URL', 'paper'],
    ['GOOGLE_MAPS_KEY', 'too-short'],
    ['GOOGLE_MAPS_KEY', "AIza'; script-src *; x-0123456789"],
    ['LOG_LEVEL', 'loud'],
    ['LIMIT_REGISTRATIONS', '0'],
    ['LIMIT_LOGINS', '1.5'],
  ])('%s=%s is refused by its name', (name, value) => {
    expect(() => readSettings({ DATA_DIR: dataDir, [name]: value })).toThrow(SettingsError)
    expect(() => readSettings({ DATA_DIR: dataDir, [name]: value })).toThrow(new RegExp(`^${name}: `, 'm'))
  })

  it('are all told at once, and a wrong secret is not repeated', () => {
    try {
      readSettings({ DATA_DIR: dataDir, PORT: 'x', SEED: 'x', SECRET: 'hunter2', DATABASE_URL: 'soigne:hunter3@db' })
      expect.unreachable()
    } catch (error) {
      const { message } = error as Error
      expect(message).toMatch(/PORT[^]*DATABASE_URL[^]*SEED[^]*SECRET/)
      expect(message).not.toMatch(/hunter/)
    }
  })

  it('keep the key in the address of the files to themselves', () => {
    const filesUrl = 'https://key:hunter2@s3.example/salon/site?region=eu-west-3'
    expect(readSettings({ DATA_DIR: dataDir, FILES_URL: filesUrl })).toMatchObject({ filesUrl })
    expect(readSettings({ DATA_DIR: dataDir }).filesUrl).toBeNull()
    expect(() => readSettings({ DATA_DIR: dataDir, FILES_URL: 'https://key:hunter2@s3.example' })).toThrow(/^(?!.*hunter2)FILES_URL: /)
  })

  it('left empty count as absent', () => {
    expect(
      readSettings({
        DATA_DIR: dataDir,
        HOST: '',
        PUBLIC_URL: '',
        DATABASE_URL: '',
        SEED: '',
        SECRET: '',
        SMTP_URL: '',
        MAIL_FROM: '',
        TRUST_PROXY: '',
        MAP_STYLE_URL: '',
        GOOGLE_MAPS_KEY: '',
        PORT: '',
        MODE: '',
        LIMIT_LOGINS: '',
        DATABASE_POOL: '',
        LOG_LEVEL: '',
      }),
    ).toMatchObject({ mode: 'trial', port: 3000, host: '127.0.0.1', databasePool: 16, limits: { logins: 120 }, logLevel: 'info' })
  })

  it('[C-29] take a key for maps of Google, and none by themselves; a wrong one is not shown back', () => {
    expect(readSettings({ DATA_DIR: dataDir }).googleMapsKey).toBeNull()
    expect(readSettings({ DATA_DIR: dataDir, GOOGLE_MAPS_KEY: 'AIza_made-up-0123456789' }).googleMapsKey).toBe('AIza_made-up-0123456789')
    expect(() => readSettings({ DATA_DIR: dataDir, GOOGLE_MAPS_KEY: 'hunter2 hunter2 hunter2' })).toThrow(/^(?!.*hunter2)GOOGLE_MAPS_KEY: /)
  })

  it('name proxies by address, never by a number of hops', () => {
    expect(readSettings({ DATA_DIR: dataDir, TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1'])
  })

  it('of production are the ones that were set, without a slash at the end of the address', () => {
    expect(readSettings(production)).toMatchObject({
      mode: 'production',
      publicUrl: 'https://soigne.example',
      seed: 'none',
      mailFrom: 'a@soigne.example',
    })
    expect(existsSync(join(dataDir, 'files'))).toBe(false)
  })

  it('of production are missed all at once', () => {
    const start = (): unknown => readSettings({ MODE: 'production', DATA_DIR: dataDir, SEED: 'demo' })
    for (const name of ['PUBLIC_URL', 'SECRET', 'SMTP_URL', 'MAIL_FROM', 'SEED']) expect(start).toThrow(new RegExp(`^${name}: `, 'm'))
  })

  it.each(['PUBLIC_URL', 'SECRET', 'SMTP_URL', 'MAIL_FROM', 'TRUST_PROXY'])('of production are not complete without %s', (name) => {
    expect(() => readSettings({ ...production, [name]: undefined })).toThrow(new RegExp(`^${name}: `, 'm'))
  })

  it('of production take no address without TLS', () => {
    expect(() => readSettings({ ...production, PUBLIC_URL: 'http://soigne.example' })).toThrow(/^PUBLIC_URL: https/m)
  })

  it('of production take no demo data', () => {
    expect(() => readSettings({ ...production, SEED: 'demo' })).toThrow(/^SEED: /m)
  })

  it('that a product adds are read beside the others: what is wrong of both is told at once, and its secrets are not repeated', () => {
    const read = settingsReader({
      environment: z.object({ CHAIRS: whole(4, 1, 9), TREASURE: z.string().min(20).optional() }),
      secretNames: ['TREASURE'],
      productionGaps: ({ TREASURE }) => (TREASURE ? [] : ['TREASURE: where it is']),
      read: ({ CHAIRS }, { port }) => ({ chairs: CHAIRS, legs: CHAIRS * 4 + port }),
    })
    expect(read({ DATA_DIR: dataDir, PORT: '3', CHAIRS: '2' })).toMatchObject({ mode: 'trial', port: 3, chairs: 2, legs: 11 })
    const wrong = () => read({ DATA_DIR: dataDir, PORT: 'x', CHAIRS: '10', TREASURE: 'under the tree' })
    expect(wrong).toThrow(/^PORT: [^]*^CHAIRS: .*\(is '10'\)[^]*^TREASURE: /m)
    expect(wrong).not.toThrow(/tree/)
    expect(() => read({ ...production, PUBLIC_URL: '' })).toThrow(/^PUBLIC_URL: [^]*^TREASURE: where it is/m)
  })
})
