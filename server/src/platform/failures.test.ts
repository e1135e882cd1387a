import { describe, expect, it } from 'vitest'
import { refusalOf } from './failures.ts'
import { refuse } from './refuse.ts'

const error = (more: object, message = 'boom'): Error => Object.assign(new Error(message), more)

describe('a failure', () => {
  it('that is a refusal stays one', () => {
    const refusal = refuse('too_late', { phone: null })
    expect(refusalOf(refusal)).toBe(refusal)
  })

  it.each(['22001', '22003', '22007', '22008', '22021', '22P02', '22P05'])('of the database over data (%s) is bad input', (code) => {
    expect(refusalOf(error({ code }))?.code).toBe('bad_input')
  })

  it.each([
    '08006',
    '28P01',
    '3D000',
    '53100',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P03',
    '58030',
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOENT',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
  ])('of something away (%s) says when to come back', (code) => {
    expect(refusalOf(error({ code }))).toMatchObject({ code: 'unavailable', retryAfter: 2 })
  })

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'driver has already been destroyed',
  ])('that says "%s" too', (message) => {
    expect(refusalOf(new Error(message))?.code).toBe('unavailable')
  })

  it.each([
    [400, 'bad_input'],
    [404, 'not_found'],
    [413, 'too_large'],
    [414, 'too_large'],
    [415, 'wrong_type'],
    [431, 'too_large'],
    [406, 'bad_input'],
  ])('of the HTTP server with status %i is %s', (statusCode, code) => {
    expect(refusalOf(error({ statusCode }))?.code).toBe(code)
  })

  it.each([
    ['a broken rule of the database', error({ code: '23505' })],
    ['wrong SQL', error({ code: '42601' })],
    ['an error of ours', new TypeError('x is undefined')],
    ['a status of ours', error({ statusCode: 500 })],
    ['nothing', undefined],
    ['null', null],
    ['a word', 'boom'],
    ['a number', 7],
  ])('that is %s is ours', (_name, failure) => {
    expect(refusalOf(failure)).toBeNull()
  })
})
