// Renders a page as one complete document: the server hashes its inline scripts before sending it.
import { I18nextProvider } from 'react-i18next'
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router'
import { siteDocuments } from '@soigne/contract/site-documents'
import { siteRouteOf } from '#/current-route.ts'
import { fallbackLocale } from '#/platform/locale.ts'
import { withPatientScripts } from '#/platform/patient-scripts.ts'
import { DocumentResponse, renderedDocument } from '#/platform/rendered-document.ts'
import { serverContext } from '#/platform/server-context.ts'
import { serverTranslator } from '#/platform/server-translator.ts'

export { ApiError } from '#/platform/api-error.ts'
export { serverContext }

function localeOf(context: RouterContextProvider): string {
  try {
    return context.get(serverContext).locale
  } catch {
    return fallbackLocale
  }
}

/** Pages that are read before they are used; those made of forms get their scripts at once. */
function areScriptsPatient({ staticHandlerContext: { matches } }: EntryContext): boolean {
  const route = siteRouteOf(matches.map(({ route: { id } }) => ({ id })))
  return route !== null && siteDocuments[route].scripts === 'after-paint'
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  let answered = status
  const html = await renderedDocument(
    <I18nextProvider i18n={serverTranslator(localeOf(context))}>
      <ServerRouter context={entry} url={request.url} />
    </I18nextProvider>,
    (error) => {
      answered = 500
      console.error(error)
    },
  )
  const isPatient = import.meta.env.PROD && areScriptsPatient(entry)
  const page = html.replace(/^<!DOCTYPE html>/i, '')
  headers.set('content-type', 'text/html; charset=utf-8')
  return new DocumentResponse(`<!DOCTYPE html>${isPatient ? withPatientScripts(page) : page}`, { status: answered, headers })
}
