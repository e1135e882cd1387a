import { expect, test } from 'vitest'
import { isKeptPath } from './kept-paths.ts'

test('the pages that every guest sees alike are kept, with what their loaders read', () => {
  for (const path of ['/', '/institutes', '/salon/atelier-nacre', '/terms', '/contact', '/icons'])
    expect([path, isKeptPath(path), isKeptPath(path === '/' ? '/_root.data' : `${path}.data`)]).toEqual([path, true, true])
})

test('pages of one person, forms and addresses of no page are rendered for each request', () => {
  for (const path of ['/login', '/register', '/reset-password', '/salon/atelier-nacre/book', '/salon/', '/appointment/list', '/mysalon'])
    expect([path, isKeptPath(path)]).toEqual([path, false])
  for (const path of ['/institutes/', '/institutesXdata', '/salon/a/b', '/_root', '/nowhere'])
    expect([path, isKeptPath(path)]).toEqual([path, false])
})
