/** Lighthouse, mobile, on home, list and salon: the median of five runs. */
import { browserArgs, findBrowser } from '@soigne/e2e/browser'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { type Figure, percentile } from './figure.ts'
import { firstSlug } from './page-scripts.ts'
import type { Product } from './product.ts'

const runs = Number(process.env['LIGHTHOUSE_RUNS'] ?? 5)
const goals = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 } as const

export async function run(product: Product): Promise<Figure[]> {
  const slug = await firstSlug(product.url)
  const pages = { home: '/', institutes: '/institutes?place=Lyon', salon: `/salon/${slug}` }
  const figures: Figure[] = []
  const { executablePath, env } = await findBrowser()
  const chrome = await launch({
    chromePath: executablePath,
    chromeFlags: ['--headless=new', ...browserArgs],
    logLevel: 'silent',
    ...(env && { envVars: env }),
  })
  try {
    for (const [name, path] of Object.entries(pages)) {
      const scores: Record<string, number[]> = {}
      for (let turn = 0; turn < runs; turn++) {
        const result = await lighthouse(`${product.url}${path}`, {
          port: chrome.port,
          logLevel: 'silent',
          onlyCategories: Object.keys(goals),
        })
        for (const [category, { score }] of Object.entries(result?.lhr.categories ?? {})) (scores[category] ??= []).push((score ?? 0) * 100)
        if (turn === 0 && process.env['LIGHTHOUSE_DETAILS']) {
          for (const audit of Object.values(result?.lhr.audits ?? {}))
            if (audit.score !== null && audit.score < 0.9)
              process.stderr.write(`${name}: ${audit.id} ${audit.score} ${audit.displayValue ?? ''}\n`)
        }
      }
      for (const [category, limit] of Object.entries(goals))
        figures.push({
          name: `lighthouse.${name}.${category}`,
          value: percentile(scores[category] ?? [0], 0.5),
          unit: 'score',
          limit,
          atLeast: true,
        })
    }
  } finally {
    chrome.kill()
  }
  return figures
}
