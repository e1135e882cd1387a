/** The development mailbox at /dev/mail, and as JSON for programs. Absent in production. */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#/platform/app-context.ts'
import { systemScope } from '#/platform/access.ts'
import { findMail, listSent, type StoredMail } from './store.ts'

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (
  mails: StoredMail[],
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Mailbox · Soigné</title>
<style>body{margin:0;background:#FAF7F1;color:#241A20;font:16px/1.5 system-ui,sans-serif}main{max-width:760px;margin:0 auto;padding:40px 20px}h1{font:400 40px/1.1 Georgia,serif;color:#5B1F47}a{color:inherit;text-decoration:none}li{list-style:none;border-top:1px solid #E8DFD3}li a{display:block;padding:14px 0}li a:hover b{color:#5B1F47}ul{padding:0}small{color:#5D5158}</style></head>
<body><main><h1>Mailbox</h1><p>Every letter this trial would have sent, newest first.</p><ul>${mails.map((mail) => `<li><a href="/dev/mail/${mail.id}"><b>${escape(mail.subject)}</b><br><small>${escape(mail.to)} · ${escape(mail.sentAt ?? '')}</small></a></li>`).join('') || '<li><p>Nothing yet.</p></li>'}</ul></main></body></html>`

/** Who tries the product reads everybody's letters; in production this page is absent. */
const system = systemScope('the mailbox of a trial')

export function mountMailbox(app: FastifyInstance, context: AppContext): void {
  const { db } = context.database
  const readTo = (query: unknown): string | null => {
    const to = (query as { to?: unknown }).to
    return typeof to === 'string' && to.length <= 254 && !to.includes('\u0000') && to.isWellFormed() ? to : null
  }
  app.get('/dev/mail', async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page(await listSent(db, system, readTo(request.query), 100))),
  )
  app.get('/dev/mail.json', async (request) =>
    (await listSent(db, system, readTo(request.query), 200)).map((mail) => ({
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      attachments: mail.attachments,
      at: mail.sentAt,
    })),
  )
  app.get<{ Params: { id: string } }>('/dev/mail/:id', async (request, reply) => {
    const mail = /^[0-9a-f-]{36}$/.test(request.params.id) ? await findMail(db, system, request.params.id) : null
    if (!mail) return reply.code(404).send({ code: 'not_found', message: 'No such letter.' })
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:")
      .send(mail.html)
  })
}
