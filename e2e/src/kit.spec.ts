/** The kit in a real browser, on a page of its own, and what the build keeps apart for it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import { violations } from './support/axe.ts'
import { expect, test } from './support/journey.ts'

const web = resolve(import.meta.dirname, '../../web')
const trial = join(web, 'src/testing/kit-trial')
const built = join(web, 'build/client/assets')

let files: Map<string, { body: string; type: string }>

test.beforeAll(async () => {
  test.setTimeout(180_000)
  const result = (await build({
    configFile: false,
    root: web,
    logLevel: 'error',
    resolve: { alias: [{ find: /^#\//, replacement: `${web}/src/` }] },
    build: { write: false, modulePreload: false, assetsInlineLimit: 10_000_000, rolldownOptions: { input: join(trial, 'index.html') } },
  })) as Rolldown.RolldownOutput
  files = new Map(
    result.output.map((file) => {
      const body = file.type === 'chunk' ? file.code : String(file.source)
      const type = file.fileName.endsWith('.css') ? 'text/css' : file.fileName.endsWith('.html') ? 'text/html' : 'text/javascript'
      return [`/${file.fileName}`, { body, type }]
    }),
  )
})

async function open(page: Page, lang: string, theme = 'light'): Promise<void> {
  await page.route('http://kit.test/**', (route) => {
    const file = files.get(new URL(route.request().url()).pathname)
    return file ? route.fulfill({ body: file.body, contentType: `${file.type}; charset=utf-8` }) : route.fulfill({ status: 404, body: '' })
  })
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' })
  await page.goto(`http://kit.test/src/testing/kit-trial/index.html?lang=${lang}`)
  await expect(page.getByRole('heading', { name: 'Kit' })).toBeVisible()
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })).toEqual([])
}

/** Everything that is pressed is at least 44 px high, parts of a typed date excepted: they are one field of 48. */
async function expectLargeTargets(page: Page): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"], [role="option"], [role="tab"], td [role="button"]')]
      .filter((one) => one.offsetParent !== null && one.closest('[data-react-aria-top-layer], main, dialog') !== null)
      .filter((one) => one.tabIndex >= 0 || one.getAttribute('role') !== null)
      .filter((one) => one.getBoundingClientRect().height < 44 && getComputedStyle(one).clipPath === 'none' && one.offsetHeight > 1)
      .map((one) => `${one.outerHTML.slice(0, 80)} ${one.offsetHeight}`),
  )
  expect(small).toEqual([])
}

const openings = [
  { name: 'menu', button: 'More', shown: 'menu' },
  { name: 'popover', button: 'Copy hours to', shown: 'dialog' },
  { name: 'calendar', button: /Calendar|Calendrier|تقويم|التقويم/, shown: 'grid' },
] as const

/** Each language in one scheme; `npm run test:looks` looks at every pair. */
const pairs = { en: ['light'], fr: ['dark'], ar: ['light'] }
for (const [lang, themes] of Object.entries(pairs))
  for (const theme of process.env['EVERY_LOOK'] === '1' ? ['light', 'dark'] : themes)
    test(`the kit in ${lang}, ${theme}: axe finds nothing, targets are large, nothing leaves the window`, async ({ page }) => {
      test.setTimeout(180_000)
      await page.setViewportSize({ width: 390, height: 844 })
      await open(page, lang, theme)
      await expectAccessible(page)
      await expectLargeTargets(page)
      for (const { name, button, shown } of openings) {
        await page.getByRole('button', { name: button }).first().click()
        const place = page.getByRole(shown).first()
        await expect(place).toBeVisible()
        const box = await place.boundingBox()
        expect(box && box.x >= 0 && box.x + box.width <= 390, `${name} stands in the window`).toBe(true)
        await expectAccessible(page)
        await expectLargeTargets(page)
        if (process.env['KIT_PICTURES']) await page.screenshot({ path: `${process.env['KIT_PICTURES']}/${lang}-${theme}-${name}.png` })
        await page.keyboard.press('Escape')
        await expect(place).toBeHidden()
      }
      await page.getByRole('combobox').click()
      await page.keyboard.type('i')
      await expect(page.getByRole('option')).toHaveCount(2)
      if (process.env['KIT_PICTURES']) await page.screenshot({ path: `${process.env['KIT_PICTURES']}/${lang}-${theme}-search.png` })
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(page.getByTestId('values')).toContainText('"customer":"Camille Roux"')
    })

