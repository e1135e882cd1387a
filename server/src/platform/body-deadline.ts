/** How long a body may take to arrive: a picture over a slow line takes minutes, words do not. And how many may be connected. */
import type { FastifyInstance } from 'fastify'
import { Socket } from 'node:net'

/** Of one process; further ones are closed at once. Node itself takes them all, until there is no file left to open. */
const mostConnections = 4000
/** How often Node looks whether headers and requests came in time. */
export const lookAtConnectionsMs = 5000

/** For everything. Five megabytes at 400 kbit/s take 100 seconds. */
export const requestTimeoutMs = 300_000

/** Bodies that are no forms with files have to be there after `textMs`, and headers too. Later ones are answered as broken. */
export function limitBodies(app: FastifyInstance, textMs = 15_000): void {
  app.server.headersTimeout = textMs
  app.server.maxConnections = mostConnections
  app.addHook('onRequest', async ({ raw }) => {
    const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0')
    // What comes over no connection, as the calls of tests, is there at once.
    if (!hasBody || type.startsWith('multipart/') || !(raw.socket instanceof Socket)) return
    const tooLate = setTimeout(() => {
      app.server.emit('clientError', Object.assign(new Error('the body came too late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
    }, textMs)
    tooLate.unref()
    raw.once('end', () => clearTimeout(tooLate)).once('close', () => clearTimeout(tooLate))
  })
}
