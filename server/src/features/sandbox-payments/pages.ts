/** What somebody sees who is sent to the sandbox: plain HTML that needs no scripts. */
import { minuteMs, type Instant } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { parseInstant } from '#/platform/instants.ts'
import { moneyText } from '#/texts/formats.ts'
import { type SentenceKey, translate } from '#/texts/translate.ts'
import type { StoredPage } from './store.ts'
import { style } from './style.ts'

/** Browsers hold where a form leads to against this also after a redirect. */
export const policyOf = (returnUrl: string | null): string =>
  `default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; form-action 'self'${returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`}; frame-ancestors 'none'; base-uri 'none'`

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const say = (locale: Locale, key: Exclude<SentenceKey<'sandbox'>, 'closesIn'>, values: Record<string, string> = {}): string =>
  escape(translate(locale, 'sandbox', key, { scheme: '3-D Secure', ...values }))

const logo =
  '<span class="logo" role="img" aria-label="Soigné"><span aria-hidden="true">Soign<span>e<svg viewBox="-24 -36 48 72"><path d="M-22 32C-23 2-3-25 24-34 25-5 6 22-22 32z"/></svg></span></span></span>'

const whole = (locale: Locale, title: string, body: string): string =>
  `<!doctype html><html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body><header class="trial">${say(locale, 'trial')}</header><main>${body}</main></body></html>`

const amountOf = ({ amount, currency, locale }: StoredPage): string => moneyText({ amount, currency }, locale)

function what(page: StoredPage, now: Instant | null): string {
  const { locale, description } = page
  const minutes = now === null ? 0 : Math.max(1, Math.ceil((parseInstant(page.until) - now) / minuteMs))
  const until = now === null ? '' : `<p class="until">${escape(translate(locale, 'sandbox', 'closesIn', { count: minutes }))}</p>`
  return `<section class="what"><div>${logo}<p class="label">${say(locale, page.amount === 0 ? 'nowToPay' : 'toPay')}</p><p class="amount"><bdi>${escape(amountOf(page))}</bdi></p><p class="for">${escape(description)}</p>${until}</div></section>`
}

const cards = ['good', 'secure', 'declined', 'outdated'] as const
/** Those that are kept answer later in other ways too. */
const keptCards = ['good', 'secure', 'asking', 'empty', 'declined'] as const
export type Card = (typeof cards | typeof keptCards)[number]

function choices(locale: Locale, keepsCard: boolean): string {
  const one = (card: Card): string =>
    `<label class="choice"><input type="radio" name="card" value="${card}"${card === 'good' ? ' checked' : ''}><span><b>${say(locale, card)}</b><small>${say(locale, `${card}Hint`)}</small></span></label>`
  return `<fieldset class="choices" aria-labelledby="method" aria-describedby="lead">${(keepsCard ? keptCards : cards).map(one).join('')}</fieldset>`
}

const button = (locale: Locale, name: 'pay' | 'keep' | 'decline' | 'abandon' | 'confirm' | 'refuse', look = ''): string =>
  `<button name="answer" value="${name}"${look}>${say(locale, name)}</button>`
const solid = ' class="solid"'

/** The parts of an amount in minor units add up to it: what does not divide is paid first. */
export const instalmentsOf = (amount: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.floor(amount / count) + (at < amount % count ? 1 : 0))

/** What paying with Klarna could look like; the institute is paid at once whatever is chosen. */
function instalments({ amount, currency, locale, method }: StoredPage): string {
  if (method !== 'klarna') return ''
  const [first = '', second = '', third = ''] = instalmentsOf(amount, 3).map((part) => moneyText({ amount: part, currency }, locale))
  return `<p class="lead">${say(locale, 'instalments', { first, second, third })}</p>`
}

/** Where the payment is decided. */
export function payPage(page: StoredPage, now: Instant): string {
  const { locale, method } = page
  return whole(
    locale,
    page.amount === 0 ? say(locale, 'keepTitle') : say(locale, 'title', { amount: amountOf(page) }),
    `${what(page, now)}<section class="how"><h1 id="method"><bdi>${say(locale, method)}</bdi></h1><p class="lead" id="lead">${say(locale, page.keepsCard ? 'keepLead' : `${method}Lead`)}</p>${instalments(page)}<form method="post">${method === 'card' ? choices(locale, page.keepsCard) : ''}<div class="buttons">${button(locale, page.amount === 0 ? 'keep' : 'pay', solid)}${button(locale, 'decline')}${button(locale, 'abandon')}</div></form><p class="hint">${say(locale, 'hint')}</p></section>`,
  )
}

/** Where the bank of a card asks. */
export function securePage(page: StoredPage, now: Instant): string {
  const { locale } = page
  return whole(
    locale,
    say(locale, 'secureTitle'),
    `${what(page, now)}<section class="how"><p class="tag">${say(locale, 'bank')}</p><h1>${say(locale, 'secureTitle')}</h1><p class="lead">${say(locale, 'secureLead')}</p><form method="post"><div class="buttons">${button(locale, 'confirm', solid)}${button(locale, 'refuse')}</div></form></section>`,
  )
}

const signs = { paid: 'M4 13l5 5L20 7', else: 'M6 6l12 12M18 6L6 18' }

/** What the bank of who paid may say of a payment, once it is there. */
function bankPart({ locale, dispute }: StoredPage, path: string): string {
  const names = dispute === null ? (['dispute'] as const) : (['forSalon', 'forClient'] as const)
  const buttons = names.map((name) => `<button name="answer" value="${name}">${say(locale, name)}</button>`).join('')
  const form =
    dispute === null || dispute === 'open'
      ? `<form method="post" class="bank" action="${escape(path)}"><div class="buttons">${buttons}</div></form>`
      : ''
  return `<p class="hint"><b>${say(locale, 'bank')}</b><br>${say(locale, `dispute_${dispute ?? 'none'}`)}</p>${form}`
}

/** A page that is open no more. */
export function closedPage(page: StoredPage, state: 'paid' | 'failed' | 'cancelled' | 'expired', bank: string): string {
  const { locale } = page
  const sign = state === 'paid' ? signs.paid : signs.else
  return whole(
    locale,
    say(locale, state === 'paid' && page.amount === 0 ? 'keptTitle' : `${state}Title`),
    `${what(page, null)}<section class="how"><span class="mark ${state}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${sign}"/></svg></span><h1>${say(locale, state === 'paid' && page.amount === 0 ? 'keptTitle' : `${state}Title`)}</h1><p class="lead">${say(locale, state === 'paid' && page.amount === 0 ? 'keptLead' : `${state}Lead`)}</p><a class="button" href="${escape(page.returnUrl)}">${say(locale, 'back')}</a>${state === 'paid' && page.amount > 0 ? bankPart(page, bank) : ''}</section>`,
  )
}

/** An address that was never given. */
export const unknownPage = (locale: Locale): string =>
  whole(
    locale,
    say(locale, 'unknownTitle'),
    `<section class="what"><div>${logo}</div></section><section class="how"><h1>${say(locale, 'unknownTitle')}</h1><p class="lead">${say(locale, 'unknownLead')}</p><a class="button" href="/">${say(locale, 'back')}</a></section>`,
  )
