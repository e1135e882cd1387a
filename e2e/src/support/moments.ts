/** What is on a page for a moment only: whoever looks now and then misses it, on a busy machine most of all. */
import type { Page } from '@playwright/test'

type Watched = Window & { momentsSeen?: Set<string> }

/** From now on the page, and each that follows it here, remembers whether a text was ever there. @returns whether it was on the one that is open */
export async function watchFor(page: Page, text: RegExp): Promise<() => Promise<boolean>> {
  const watch = (pattern: string): void => {
    const seen = ((window as Watched).momentsSeen ??= new Set())
    const look = (): void => {
      if (document.body && new RegExp(pattern).test(document.body.textContent)) seen.add(pattern)
    }
    new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true })
    look()
  }
  await page.addInitScript(watch, text.source)
  await page.evaluate(watch, text.source)
  return () => page.evaluate((pattern) => (window as Watched).momentsSeen?.has(pattern) ?? false, text.source)
}
