// Renders a page as one complete document: the server hashes its inline scripts before sending it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { I18nextProvider } from 'react-i18next'
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router'
import { onFormatted, withFormatted } from '#/platform/formatted.ts'
import { fallbackLocale } from '#/platform/locale.ts'
import { DocumentResponse, renderedDocument } from '#/platform/rendered-document.ts'
import { serverContext } from '#/platform/server-context.ts'
import { serverTranslator } from '#/platform/server-translator.ts'

export { ApiError } from '#/platform/api-error.ts'
export { serverContext }

/** Texts of the document that is being made; several may be at once. */
const texts = new AsyncLocalStorage<Map<string, string>>()
onFormatted((key, text) => texts.getStore()?.set(key, text))

function localeOf(context: RouterContextProvider): string {
  try {
    return context.get(serverContext).locale
  } catch {
    return fallbackLocale
  }
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  let answered = status
  const written = new Map<string, string>()
  const html = await texts.run(written, () =>
    renderedDocument(
      <I18nextProvider i18n={serverTranslator(localeOf(context))}>
        <ServerRouter context={entry} url={request.url} />
      </I18nextProvider>,
      (error) => {
        answered = 500
        console.error(error)
      },
    ),
  )
  const page = withFormatted(html.replace(/^<!DOCTYPE html>/i, ''), written)
  headers.set('content-type', 'text/html; charset=utf-8')
  return new DocumentResponse(`<!DOCTYPE html>${page}`, { status: answered, headers })
}
