/** The main road with the keyboard alone. */
import type { Locator, Page } from '@playwright/test'
import { freshEmail, goodPassword } from './support/accounts.ts'
import { freeTimes, stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'
import { codeFor } from './support/mailbox.ts'

/** Presses Tab until the control has the focus, as a person without a pointer does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 150; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${target.toString()}`)
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function signUpByKeyboard(page: Page, email: string): Promise<void> {
  await typeInto(page, page.getByLabel('First name'), 'Lucie')
  await typeInto(page, page.getByLabel('Last name'), 'Verdier')
  await typeInto(page, page.getByLabel('Email'), email)
  await typeInto(page, page.getByLabel('Password', { exact: true }), goodPassword)
  await press(page, page.getByRole('checkbox', { name: /I agree to the/ }), 'Space')
  await press(page, page.getByRole('button', { name: 'Create my account' }))
}

test('[P-01] [U-13] the whole road can be walked with the keyboard alone', async ({ page, request }) => {
  test.slow()
  const email = freshEmail()
  await page.goto('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  const form = page.getByRole('search', { name: 'Find a time' })
  await typeInto(page, form.locator('input[name=what]'), 'hand mas')
  await expect(page.getByRole('option', { name: 'Hand massage' })).toBeVisible()
  const what = form.getByRole('combobox', { name: 'What' })
  while ((await page.getByRole('option', { name: 'Hand massage', selected: true }).count()) === 0) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(what).toHaveValue('Hand massage')
  await page.keyboard.press('Tab')
  const where = form.getByRole('combobox', { name: 'Where' })
  await expect(where).toBeFocused()
  await page.keyboard.type('Marseille')
  await expect(page.getByRole('option', { name: /^Marseille/ }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(where).toHaveValue('Marseille')
  await press(page, form.getByRole('button', { name: 'Find a time' }))
  await expect(page).toHaveURL(/\/institutes\?/)

  await press(page, page.getByRole('link', { name: 'Galet Rose', exact: true }))
  await press(page, page.getByRole('link', { name: 'Add Hand massage' }))
  await expect(page.getByRole('link', { name: 'Hand massage added. Remove' })).toBeFocused()
  await press(page, page.getByRole('link', { name: 'See all times' }))

  await expect(page.getByRole('heading', { level: 1, name: 'When suits you?' })).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Later days' }).first())
  await tabTo(page, freeTimes(page).first())
  await page.keyboard.press('Space')
  await expect(freeTimes(page).first()).toBeChecked()
  await press(page, page.getByRole('button', { name: 'Review and book' }))
  await press(page, page.getByRole('main').getByRole('link', { name: 'Sign up' }))
  await signUpByKeyboard(page, email)
  await expect(page.getByLabel('6-digit code')).toBeFocused()
  await page.keyboard.type(await codeFor(request, email))
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^We’re holding/)).toBeVisible()
  await press(page, stepButton(page, /^Book \d/))
  await press(page, page.getByRole('link', { name: 'See my appointment' }))

  await press(page, page.getByRole('button', { name: 'Cancel', exact: true }))
  const question = page.getByRole('alertdialog', { name: 'Let this hour go?' })
  await expect(question.getByRole('button', { name: 'confirm', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'The hour is free again.' })).toBeVisible()
})
