import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyFor } from './page-policy.ts'
import { siteFacts } from './mount-pages.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const key = 'AIza_made-up-0123456789'
const html =
  '<html><script>mark()</script><script src="/a.js"></script><script type="application/ld+json">{}</script><script id="words" type="application/json">{"a":1}</script></html>'
const without = { mapStyleUrl: null, googleMapsKey: null }

function directives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy
      .split('; ')
      .map((directive) => directive.split(' '))
      .map(([name = '', ...sources]) => [name, sources]),
  )
}

describe('the content policy of pages', () => {
  it('runs own files and exactly the scripts that were rendered into the page', () => {
    const hash = createHash('sha256').update('mark()').digest('base64')
    expect(directives(policyFor(html, without))['script-src']).toEqual(["'self'", `'sha256-${hash}'`])
  })

  it('asks the street map only where its style comes from', () => {
    const policy = directives(policyFor(html, { mapStyleUrl: 'https://tiles.example/styles/day', googleMapsKey: null }))
    expect(policy['connect-src']).toEqual(["'self'", 'https://tiles.example'])
    expect(
      Object.values(policy)
        .flat()
        .filter((source) => source.startsWith('http')),
    ).toEqual(['https://tiles.example', 'https://tiles.example'])
  })

  it('[C-29] names nothing of Google without a key', () => {
    expect(policyFor(html, without)).not.toMatch(/google|gstatic|frame-src|https?:/)
  })

  it('[C-29] lets the map of Google work with a key, and still no foreign frame, form, base or evaluated text', () => {
    const policy = directives(policyFor(html, { mapStyleUrl: null, googleMapsKey: key }))
    expect(policy['script-src']).toEqual(
      expect.arrayContaining(["'self'", 'https://maps.googleapis.com', 'https://maps.gstatic.com', 'blob:']),
    )
    expect(policy['connect-src']).toEqual(
      expect.arrayContaining(['https://*.googleapis.com', 'https://*.gstatic.com', 'https://*.google.com']),
    )
    expect(policy['img-src']).toEqual(expect.arrayContaining(['https://*.googleapis.com', 'https://*.gstatic.com']))
    expect([policy['font-src'], policy['frame-src'], policy['worker-src']]).toEqual([
      ["'self'", 'https://fonts.gstatic.com'],
      ['https://*.google.com'],
      ["'self'", 'blob:'],
    ])
    expect(policy['style-src-elem']).toContain('https://fonts.googleapis.com')
    expect(policy['script-src']?.join(' ')).not.toMatch(/unsafe|\*|https:(?: |$)/)
    for (const name of ['default-src', 'base-uri', 'object-src', 'frame-ancestors']) expect(policy[name]).toEqual(["'none'"])
    expect(policy['form-action']).toEqual(["'self'"])
  })
})

describe('the key for maps of Google', () => {
  const opened: TestApp[] = []
  beforeAll(async () => {
    opened.push(await openTestApp(), await openTestApp({ settings: { GOOGLE_MAPS_KEY: key } }))
  })
  afterAll(() => Promise.all(opened.map((one) => one.close())))

  it('[C-29] reaches the pages only when it is set', () => {
    const keys = opened.map(({ context }) => siteFacts(context, false).map.googleKey)
    expect(keys).toEqual([null, key])
  })
})
