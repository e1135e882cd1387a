import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { failureHandler, refusalOf } from './failures.ts'
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

describe('data the database cannot take', () => {
  it('is bad input to the caller, and in the log under the id the caller got', async () => {
    const lines: string[] = []
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) })
    const app = Fastify({ logger: { stream }, genReqId: () => 'request-1' })
    app.setErrorHandler(failureHandler({ refusal: (_locale, code) => code, field: (_locale, problem) => problem }))
    app.get('/', async () => {
      throw error({ code: '22012' }, 'division by zero')
    })
    const answer = await app.inject('/')
    expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'bad_input', message: 'bad_input', details: { id: 'request-1' } }])
    const logged = lines.map((line) => JSON.parse(line) as { level: number; reqId: string; err?: { code: string; message: string } })
    expect(logged.filter(({ level }) => level === 50)).toMatchObject([
      { reqId: 'request-1', err: { code: '22012', message: 'division by zero' } },
    ])
    await app.close()
  })
})
