/** The two plain pages of a trial's stand-in: who is there, and what stands in their calendars. In English, as what developers see is. */

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const style = `body{margin:0;background:#FAF7F1;color:#241A20;font:16px/1.5 system-ui,sans-serif}main{max-width:440px;margin:0 auto;padding:40px 20px}h1{font:400 34px/1.15 Georgia,serif;color:#5B1F47;margin:0 0 8px}p{margin:0 0 20px;color:#5D5158}label{display:block;margin:14px 0 4px;font-weight:600}input[type=text],input[type=email]{box-sizing:border-box;width:100%;min-height:48px;padding:0 14px;font:inherit;border:1px solid #8B7F83;border-radius:10px;background:#fff;color:inherit}.tick{display:flex;gap:12px;align-items:center;min-height:44px;font-weight:400;margin:6px 0}.tick input{inline-size:22px;block-size:22px;accent-color:#5B1F47}button{min-height:48px;padding:0 20px;border-radius:10px;border:1px solid #5B1F47;background:#5B1F47;color:#fff;font:600 16px system-ui;cursor:pointer}button.plain{background:none;color:#5B1F47}.row{display:flex;gap:12px;margin-top:24px}ul{padding:0}li{list-style:none;border-top:1px solid #E8DFD3;padding:12px 0}small{color:#5D5158}s{color:#5D5158}:focus-visible{outline:3px solid #B48BA6;outline-offset:2px}`

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head><body><main>${body}</main></body></html>`

export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** `fields` come back with the form as they came. */
export function choicePage(fields: Record<string, string>, offersCalendar: boolean, problem: string | null): string {
  const hidden = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join('')
  const calendar = offersCalendar
    ? '<label class="tick"><input type="checkbox" name="calendar" value="1" checked>Let Soigné add a calendar of its own</label>'
    : ''
  return page(
    'Sign in · stand-in of a trial',
    `<h1>Who are you?</h1><p>This page stands in for the provider of identities. Nobody’s account is needed: type any person.</p>
${problem === null ? '' : `<p role="alert"><b>${escape(problem)}</b></p>`}
<form method="post" action="authorize">${hidden}
<label for="name">Name</label><input id="name" type="text" name="name" required maxlength="80" value="Camille Martin">
<label for="email">Email</label><input id="email" type="email" name="email" required maxlength="200" value="camille.martin@example.test">
<label class="tick"><input type="checkbox" name="verified" value="1" checked>The email is confirmed there</label>${calendar}
<div class="row"><button name="answer" value="allow">Allow</button><button class="plain" name="answer" value="deny" formnovalidate>Cancel</button></div></form>`,
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
