/** A class is booked like any visit: its times say how many places are left, a place is held and confirmed, and one fewer is left. */
import type { Page } from '@playwright/test'
import { newAccount, signInByStorage } from './support/accounts.ts'
import { chooseTime, stepButton } from './support/booking-road.ts'
import { expect, test } from './support/journey.ts'

/** Each window books elsewhere, so that both can at once. */
const studios = { desktop: 'pas-a-pas', phone: 'souffle-ocean' } as const

interface Service {
  _id: string
  name: string
  capacity?: number
}

interface Next {
  startsAt: string
  seatsLeft: number
}

const shots = process.env['CLASS_SHOTS']
const shoot = async (page: Page, name: string): Promise<void> => {
  if (shots) await page.screenshot({ path: `${shots}/${name}-${test.info().project.name}.png`, fullPage: true })
}

test('a place in a class is chosen, held and booked, and nobody else is offered it @phone', async ({ page, request }) => {
  const slug = test.info().project.name === 'phone' ? studios.phone : studios.desktop
  await signInByStorage(page, await newAccount(request))
  const answer = (await (await request.get(`/api/v1/client/institutes/${slug}`)).json()) as { _id: string; services: Service[] }
  const service = answer.services.find(({ capacity }) => capacity !== undefined)
  if (!service) throw new Error(`${slug} has no class`)
  const next = async (): Promise<Next> => {
    const url = `/api/v1/client/institutes/${answer._id}/availability/next?service=${service._id}&limit=5`
    const { times } = (await (await request.get(url)).json()) as { times: Next[] }
    const [first] = times
    if (!first) throw new Error('no class has a place left')
    return first
  }
  const before = await next()

  await page.goto(`/salon/${slug}`)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: service.name, exact: true }) })
  await expect(row).toContainText(`Group class, ${service.capacity} places`)
  await shoot(page, '1-menu')

  await page.goto(`/salon/${slug}/book?service=${service._id}&staff=any`)
  await expect(page.getByRole('heading', { level: 1, name: 'When suits you?' })).toBeVisible()
  await expect(page.getByText(/ min classes, /)).toBeVisible()
  if (test.info().project.name === 'phone') {
    // A day of one class is short; the bar stands at the bottom all the same.
    const bottom = async (): Promise<number> => {
      const box = await page.getByRole('button', { name: 'Review and book' }).boundingBox()
      return (page.viewportSize()?.height ?? 0) - (box ? box.y + box.height : 0)
    }
    await expect.poll(bottom).toBeLessThan(40)
  }
  const words = before.seatsLeft === 1 ? '1 place left' : `${before.seatsLeft} places left`
  await expect(page.getByRole('radio', { name: words }).first()).toBeVisible()
  await chooseTime(page)
  await shoot(page, '2-times')
  await stepButton(page, 'Review and book').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Check, and it’s yours' })).toBeVisible()
  await shoot(page, '3-confirm')
  const isOneFewer = ({ startsAt, seatsLeft }: Next): boolean => startsAt !== before.startsAt || seatsLeft === before.seatsLeft - 1
  await expect.poll(async () => isOneFewer(await next())).toBe(true)
  await stepButton(page, /^Book /).click()
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Check')
  await shoot(page, '4-booked')
  await page.goto('/appointment/list')
  await expect(page.getByRole('main').getByText(service.name).first()).toBeVisible()
  await shoot(page, '5-mine')
  if (shots) {
    await page.context().addCookies([{ name: 'locale', value: 'ar', url: new URL(page.url()).origin }])
    await page.goto(`/salon/${slug}/book?service=${service._id}&staff=any`)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByRole('radio').first()).toBeVisible()
    await shoot(page, '6-arabic')
  }
})
