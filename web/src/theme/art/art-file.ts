// Serves the cut-paper pictures as files. A picture never changes under its address, so it is kept for a year.
import type { LoaderFunctionArgs } from 'react-router'
import { artDocument } from './art-document.ts'

export function loader({ request }: LoaderFunctionArgs): Response {
  const { pathname, search } = new URL(request.url)
  const picture = artDocument(pathname + search)
  if (picture === undefined) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
  return new Response(picture, {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  })
}
