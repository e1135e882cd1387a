// @vitest-environment node
import { lazy, Suspense } from 'react'
import { describe, expect, it } from 'vitest'
import { DocumentResponse, renderedDocument } from './rendered-document.ts'

const never = (error: unknown): never => {
  throw error
}

describe('a rendered document', () => {
  it('has every letter, however its parts were cut', async () => {
    const texts = Array.from({ length: 3000 }, (_, n) => 'é'.repeat(n % 7) + '💇'.repeat(n % 3) + '\uFEFFص' + n)
    texts.splice(1500, 0, 'ج'.repeat(20_000))
    const html = await renderedDocument(
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>,
      never,
    )
    expect(html).toBe(`<ul>${texts.map((text) => `<li>${text}</li>`).join('')}</ul>`)
  })

  it('waits for what comes late, and holds it in its place', async () => {
    const coming = Promise.withResolvers<void>()
    const Late = lazy(async () => {
      await coming.promise
      return { default: () => <b>late</b> }
    })
    const rendering = renderedDocument(
      <p>
        <Suspense fallback="soon">
          <Late />
        </Suspense>
      </p>,
      never,
    )
    coming.resolve()
    const html = await rendering
    expect(html).toContain('<b>late</b>')
    expect(html).not.toContain('soon')
  })

  it('is refused when it cannot be drawn at all', async () => {
    const Broken = (): never => never(new Error('broken'))
    const failures: unknown[] = []
    await expect(renderedDocument(<Broken />, (error) => void failures.push(error))).rejects.toThrow('broken')
    expect(failures).toHaveLength(1)
  })

  it('is answered as it is, with its status and headers', async () => {
    const response = new DocumentResponse('<p>é</p>', { status: 404, headers: { 'content-type': 'text/html' } })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([404, 'text/html', '<p>é</p>'])
  })
})
