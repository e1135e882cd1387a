// Renders a page as one complete document: the server hashes its inline scripts before sending it.
import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router'
import { fallbackLocale } from '#/platform/locale.ts'
import { isReadFirst, withPatientScripts } from '#/platform/patient-scripts.ts'
import { serverContext } from '#/platform/server-context.ts'
import { serverTranslator } from '#/platform/server-translator.ts'

export { ApiError } from '#/platform/api-error.ts'
export { serverContext }

const renderLimitMs = 10_000

function localeOf(context: RouterContextProvider): string {
  try {
    return context.get(serverContext).locale
  } catch {
    return fallbackLocale
  }
}

function renderDocument(page: React.ReactNode, fail: (error: unknown) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const sink = new Writable({
      write(part: Buffer, _encoding, done) {
        parts.push(part)
        done()
      },
      final(done) {
        clearTimeout(timer)
        resolve(Buffer.concat(parts).toString())
        done()
      },
    })
    const { pipe, abort } = renderToPipeableStream(page, {
      // Long pages would else come hidden behind their skeleton, to be put in place by a script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => void pipe(sink),
      onShellError: reject,
      onError: fail,
    })
    const timer = setTimeout(() => abort(), renderLimitMs)
  })
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  let answered = status
  const html = await renderDocument(
    <I18nextProvider i18n={serverTranslator(localeOf(context))}>
      <ServerRouter context={entry} url={request.url} />
    </I18nextProvider>,
    (error) => {
      answered = 500
      console.error(error)
    },
  )
  const isPatient = import.meta.env.PROD && isReadFirst(new URL(request.url).pathname)
  const page = html.replace(/^<!DOCTYPE html>/i, '')
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(`<!DOCTYPE html>${isPatient ? withPatientScripts(page) : page}`, { status: answered, headers })
}
