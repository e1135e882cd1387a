// The router against the table of routes: nothing is missing on either side.
import { siteRoutes, type SiteRoute } from '@soigne/contract/site-routes'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { describe, expect, it } from 'vitest'
import config from './routes.ts'

const files = Object.keys(import.meta.glob(['/src/**/*.ts', '/src/**/*.tsx'])).map((path) => path.replace('/src/', ''))

function flat(entries: readonly RouteConfigEntry[]): RouteConfigEntry[] {
  return entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])])
}

const entries = flat(config as RouteConfigEntry[])

describe('the router', () => {
  it('has every page of the table under its path, and no other page', () => {
    const pages = entries.filter(({ id }) => id !== undefined).map(({ id, path, index }) => [id, index ? '/' : `/${path}`])
    expect(Object.fromEntries(pages)).toEqual(
      Object.fromEntries(Object.entries<SiteRoute>(siteRoutes).map(([name, { path }]) => [name, path])),
    )
  })

  it('names a module that exists for each, and each module of a page, messages and the settings of the institute alone more than once', () => {
    const modules = entries.map(({ file }) => file)
    expect(modules.filter((file) => !files.includes(file))).toEqual([])
    const pages = files.filter((file) => /^(?:features|pages)\/.*-page\.tsx$/.test(file))
    // The messages of a client and of an institute, with and without a conversation chosen, are one page.
    expect([...new Set(modules.filter((file) => file.endsWith('-page.tsx')))].toSorted()).toEqual(pages.toSorted())
    expect(modules.filter((file, index) => modules.indexOf(file) !== index)).toEqual([
      ...Array(3).fill('pages/chat/chat-page.tsx'),
      // One part of the settings after another.
      'features/institute-settings/institute-settings-page.tsx',
    ])
  })
})
