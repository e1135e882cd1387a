import { expect, it } from 'vitest'
import { openTestApp } from '#/testing/test-app.ts'
import { discovered } from './provider.ts'

it('[P-05] a provider that is away is said to be to all who ask at once, and asked again by the next', async () => {
  const t = await openTestApp({ settings: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' } })
  try {
    for (const _turn of [1, 2]) {
      const outcomes = await Promise.allSettled([discovered(t.context), discovered(t.context), discovered(t.context)])
      const codes = outcomes.map((one) => (one.status === 'rejected' ? (one.reason as { code?: string }).code : one.status))
      expect(codes).toEqual(['unavailable', 'unavailable', 'unavailable'])
    }
  } finally {
    await t.close()
  }
})
