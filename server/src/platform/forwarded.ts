/** What proxies say of a request, put right before anything reads it. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuse } from './refuse.ts'

/** An address without the port that some proxies add, `203.0.113.7:4711` or `[2001:db8::1]:4711`; what is none stays as it is. */
export function withoutPort(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]+):\d+$/.exec(text)?.[1]
  return address !== undefined && isIP(address) !== 0 ? address : text
}

const isHostNamedTwice = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((text, n) => n % 2 === 0 && text.toLowerCase() === 'host').length > 1

/** Each port would be somebody new to the limits; and of two hosts a proxy may have believed the other. */
export function readForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (isHostNamedTwice(raw)) throw refuse('bad_input')
    const forwarded = raw.headers['x-forwarded-for']
    if (typeof forwarded === 'string')
      raw.headers['x-forwarded-for'] = forwarded
        .split(',')
        .map((one) => withoutPort(one.trim()))
        .join(', ')
  })
}
