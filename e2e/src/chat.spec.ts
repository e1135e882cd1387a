/** A client and an institute write to each other, in two browsers at once. */
import { demoOwner, newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { setBrowserClock } from './support/journey-clock.ts'
import { watchFor } from './support/moments.ts'
import { picture } from './support/picture.ts'

test('[P-03] [R-15] [C-27] [E-21] [E-22] [E-24] [N-01] a client writes to a salon, which answers, in two browsers at once @phone', async ({
  page,
  browser,
  request,
}, testInfo) => {
  test.slow()
  const client = await newAccount(request)
  await signInByStorage(page, client)
  await page.goto('/salon/atelier-nacre')
  await expect(async () => {
    if (!page.url().includes('/chat/')) await page.getByRole('button', { name: 'Message', exact: true }).click()
    await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/)
  }).toPass()
  const mine = page.getByRole('region', { name: 'Messages with Atelier Nacre' })
  await expect(mine.getByText('Write your first message to Atelier Nacre.')).toBeVisible()
  await mine.getByRole('textbox', { name: 'Write to Atelier Nacre' }).fill('Do you have time on Friday?')
  await page.keyboard.press('Enter')
  await expect(mine.getByRole('listitem').filter({ hasText: 'Do you have time on Friday?' })).toBeVisible()
  // On a desk of the salon that another journey has open it has arrived already.
  await expect(mine.getByText(/^(?:Sent|Delivered)$/)).toBeVisible()

  const other = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await setBrowserClock(other)
  const desk = await other.newPage()
  await signInByStorage(desk, await demoOwner(request))
  await desk.goto('/mysalon/messages')
  // Others write to the demo's salon as well: hers is the one with this client's chat.
  const id = page.url().split('/').at(-1) ?? ''
  await expect(desk.locator(`a[href="/mysalon/messages/${id}"]`)).toContainText('Do you have time on Friday?')
  await desk.locator(`a[href="/mysalon/messages/${id}"]`).click()
  const theirs = desk.getByRole('region', { name: 'Messages with Lucie Verdier' })
  await expect(theirs.getByText('Do you have time on Friday?')).toBeVisible()
  await expect(mine.getByText('Read', { exact: true })).toBeVisible()

  const field = theirs.getByRole('textbox', { name: 'Write to Lucie Verdier' })
  const wasTyping = await watchFor(page, /Atelier Nacre is typing/)
  await field.pressSequentially('At 15:00', { delay: 120 })
  // Word of it may be lost; whoever goes on typing says so again.
  await expect(async () => {
    await field.press('ArrowRight')
    await field.pressSequentially('?')
    expect(await wasTyping()).toBe(true)
  }).toPass()
  await field.fill('At 15:00?')
  await theirs.getByRole('button', { name: 'Send' }).click()
  await expect(mine.getByText('At 15:00?', { exact: true })).toBeVisible()
  await expect(mine.getByText('Atelier Nacre is typing')).toHaveCount(0)

  await mine.locator('input[type=file]').setInputFiles({ name: 'shape.png', mimeType: 'image/png', buffer: picture() })
  await expect(theirs.getByRole('img', { name: 'Picture' })).toBeVisible()
  await mine.getByRole('button', { name: 'Picture', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Pictures' })).toBeVisible()
  await page.keyboard.press('Escape')

  // The salon offers a free time, and the client books it in two taps.
  const sheet = desk.getByRole('dialog', { name: 'Offer a free time' })
  const fromEnd = testInfo.project.name === 'phone' ? 1 : 4
  // Others book there as well: a time that was taken meanwhile is refused, and another is offered.
  await expect(async () => {
    if ((await sheet.count()) === 0) await theirs.getByRole('button', { name: 'Offer a free time' }).click()
    const free = sheet.locator('label:has(input[type=radio]:enabled)')
    await expect(free.first()).toBeAttached()
    await free.nth(Math.max(0, (await free.count()) - fromEnd)).click()
    await sheet.getByRole('button', { name: /^Offer .*\d:\d\d/ }).click()
    await expect(sheet).toHaveCount(0)
    await expect(mine.getByRole('link', { name: 'Book this time' })).toBeVisible()
  }).toPass()
  await mine.getByRole('link', { name: 'Book this time' }).click()
  await expect(page.getByRole('button', { name: /^Book \d/ })).toBeEnabled()
  await page.getByRole('button', { name: /^Book \d/ }).click()
  await expect(page).toHaveURL(/booked=/)
  await page.goto(`/chat/${id}`)
  await mine.getByRole('button', { name: 'Share an appointment' }).click()
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click()
  await expect(theirs.getByText('Appointment', { exact: true })).toBeVisible()
  await mine.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Pictures and documents' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Picture' })).toBeVisible()
  await page.keyboard.press('Escape')

  // What is being written is still there after the page was loaded again; what was said is, too.
  await mine.getByRole('textbox').fill('Perfect, see')
  await page.reload()
  await expect(mine.getByRole('textbox')).toHaveValue('Perfect, see')
  await expect(mine.getByText('At 15:00?', { exact: true })).toBeVisible()
  await mine.getByRole('textbox').fill('Perfect, see you')
  await mine.getByRole('textbox').press('Enter')
  await expect(theirs.getByText('Perfect, see you')).toBeVisible()
  await other.close()

  await mine.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Delete conversation' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'confirm' }).click()
  await expect(page).toHaveURL('/chat')
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible()
})
