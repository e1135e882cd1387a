/** What the product has sent, read in the development mailbox. */
import { expect, type APIRequestContext } from '@playwright/test'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  attachments: { filename?: string; name?: string; contentType?: string; content?: string }[]
  at: string
}

/** Mails to an address, newest first. */
export async function mailsTo(request: APIRequestContext, email: string): Promise<Mail[]> {
  const answer = await request.get('/dev/mail.json', { params: { to: email } })
  expect(answer.status()).toBe(200)
  return (await answer.json()) as Mail[]
}

/** Waits for the newest mail that fits. */
export async function mailTo(request: APIRequestContext, email: string, fits: (mail: Mail) => boolean): Promise<Mail> {
  let found: Mail | undefined
  await expect
    .poll(async () => {
      found = (await mailsTo(request, email)).find(fits)
      return found !== undefined
    })
    .toBe(true)
  if (!found) throw new Error(`no such mail to ${email}`)
  return found
}

const sixDigits = /(?<!\d)\d{6}(?!\d)/g

/** The code of the newest code mail; `not` is an older one that has been replaced. */
export async function codeFor(request: APIRequestContext, email: string, not?: string): Promise<string> {
  const codesIn = (mail: Mail) => mail.text.match(sixDigits) ?? []
  const mail = await mailTo(request, email, (one) => codesIn(one).length === 1 && codesIn(one)[0] !== not)
  return codesIn(mail)[0] ?? ''
}

/** The token of the newest reset link. */
export async function resetTokenFor(request: APIRequestContext, email: string): Promise<string> {
  const mail = await mailTo(request, email, ({ text }) => text.includes('token='))
  return /token=([\w-]+)/.exec(mail.text)?.[1] ?? ''
}