test('a menu goes by keyboard, gives focus back, and leaves out what is not possible', async ({ page }) => {
  await open(page, 'en')
  await page.getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('done')).toHaveText('remove')
  await expect(page.getByRole('button', { name: 'More' })).toBeFocused()
})

test('a date is typed part by part, and an Arabic month goes on to the left', async ({ page }) => {
  await open(page, 'en')
  await page.getByRole('spinbutton', { name: /day, Day/ }).click()
  await page.keyboard.type('0512')
  await expect(page.getByTestId('values')).toContainText('"day":"2026-12-05"')
  await open(page, 'ar')
  const hour = await page.getByRole('spinbutton').filter({ hasText: /^16$/ }).boundingBox()
  const minute = await page.getByRole('spinbutton').filter({ hasText: /^40$/ }).boundingBox()
  expect(hour && minute && hour.x < minute.x, '16:40 reads from the left').toBe(true)
  await page.getByRole('button', { name: /تقويم/ }).click()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('values')).toContainText('"day":"2026-11-24"')
})

test('inside a modal dialog of ours the popovers of the kit work, and Escape closes one thing at a time', async ({ page }) => {
  await open(page, 'en')
  await page.getByRole('button', { name: 'Open dialog' }).click()
  const dialog = page.getByRole('dialog', { name: 'Visit' })
  await dialog.getByRole('button', { name: /Calendar/ }).click()
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid')).toBeHidden()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: /Calendar/ }).click()
  if (process.env['KIT_PICTURES']) await page.screenshot({ path: `${process.env['KIT_PICTURES']}/dialog.png` })
  await page.getByRole('button', { name: /27 November 2026/ }).click()
  await expect(dialog.getByTestId('values')).toContainText('"day":"2026-11-27"')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

/** Scripts a page starts with, as the manifest of the build says: its own chunk and what that imports. */
function scriptsOf(manifest: string, route: string): string[] {
  const routes = JSON.parse(manifest.slice(manifest.indexOf('{'), manifest.lastIndexOf('}') + 1)) as {
    entry: { module: string; imports: string[] }
    routes: Record<string, { module: string; imports?: string[] }>
  }
  const { entry, routes: byName } = routes
  const page = byName[route]
  if (!page) throw new Error(`no ${route} in the manifest`)
  return [entry.module, ...entry.imports, page.module, ...(page.imports ?? [])]
}

test('public pages carry no byte of the kit: neither its styles nor its scripts', async () => {
  const own = readFileSync(join(web, 'build/.assets'), 'utf8').split('\n')
  const read = (name: string) => readFileSync(join(built, name), 'utf8')
  const sheets = (start: string) => own.filter((name) => name.startsWith(start) && name.endsWith('.css')).map(read)
  const [dashboard = ''] = sheets('dashboard-')
  const classes = readdirSync(join(web, 'src/kit'))
    .filter((name) => name.endsWith('.module.css'))
    .flatMap((name) => [...readFileSync(join(web, 'src/kit', name), 'utf8').matchAll(/^\.([a-zA-Z]+)/gm)].map(([, word = '']) => word))
  expect(classes.length).toBeGreaterThan(20)
  for (const name of classes) expect(dashboard).toMatch(new RegExp(`\\._${name}_`))
  const states = [...dashboard.matchAll(/\._\w+?_\w{5}_\d+/g)].map(([name]) => name)
  expect(sheets('style-').length).toBeGreaterThan(0)
  for (const sheet of sheets('style-')) {
    for (const name of new Set(states)) expect(sheet).not.toContain(`${name}{`)
    expect(sheet).not.toMatch(/data-focus-visible|data-hovered/)
  }
  const manifest = read(own.find((name) => /^manifest-.*\.js$/.test(name)) ?? '')
  for (const route of ['home', 'institutes', 'institute', 'booking'])
    for (const script of scriptsOf(manifest, route))
      expect(readFileSync(join(web, 'build/client', script), 'utf8'), `${route}: ${script}`).not.toMatch(
        /data-rac|react-aria|data-react-aria/,
      )
})
