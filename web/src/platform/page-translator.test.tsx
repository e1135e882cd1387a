// The browser's translator says what the server's says, so that a page reads the same after its scripts have come.
import { act, render, screen } from '@testing-library/react'
import type { i18n } from 'i18next'
import { Suspense, type ComponentType } from 'react'
import { I18nextProvider, useTranslation as useReactTranslation } from 'react-i18next'
import { describe, expect, it, vi } from 'vitest'
import { Trans } from './marked-text.tsx'
import { pageTranslator, type TextsByNamespace } from './page-translator.ts'
import { serverTranslator } from './server-translator.ts'
import { useTranslation } from './translation.ts'

const files = import.meta.glob<{ default: TextsByNamespace[string] }>('/src/locales/en/*.json', { eager: true })
const namespaces = Object.keys(files).map((path) => path.replace(/.*\/|\.json$/g, ''))

type Say = (key: string, values?: Record<string, unknown>) => unknown
const sayIn = (translator: i18n, namespace: string): Say =>
  (translator.getFixedT as unknown as (language: null, namespace: string) => Say)(null, namespace)

function pathsOf(texts: unknown, path = ''): string[] {
  if (typeof texts === 'string') return [path]
  return Object.entries(texts as object).flatMap(([key, value]) => [
    ...(typeof value === 'object' && path === '' ? [key] : []),
    ...pathsOf(value, path === '' ? key : `${path}.${key}`),
  ])
}

function whole(language: string): i18n {
  const server = serverTranslator(language)
  const carried = Object.fromEntries(namespaces.map((name) => [name, server.getResourceBundle(language, name) as TextsByNamespace[string]]))
  return pageTranslator(language, carried, () => Promise.reject(new Error('nothing is left to fetch')))
}

const nothing = () => new Promise<never>(() => undefined)

describe('the translator of the browser', () => {
  it.each(['en', 'fr', 'ar'])('says every text of %s as the server does, with every plural', (language) => {
    const [server, browser] = [serverTranslator(language), whole(language)]
    let compared = 0
    for (const namespace of namespaces) {
      const [ours, theirs] = [sayIn(browser, namespace), sayIn(server, namespace)]
      for (const path of pathsOf(server.getResourceBundle(language, namespace))) {
        const words = { name: 'Zoé', time: '9:00', day: '', place: 'Lyon', price: '€24', what: '{{name}}', value: 3, returnObjects: true }
        expect(ours(path, words), `${namespace}:${path}`).toEqual(theirs(path, words))
        const plain = path.replace(/_(?:zero|one|two|few|many|other)$/, '')
        if (plain === path) continue
        for (const count of [0, 1, 2, 3, 6, 11, 21, 100, 1_000_000]) {
          expect(ours(plain, { ...words, count }), `${namespace}:${plain} ${count}`).toEqual(theirs(plain, { ...words, count }))
          compared += 1
        }
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  it('says a key of another namespace, and the key itself where there is no text', () => {
    const say = sayIn(pageTranslator('en', { labels: { a: { b: 'Bee' } } }, nothing), 'site')
    expect([say('labels:a.b'), say('labels:a'), say('labels:a.b.c'), say('constructor')]).toEqual(['Bee', 'a', 'a.b.c', 'constructor'])
  })

  it('fetches a namespace once for all who wait, a second time by itself, and again when that failed too', async () => {
    const offline = new Error('offline')
    const load = vi.fn<() => Promise<TextsByNamespace[string]>>().mockRejectedValueOnce(offline).mockRejectedValueOnce(offline)
    load.mockResolvedValue({ hi: 'Hi' })
    const translator = pageTranslator('en', {}, load)
    await expect(Promise.all([translator.loadNamespaces('home'), translator.loadNamespaces(['home'])])).rejects.toThrow('offline')
    expect(load).toHaveBeenCalledTimes(2)
    await translator.loadNamespaces('home')
    await translator.loadNamespaces('home')
    expect(load).toHaveBeenCalledTimes(3)
    expect(sayIn(translator, 'home')('hi')).toBe('Hi')
  })

  it.each([
    ['ours', useTranslation],
    ['that of the kit', useReactTranslation],
  ])('lets a part wait for its texts: the hook is %s', async (_, useTexts) => {
    function Part() {
      const { t } = useTexts('home')
      return <p>{(t as unknown as Say)('hi', { name: 'Ana' }) as string}</p>
    }
    const translator = pageTranslator('en', {}, async () => ({ hi: 'Hi {{name}}' }))
    const { unmount } = await act(async () =>
      render(
        <I18nextProvider i18n={translator}>
          <Suspense fallback="waiting">
            <Part />
          </Suspense>
        </I18nextProvider>,
      ),
    )
    expect(await screen.findByText('Hi Ana')).toBeDefined()
    unmount()
  })
})

describe('a text with marks', () => {
  const Marked = Trans as unknown as ComponentType<{ i18nKey: string }>
  const show = (text: string, props: object) =>
    render(
      <I18nextProvider i18n={pageTranslator('en', { site: { text } }, nothing)}>
        <p>
          <Marked i18nKey="text" {...props} />
        </p>
      </I18nextProvider>,
    ).container.innerHTML

  it('gives them the elements they are named after, within each other too', () => {
    const html = show('At <b>{{time}}<i/> o’clock</b>, {{name}}', {
      values: { time: '9', name: 'Ana' },
      components: { b: <bdi className="x" />, i: <br /> },
    })
    expect(html).toBe('<p>At <bdi class="x">9<br> o’clock</bdi>, Ana</p>')
  })

  it('takes no name for a mark, nor a mark without its end for a reason to lose letters', () => {
    expect(show('Hello {{name}}, <u>bye', { values: { name: '<b>A</b> & {{time}}' }, components: { b: <b /> } })).toBe(
      '<p>Hello &lt;b&gt;A&lt;/b&gt; &amp; {{time}}, bye</p>',
    )
  })
})
