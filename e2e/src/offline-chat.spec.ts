/** A conversation without a connection, on a phone in Arabic: what was written waits while the site is closed, and arrives once, in order. */
import type { Page } from '@playwright/test'
import type { ChatMessage } from '@soigne/contract/chat'
import { bearer, newAccount, signInByStorage } from './support/accounts.ts'
import { arabicPhone, chooseArabic } from './support/arabic-phone.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { picture } from './support/picture.ts'

test.use({ ...arabicPhone, losesConnection: true })

const conversationOf = (page: Page) => page.getByRole('region', { name: /^الرسائل مع/ })

test('[P-03] [E-24] two texts and a picture wait with the site closed, and the other side has them once, in order', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const { owner, _id } = await ownInstitute(request, 'Atelier du Tunnel')
  const client = await newAccount(request)
  const opened = await request.post('/api/v1/secure/chats', { headers: bearer(client.token), data: { instituteId: _id } })
  const { _id: id } = (await opened.json()) as { _id: string }
  await chooseArabic(context, baseURL)
  await signInByStorage(page, client)
  await page.goto(`/chat/${id}`)
  const conversation = conversationOf(page)
  const field = conversation.getByRole('textbox', { name: /^الكتابة إلى/ })
  const written = ['هل لديكم وقت يوم الجمعة؟', 'صورة شعري الآن:']
  await expect(field).toBeVisible()

  await context.setOffline(true)
  for (const text of written) {
    await field.fill(text)
    await conversation.getByRole('button', { name: 'إرسال', exact: true }).tap()
    await expect(conversation.getByRole('listitem').filter({ hasText: text })).toBeVisible()
  }
  await conversation.locator('input[type=file]').setInputFiles({ name: 'hair.png', mimeType: 'image/png', buffer: picture() })
  await expect(conversation.getByRole('img', { name: 'صورة' })).toBeVisible()
  await expect(conversation.getByText('لم تُرسل بعد. ستُرسل فور عودة الاتصال.').first()).toBeVisible()
  // As long as the browser needs to write the picture down.
  const isKept = () => page.evaluate(async () => (await (await caches.open('outbox-1')).keys()).length)
  await expect.poll(isKept).toBe(1)
  await page.close()

  // Opened again elsewhere on the site, some time later.
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto('/')
  const arrived = async () => {
    const answer = await request.get(`/api/v1/secure/messages/${id}`, { headers: bearer(owner.token) })
    const { items } = (await answer.json()) as { items: ChatMessage[] }
    return items.toSorted((a, b) => a.seq - b.seq).map(({ text, media }) => text ?? media?.type)
  }
  await expect.poll(arrived).toEqual([...written, 'image'])
  await expect.poll(() => next.evaluate(async () => (await (await caches.open('outbox-1')).keys()).length)).toBe(0)
  // Loaded anew, nothing is sent again.
  await next.goto(`/chat/${id}`)
  await expect(conversationOf(next).getByRole('img', { name: 'صورة' })).toBeVisible()
  await expect(
    conversationOf(next)
      .getByRole('listitem')
      .filter({ hasText: written[0] ?? '' }),
  ).toHaveCount(1)
  expect(await arrived()).toEqual([...written, 'image'])
})
