/** The two plain pages of a trial's stand-in: who is there, in the language of whoever comes, and what stands in their calendars, in English, as what developers see is. */
import type { Locale } from '@soigne/contract/wire'
import { type SentenceKey, translate } from '#/texts/translate.ts'

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const style = `body{margin:0;background:#FAF7F1;color:#241A20;font:16px/1.5 system-ui,sans-serif}main{max-width:440px;margin:0 auto;padding:40px 20px}h1{font:400 34px/1.15 Georgia,serif;color:#5B1F47;margin:0 0 8px}p{margin:0 0 20px;color:#5D5158}label{display:block;margin:14px 0 4px;font-weight:600}input[type=text],input[type=email]{box-sizing:border-box;width:100%;min-height:48px;padding:0 14px;font:inherit;border:1px solid #8B7F83;border-radius:10px;background:#fff;color:inherit}.tick{display:flex;gap:12px;align-items:center;min-height:44px;font-weight:400;margin:6px 0}.tick input{inline-size:22px;block-size:22px;accent-color:#5B1F47}button{min-height:48px;padding:0 20px;border-radius:10px;border:1px solid #5B1F47;background:#5B1F47;color:#fff;font:600 16px system-ui;cursor:pointer}button.plain{background:none;color:#5B1F47}.row{display:flex;gap:12px;margin-top:24px}ul{padding:0}li{list-style:none;border-top:1px solid #E8DFD3;padding:12px 0}small{color:#5D5158}s{color:#5D5158}:focus-visible{outline:3px solid #B48BA6;outline-offset:2px}`

const page = (title: string, body: string, locale: Locale = 'en'): string =>
  `<!doctype html><html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head><body><main>${body}</main></body></html>`

export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

export interface Choice {
  locale: Locale
  /** They come back with the form as they came. */
  fields: Record<string, string>
  offersCalendar: boolean
  problem: string | null
}

export function choicePage({ locale, fields, offersCalendar, problem }: Choice): string {
  const say = (key: SentenceKey<'trialSignIn'>): string => escape(translate(locale, 'trialSignIn', key))
  const hidden = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join('')
  const calendar = offersCalendar
    ? `<label class="tick"><input type="checkbox" name="calendar" value="1" checked>${say('calendar')}</label>`
    : ''
  return page(
    say('title'),
    `<h1>${say('who')}</h1><p>${say('lead')}</p>
${problem === null ? '' : `<p role="alert"><b>${escape(problem)}</b></p>`}
<form method="post" action="authorize">${hidden}
<label for="name">${say('name')}</label><input id="name" type="text" name="name" dir="auto" required maxlength="80" value="Camille Martin">
<label for="email">${say('email')}</label><input id="email" type="email" name="email" dir="ltr" required maxlength="200" value="camille.martin@example.test">
<label class="tick"><input type="checkbox" name="verified" value="1" checked>${say('confirmed')}</label>${calendar}
<div class="row"><button name="answer" value="allow">${say('allow')}</button><button class="plain" name="answer" value="deny" formnovalidate>${say('cancel')}</button></div></form>`,
    locale,
  )
}

export function calendarsPage(calendars: readonly { owner: string; summary: string; events: Record<string, unknown>[] }[]): string {
  const event = (one: Record<string, unknown>): string => {
    const start = (one['start'] as { dateTime?: string } | undefined)?.dateTime ?? ''
    const text = `${escape(String(one['summary'] ?? ''))}<br><small>${escape(start)}</small>`
    return `<li>${one['status'] === 'cancelled' ? `<s>${text}</s>` : text}</li>`
  }
  const list = calendars.map(
    ({ owner, summary, events }) => `<h2>${escape(summary)}</h2><p>${escape(owner)}</p><ul>${events.map(event).join('')}</ul>`,
  )
  return page(
    'Calendars · stand-in of a trial',
    `<h1>Calendars</h1><p>What this trial wrote into calendars.</p>${list.join('') || '<p>None yet.</p>'}`,
  )
}
