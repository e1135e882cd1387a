/** The phone of somebody who reads Arabic: 360 pixels wide, from right to left. */
import type { BrowserContext } from '@playwright/test'

export const arabicPhone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** As if the language had been chosen earlier. */
export async function chooseArabic(context: BrowserContext, baseURL: string | undefined): Promise<void> {
  await context.addCookies([{ name: 'locale', value: 'ar', url: baseURL ?? '' }])
  await context.addInitScript(() => {
    // A page that is still empty keeps nothing.
    if (location.protocol.startsWith('http')) localStorage.setItem('locale', 'ar')
  })
}
