import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { keysOfSecret, seal, unseal } from './sealed.ts'

const old = { id: 'a', key: randomBytes(32) }
const fresh = { id: 'b', key: randomBytes(32) }

it('gives back what was sealed, also after another key has come first', () => {
  const sealed = seal([old], 'token', 'a secret — سر')
  expect(sealed).not.toContain('secret')
  expect(unseal([fresh, old], 'token', sealed)).toBe('a secret — سر')
  expect(seal([old], 'token', 'x')).not.toBe(seal([old], 'token', 'x'))
})

it('opens nothing for another purpose, with another key, or once a letter was changed', () => {
  const sealed = seal([old], 'token', 'secret')
  expect(unseal([old], 'cookie', sealed)).toBeNull()
  expect(unseal([fresh], 'token', sealed)).toBeNull()
  expect(unseal([{ id: 'a', key: fresh.key }], 'token', sealed)).toBeNull()
  for (const at of [2, 20, sealed.length - 2])
    expect(unseal([old], 'token', `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`)).toBeNull()
  for (const broken of ['', '.', 'a', 'a.', 'a.AAAA', 'b.c.d']) expect(unseal([old], 'token', broken)).toBeNull()
})

it('makes the same key of the same secret', () => {
  expect(unseal(keysOfSecret('one'), 'x', seal(keysOfSecret('one'), 'x', 'y'))).toBe('y')
  expect(unseal(keysOfSecret('two'), 'x', seal(keysOfSecret('one'), 'x', 'y'))).toBeNull()
})
