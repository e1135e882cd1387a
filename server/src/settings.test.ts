import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SettingsError } from './platform/settings.ts'
import { readSettings } from './settings.ts'

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

describe('settings of the product', () => {
  it('keep two times for a person, one before the email is confirmed, and as many as they like where limits are off', () => {
    const limitsOf = (given: Record<string, string>) => readSettings({ DATA_DIR: dataDir, ...given }).limits
    expect(limitsOf({})).toMatchObject({ budgets: 1, holds: 2, holdsUnconfirmed: 1, holdServicesUnconfirmed: 3 })
    expect(limitsOf({ LIMIT_HOLDS: '' }).holds).toBe(2)
    expect(limitsOf({ LIMIT_HOLDS: '3', LIMIT_HOLDS_UNCONFIRMED: '9' })).toMatchObject({ holds: 3, holdsUnconfirmed: 3 })
    const off = Object.values(limitsOf({ LIMITS: 'off', LIMIT_HOLDS: '3' }))
    expect(off).toHaveLength(7)
    expect(off.every((limit) => limit >= 1_000_000)).toBe(true)
    for (const name of ['LIMIT_HOLDS', 'LIMIT_HOLDS_UNCONFIRMED'])
      expect(() => readSettings({ DATA_DIR: dataDir, [name]: '0' })).toThrow(new RegExp(`^${name}: `, 'm'))
  })

  it('write to the calendars of Google where accounts are signed in there, and to no other unasked', () => {
    const account = { DATA_DIR: dataDir, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
    expect(readSettings({ DATA_DIR: dataDir }).calendarUrl).toBeNull()
    expect(readSettings(account).calendarUrl).toBe('https://www.googleapis.com/calendar/v3')
    expect(readSettings({ ...account, OIDC_ISSUER: 'https://id.example' }).calendarUrl).toBeNull()
    expect(readSettings({ ...account, CALENDAR_URL: 'https://cal.example' }).calendarUrl).toBe('https://cal.example')
    expect(() => readSettings({ ...account, OIDC_CLIENT_SECRET: '' })).toThrow(SettingsError)
  })

  it('open the own network to calendars of others in a trial alone', () => {
    expect(readSettings({ DATA_DIR: dataDir }).busyCalendars).toEqual({ minutes: 15, anywhere: false })
    expect(readSettings({ DATA_DIR: dataDir, BUSY_CALENDARS_FROM: 'anywhere' }).busyCalendars.anywhere).toBe(true)
    expect(() => readSettings({ ...production, BUSY_CALENDARS_FROM: 'anywhere' })).toThrow(/BUSY_CALENDARS_FROM/)
  })

  it('take real money with a key of Stripe and the secrets of its words, and at a stand-in in a trial alone', () => {
    const keys = { DATA_DIR: dataDir, STRIPE_SECRET_KEY: 'sk_test_abcdefgh', STRIPE_WEBHOOK_SECRET: 'whsec_abcdefgh,whsec_ijklmnop' }
    expect(readSettings({ DATA_DIR: dataDir })).toMatchObject({ stripe: null, sandboxWords: 'prompt' })
    expect(readSettings({ ...keys, STRIPE_FEE_BASIS_POINTS: '250' }).stripe).toEqual({
      secretKey: 'sk_test_abcdefgh',
      webhookSecrets: ['whsec_abcdefgh', 'whsec_ijklmnop'],
      apiBase: null,
      feeBasisPoints: 250,
    })
    expect(() => readSettings({ ...keys, STRIPE_WEBHOOK_SECRET: '' })).toThrow(/set both or neither/)
    expect(() => readSettings({ ...keys, STRIPE_FEE_BASIS_POINTS: '5001' })).toThrow(/STRIPE_FEE_BASIS_POINTS/)
    const wrong = () => readSettings({ ...keys, STRIPE_SECRET_KEY: 'pk_live_secretpasted' })
    expect(wrong).toThrow(/STRIPE_SECRET_KEY/)
    expect(wrong).not.toThrow(/secretpasted/)
    expect(() => readSettings({ ...production, ...keys, STRIPE_API_BASE: 'https://elsewhere.example' })).toThrow(/STRIPE_API_BASE/)
    expect(readSettings({ ...production, ...keys }).stripe).not.toBeNull()
  })
})
