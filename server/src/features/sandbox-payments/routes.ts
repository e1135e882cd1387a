/** Puts the sandbox's pages under /sandbox. In trials only: in production there are none. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { faceFile } from '#/features/invoice-print/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { localeOf } from '#/platform/language.ts'
import { refuse } from '#/platform/refuse.ts'
import { type Card, closedPage, payPage, policyOf, securePage, unknownPage } from './pages.ts'
import { type CardKind, disputePayment, pageOfToken, pagesPath, settle, type StoredPage } from './service.ts'
import { facePath, faces } from './style.ts'
import { stateOf } from './words.ts'

const html = (reply: FastifyReply, text: string, returnUrl: string | null, status = 200): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(returnUrl))
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(text)

const bankPath = (token: string): string => `${pagesPath}/${token}/bank`

type Asked = FastifyRequest<{ Params: { token: string }; Querystring: { card?: unknown } }>

/** What a press of a button makes of a page; null: the bank asks first. */
const becomes = (answer: string | null, card: Card): 'paid' | 'failed' | 'cancelled' | 'asks' | null => {
  if (answer === 'decline' || answer === 'refuse') return 'failed'
  if (answer === 'abandon') return 'cancelled'
  if (answer === 'confirm') return 'paid'
  if (answer !== 'pay' && answer !== 'keep') return null
  if (card === 'good' || card === 'empty') return 'paid'
  // A card that asks when its owner is away has asked when it was kept.
  return card === 'secure' || card === 'asking' ? 'asks' : 'failed'
}

const known: readonly Card[] = ['secure', 'asking', 'empty', 'declined', 'outdated']
const cardOf = (form: URLSearchParams): Card => {
  const card = form.get('card')
  return known.find((one) => one === card) ?? 'good'
}

/** How a card that is kept answers later; after the bank has asked, its choice is in the address. */
const kindOf = ({ query }: Asked, form: URLSearchParams): CardKind => {
  const card = form.get('card') ?? query.card
  return card === 'asking' || card === 'empty' ? card : 'good'
}

function mountPages(app: FastifyInstance, context: AppContext): void {
  const unknown = (request: Asked, reply: FastifyReply): FastifyReply =>
    html(reply, unknownPage(localeOf(request.headers['accept-language'])), null, 404)
  const show =
    (draw: (page: StoredPage, now: number) => string) =>
    async (request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
      const page = await pageOfToken(context, request.params.token)
      if (!page) return unknown(request, reply)
      const now = context.clock.now()
      const { state } = stateOf(page, now)
      return html(reply, state === 'open' ? draw(page, now) : closedPage(page, state, bankPath(request.params.token)), page.returnUrl)
    }
  const press =
    (allowed: readonly string[]) =>
    async (request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
      const page = await pageOfToken(context, request.params.token)
      if (!page) return unknown(request, reply)
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      const answer = form.get('answer')
      const state = allowed.includes(answer ?? '') ? becomes(answer, cardOf(form)) : null
      if (state === null) throw refuse('bad_input')
      if (state === 'asks' && stateOf(page, context.clock.now()).state === 'open')
        return reply.redirect(`${pagesPath}/${request.params.token}/confirm${page.keepsCard ? `?card=${cardOf(form)}` : ''}`, 303)
      // Pressed twice, or too late: what became of the page stays, and the way back is the same.
      if (state !== 'asks') await settle(context, page.id, state, state === 'paid' && page.keepsCard ? kindOf(request, form) : null)
      return reply.redirect(page.returnUrl, 303)
    }
  const answers = { dispute: 'open', forSalon: 'won', forClient: 'lost' } as const
  app.post(bankPath(':token'), async (request: Asked, reply) => {
    const page = await pageOfToken(context, request.params.token)
    if (!page) return unknown(request, reply)
    const answer = new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('answer') ?? ''
    if (!Object.hasOwn(answers, answer)) throw refuse('bad_input')
    await disputePayment(context, page.id, answers[answer as keyof typeof answers])
    return reply.redirect(`${pagesPath}/${request.params.token}`, 303)
  })
  app.get(`${pagesPath}/:token`, show(payPage))
  app.post(`${pagesPath}/:token`, press(['pay', 'keep', 'decline', 'abandon']))
  app.get(`${pagesPath}/:token/confirm`, show(securePage))
  app.post(`${pagesPath}/:token/confirm`, press(['confirm', 'refuse']))
}

export function mountSandboxPages(app: FastifyInstance, context: AppContext): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    mountPages(scope, context)
    for (const face of faces)
      scope.get(`${facePath}/${face}.ttf`, async (_request, reply) =>
        reply
          .type('font/ttf')
          .header('cache-control', 'public, max-age=86400')
          .send(await readFile(faceFile(face))),
      )
    // Pages take every other address.
    scope.all('/sandbox/*', async () => {
      throw refuse('not_found')
    })
  })
}
