/** The calendar on a phone, with one thumb: everything that is tapped in a day is large enough, and what matters most lies low. */
import type { Locator, Page } from '@playwright/test'
import { bearer, signInByStorage } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'
import { ownInstitute } from './support/own-institute.ts'
import { dayAhead } from './support/times.ts'

const shots = process.env['CLASS_SHOTS']
const shoot = async (page: Page, name: string): Promise<void> => {
  if (shots) await page.screenshot({ path: `${shots}/phone-${name}.png`, animations: 'disabled' })
}

const height = 844
test.use({ viewport: { width: 390, height }, hasTouch: true, isMobile: true })

/** Taps, counted; what is tapped has room for a thumb. */
function thumb(page: Page) {
  const state = { taps: 0 }
  return {
    state,
    async tap(target: Locator, { isMain = false } = {}): Promise<void> {
      await target.scrollIntoViewIfNeeded()
      const box = await target.boundingBox()
      const name = (await target.textContent()) ?? ''
      expect(Math.round(box?.height ?? 0), `height of ${name}`).toBeGreaterThanOrEqual(44)
      expect(Math.round(box?.width ?? 0), `width of ${name}`).toBeGreaterThanOrEqual(44)
      if (isMain) expect(box?.y ?? 0, `place of ${name}`).toBeGreaterThan(height / 3)
      await target.tap()
      state.taps += 1
    },
    page,
  }
}

test('[P-07] a day with one thumb: walk-in, arrived, done and back, moved', async ({ page, request }) => {
  const { owner, services, team } = await ownInstitute(request, 'Atelier du Pouce')
  const day = dayAhead(3)
  const nora = team.find(({ name }) => name === 'Nora')
  for (const [time, name] of [
    ['10:00', 'Mme Roux'],
    ['12:00', 'Paul Masson'],
  ]) {
    const startsAt = Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime('Europe/Paris').toInstant().toString()
    const booked = await request.post('/api/v1/secure/mysalon/appointments', {
      headers: bearer(owner.token),
      data: { services: [{ serviceId: services[0]?._id, staffId: nora?._id }], startsAt, customer: { firstName: name } },
    })
    expect(booked.status(), await booked.text()).toBe(201)
  }
  await signInByStorage(page, owner)
  await page.goto(`/mysalon/appointments/calendar?day=${day}&staff=${nora?._id ?? ''}`)
  const { tap, state } = thumb(page)
  const visit = (name: string) => page.getByRole('button', { name: new RegExp(name) }).first()
  const drawer = page.getByRole('dialog')

  await expect(visit('Mme Roux')).toBeVisible()
  await shoot(page, 'day')
  await tap(page.getByRole('button', { name: 'New appointment' }), { isMain: true })
  await tap(drawer.getByRole('button', { name: /^Cut/ }).first())
  await shoot(page, 'new')
  await tap(drawer.getByRole('button', { name: 'Walk-in' }))
  await tap(drawer.getByRole('button', { name: /^Book \d/ }), { isMain: true })
  expect(state.taps).toBe(4)
  await expect(page.getByText(/^Walk-in booked/)).toBeVisible()

  await tap(visit('Mme Roux'))
  await shoot(page, 'visit')
  await tap(drawer.getByRole('button', { name: 'Arrived', exact: true }).last(), { isMain: true })
  await expect(page.getByText('Mme Roux has arrived')).toBeVisible()
  await shoot(page, 'arrived')
  await tap(drawer.getByRole('button', { name: 'Start the visit' }), { isMain: true })
  await tap(drawer.getByRole('button', { name: 'Done', exact: true }).last(), { isMain: true })
  await expect(page.getByText('Mme Roux: done')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Did not come' })).toHaveCount(0)
  await tap(drawer.getByRole('button', { name: 'Close' }))
  await tap(page.getByRole('button', { name: 'Undo' }).last(), { isMain: true })
  await expect(page.getByRole('button', { name: /Mme Roux.+, In service$/ })).toBeVisible()

  await tap(visit('Paul Masson'))
  await tap(drawer.getByRole('button', { name: 'Move to another time' }), { isMain: true })
  await tap(drawer.getByRole('button', { name: '15:00' }))
  await shoot(page, 'move')
  await tap(drawer.getByRole('button', { name: 'Move to 15:00' }), { isMain: true })
  await expect(page.getByText(/^Paul Masson moved to .+, 15:00/)).toBeVisible()
})
