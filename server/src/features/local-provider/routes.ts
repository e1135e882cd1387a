/** Puts a trial's stand-ins under /dev: the provider of identities and the calendars. Absent in production, and where others are named. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { calendarScopes, localCalendarPath, localClient, localIssuerPath, returnAddress } from '#/features/identities/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { localeOfVisitor } from '#/platform/language.ts'
import { translate } from '#/texts/translate.ts'
import { LocalCalendars } from './calendars.ts'
import { type Answer, LocalIssuer, type Person } from './issuer.ts'
import { calendarsPage, choicePage, pagePolicy } from './pages.ts'

const asked = z.object({
  client_id: z.literal(localClient.clientId),
  redirect_uri: z.string(),
  response_type: z.literal('code'),
  scope: z.string(),
  state: z.string(),
  nonce: z.string().optional(),
  code_challenge: z.string().min(43),
  code_challenge_method: z.literal('S256'),
})
type Asked = z.output<typeof asked>
/** What comes back with the form. */
const hiddenOf = ({ nonce, ...rest }: Asked): Record<string, string> => ({ ...rest, ...(nonce !== undefined && { nonce }) })
const typed = z.object({ name: z.string().trim().min(1).max(80), email: z.email().max(200) })

const html = (reply: FastifyReply, text: string, status = 200): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pagePolicy)
    .header('cache-control', 'no-store')
    .send(text)
const answered = (reply: FastifyReply, { status, body }: Answer): FastifyReply => {
  reply.code(status).header('cache-control', 'no-store')
  return status === 204 ? reply.send() : reply.send(body)
}
const formOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(typeof request.body === 'string' ? request.body : '')
const bodyOf = (request: FastifyRequest): Record<string, unknown> => (request.body ?? {}) as Record<string, unknown>

/** One subject for an email here, as an account has one at a provider. */
export const subjectOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 21)

function mountIssuer(app: FastifyInstance, context: AppContext, issuer: LocalIssuer): void {
  const readAsked = (values: unknown): Asked | null => {
    const parsed = asked.safeParse(values)
    return parsed.success && parsed.data.redirect_uri === returnAddress(context) ? parsed.data : null
  }
  const show = ({ headers }: FastifyRequest, reply: FastifyReply, known: Asked, isComplete: boolean): FastifyReply => {
    const locale = localeOfVisitor(headers)
    const offersCalendar = known.scope.includes(calendarScopes[0])
    const problem = isComplete ? null : translate(locale, 'trialSignIn', 'incomplete')
    return html(reply, choicePage({ locale, fields: hiddenOf(known), offersCalendar, problem }), isComplete ? 200 : 400)
  }
  const broken = ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const locale = localeOfVisitor(headers)
    const problem = translate(locale, 'trialSignIn', 'broken', { address: returnAddress(context) })
    return html(reply, choicePage({ locale, fields: {}, offersCalendar: false, problem }), 400)
  }
  app.get(`${localIssuerPath}/.well-known/openid-configuration`, async () => issuer.describe())
  app.get(`${localIssuerPath}/jwks`, async () => issuer.jwks())
  app.get(`${localIssuerPath}/authorize`, async (request, reply) => {
    const known = readAsked(request.query)
    return known ? show(request, reply, known, true) : broken(request, reply)
  })
  app.post(`${localIssuerPath}/authorize`, async (request, reply) => {
    const form = Object.fromEntries(formOf(request))
    const known = readAsked(form)
    if (!known) return broken(request, reply)
    const back = (values: Record<string, string>): FastifyReply =>
      reply.redirect(`${known.redirect_uri}?${new URLSearchParams({ ...values, state: known.state, iss: issuer.issuer() })}`, 303)
    if (form['answer'] === 'deny') return back({ error: 'access_denied' })
    const person = typed.safeParse(form)
    if (!person.success) return show(request, reply, known, false)
    const { name, email } = person.data
    const who: Person = { subject: subjectOf(email), email, name, emailVerified: form['verified'] === '1' }
    const scope = known.scope.split(' ').filter((one) => form['calendar'] === '1' || !one.includes('/auth/calendar'))
    issuer.letAgain(who.subject)
    const { nonce = null, code_challenge: challenge, redirect_uri: redirectUri } = known
    return back({ code: issuer.giveCode({ ...who, nonce, challenge, redirectUri, scope: scope.join(' ') }) })
  })
  app.post(`${localIssuerPath}/token`, async (request, reply) =>
    answered(reply, issuer.answer(formOf(request), request.headers.authorization)),
  )
  app.post(`${localIssuerPath}/revoke`, async (request, reply) => {
    issuer.revoke(formOf(request).get('token') ?? '')
    return answered(reply, { status: 200, body: {} })
  })
}

type Named = FastifyRequest<{ Params: { id: string; eventId: string } }>

function mountCalendarApi(app: FastifyInstance, calendars: LocalCalendars): void {
  const path = localCalendarPath
  app.post(`${path}/calendars`, async (request, reply) =>
    answered(reply, calendars.insertCalendar(request.headers.authorization, bodyOf(request))),
  )
  app.delete(`${path}/calendars/:id`, async (request: Named, reply) =>
    answered(reply, calendars.deleteCalendar(request.headers.authorization, request.params.id)),
  )
  app.post(`${path}/calendars/:id/events`, async (request: Named, reply) =>
    answered(reply, calendars.insertEvent(request.headers.authorization, request.params.id, bodyOf(request))),
  )
  app.put(`${path}/calendars/:id/events/:eventId`, async (request: Named, reply) =>
    answered(reply, calendars.updateEvent(request.headers.authorization, request.params.id, request.params.eventId, bodyOf(request))),
  )
  app.delete(`${path}/calendars/:id/events/:eventId`, async (request: Named, reply) =>
    answered(reply, calendars.deleteEvent(request.headers.authorization, request.params.id, request.params.eventId)),
  )
}

const fault = z.union([
  z.object({ status: z.number().int(), reason: z.string(), times: z.number().int() }),
  z.object({ takeBack: z.string() }),
  z.object({ expireAccess: z.literal(true) }),
  z.object({ forgetCalendars: z.literal(true) }),
])

export function mountLocalProvider(app: FastifyInstance, context: AppContext): void {
  const issuer = new LocalIssuer(() => context.publicUrl() + localIssuerPath, context.settings.tokenKeys)
  const calendars = new LocalCalendars(issuer)
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    mountIssuer(scope, context, issuer)
    mountCalendarApi(scope, calendars)
    scope.get('/dev/google/calendars', async (_request, reply) => html(reply, calendarsPage(calendars.all())))
    scope.get('/dev/google/calendars.json', async () => calendars.all())
    // What goes wrong at a provider, on purpose.
    scope.post('/dev/google/faults', async (request, reply) => {
      const planted = fault.safeParse(request.body)
      if (!planted.success) return reply.code(400).send({ code: 'bad_input', message: 'Unknown fault.' })
      if ('takeBack' in planted.data) issuer.takeBack(subjectOf(planted.data.takeBack))
      else if ('expireAccess' in planted.data) issuer.expireAccess()
      else if ('forgetCalendars' in planted.data) calendars.forget()
      else calendars.plant(planted.data)
      return reply.send({ ok: true })
    })
  })
}
