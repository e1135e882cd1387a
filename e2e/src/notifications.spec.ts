/** The bell: what greets a new user, what the server tells, and reminders. */
import { newAccount, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { book, freeOpening } from './support/times.ts'

test('[E-08] [E-26] [U-14] a new user is greeted by three samples, hears of a booking, reads it, and removes one @phone', async ({
  page,
  request,
}) => {
  const account = await newAccount(request)
  await signInByStorage(page, account)
  await page.goto('/institutes')
  await page.getByRole('button', { name: 'Notifications, 3 unread' }).click()
  const list = page.getByRole('region', { name: 'Notifications' })
  await expect(list.getByRole('listitem')).toHaveCount(3)
  const visit = await book(request, account, await freeOpening(request, 'studio-dune', ['Spray tan']))
  // Over the socket: nothing is loaded again, and the next look of the page would come after a minute.
  await expect(page.getByRole('button', { name: 'Notifications, 4 unread' })).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(4)
  const panel = page.getByRole('button', { name: /^Notifications/ }).locator('xpath=following-sibling::*')
  expect(Math.round((await panel.boundingBox())?.height ?? Infinity)).toBeLessThanOrEqual(400)
  await list.getByRole('link', { name: /^Booked: / }).click()
  await expect(page).toHaveURL(`/appointment/${visit._id}`)
  // The page that is left closes its list.
  await expect(list).toBeHidden()
  await page.getByRole('button', { name: 'Notifications, 3 unread' }).click()
  await list.getByRole('button', { name: 'Remove: Welcome to Soigné' }).click()
  await list.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await expect(list.getByRole('listitem')).toHaveCount(3)
})
