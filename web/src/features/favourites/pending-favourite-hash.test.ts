import { expect, it } from 'vitest'
import { favouriteHash, favouriteOfHash } from './pending-favourite-hash.ts'

const id = '019b8d2b-8c00-7cc5-9521-554c2efd34e7'

it('an institute that a guest marked comes back from the address, and nothing else does', () => {
  expect(favouriteOfHash(favouriteHash(id))).toBe(id)
  for (const hash of ['', '#reviews', '#favourite=', '#favourite=%', '#favourite=%E0%A4%A', `#favourite=${id}x`, '#favourite=<b>'])
    expect([hash, favouriteOfHash(hash)]).toEqual([hash, null])
})
