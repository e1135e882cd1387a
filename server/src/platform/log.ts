/** Structured logs without secrets. */
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

export type Log = FastifyBaseLogger

export function openLog(level: string): Log {
  return pino({
    level,
    redact: {
      paths: [
        '*.password',
        '*.token',
        '*.authorization',
        'req.headers.authorization',
        'req.headers.cookie',
        'headers.authorization',
        'headers.cookie',
      ],
      censor: '[hidden]',
    },
    serializers: {
      req: (request: { method: string; url: string; id: string }) => ({
        id: request.id,
        method: request.method,
        url: withoutSecrets(request.url),
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  })
}

/** A URL with the values of its secret parameters hidden. */
export const withoutSecrets = (url: string): string => url.replace(/([?&](?:token|code|email|to)=)[^&]*/gi, '$1[hidden]')
