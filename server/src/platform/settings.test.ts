import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readSettings, SettingsError } from './settings.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'soigne-settings-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe('settings', () => {
  test('a trial needs none: loopback, demo, a secret of its own that stays', () => {
    const first = readSettings({ DATA_DIR: dataDir })
    expect(first).toMatchObject({ mode: 'trial', host: '127.0.0.1', port: 3000, seed: 'demo', smtpUrl: null, trustProxy: false })
    expect(first.secret.length).toBeGreaterThanOrEqual(32)
    expect(readSettings({ DATA_DIR: dataDir }).secret).toBe(first.secret)
  })

  const wrong: [name: string, value: string][] = [
    ['PORT', 'abc'], ['PORT', '-1'], ['PORT', '65536'], ['MODE', 'staging'], ['DATABASE_URL', 'mysql://x'], ['PUBLIC_URL', 'not a url'], ['PUBLIC_URL', 'ftp://soigne.example'],
    ['SECRET', 'short'], ['SMTP_URL', 'http://mail'], ['SEED', 'everything'], ['TRUST_PROXY', 'true'], ['LOG_LEVEL', 'loud'], ['LIMIT_HOLDS', '0'], ['MAP_STYLE_URL', 'paper'],
  ]
  for (const [name, value] of wrong) {
    test(`${name}=${value} stops the start and names the setting`, () => {
      expect(() => readSettings({ DATA_DIR: dataDir, [name]: value })).toThrow(SettingsError)
      expect(() => readSettings({ DATA_DIR: dataDir, [name]: value })).toThrow(new RegExp(`^${name}:`, 'm'))
    })
  }

  test('production says everything it is missing at once, and refuses the demo', () => {
    const start = (): unknown => readSettings({ MODE: 'production', DATA_DIR: dataDir, SEED: 'demo' })
    for (const name of ['PUBLIC_URL', 'SECRET', 'SMTP_URL', 'MAIL_FROM', 'SEED']) expect(start).toThrow(new RegExp(`^${name}:`, 'm'))
  })

  test('production with what it needs starts without demo', () => {
    const settings = readSettings({ MODE: 'production', DATA_DIR: dataDir, PUBLIC_URL: 'https://soigne.example/', SECRET: 'x'.repeat(32), SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'a@soigne.example', TRUST_PROXY: '10.0.0.1, 10.1.0.0/16' })
    expect(settings).toMatchObject({ mode: 'production', publicUrl: 'https://soigne.example', seed: 'none', trustProxy: ['10.0.0.1', '10.1.0.0/16'] })
  })
})
