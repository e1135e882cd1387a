/** What axe finds on a page, asked of axe itself in the page: by its driver the same question takes almost three times as long. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'
import { expect } from './journey.ts'

/** WCAG 2.2 AA, and what axe calls best practice. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The small one is read by the browser a third faster, on each page anew. */
const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What it runs in: axe as its source leaves it. */
type WithAxe = typeof globalThis & { axe: { run(context: Document, options: RunOptions): Promise<AxeResults> } }

/** All violations, each with where it is and what is wrong. */
export async function violations(page: Page, { tags: of = tags }: { tags?: readonly string[] } = {}): Promise<string[]> {
  // No page has a frame of its own, into which axe would have to be put too.
  expect(page.frames()).toHaveLength(1)
  await page.evaluate(source)
  const found = await page.evaluate(async (values) => {
    const { axe } = globalThis as WithAxe
    const { violations: all, passes } = await axe.run(document, {
      runOnly: { type: 'tag', values: [...values] },
      resultTypes: ['violations'],
    })
    const problems = all.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, target, failureSummary }) => ({ html, target: target.join(' '), why: failureSummary ?? '' })),
    }))
    return { problems, passed: passes.length }
  }, of)
  // Something was looked at.
  expect(found.passed).toBeGreaterThan(0)
  // Pins stand where their doors are, however close: WCAG 2.5.8 leaves places on a map out, which axe cannot know.
  const isPin = (id: string, html: string) => id === 'target-size' && /class="[^"]*pin/.test(html)
  return found.problems.flatMap(({ id, nodes }) =>
    nodes.filter(({ html }) => !isPin(id, html)).map(({ target, why }) => `${id}: ${target} ${why}`),
  )
}
