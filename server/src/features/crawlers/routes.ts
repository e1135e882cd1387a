/** robots.txt and the sitemaps: an index, one map of the fixed pages, and maps of institutes of 20,000 each. */
import { serverPrefixesKeptOff, sitePages } from '@soigne/contract/site-documents'
import { sitePath } from '@soigne/contract/site-routes'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppContext } from '#/platform/app-context.ts'
import { institutesOfMap, mapCount } from './service.ts'

const pages = sitePages()
const listedPaths = pages.filter(({ crawlers }) => crawlers === 'listed').map(({ path }) => path)
const keptOff = [
  ...serverPrefixesKeptOff.map((prefix) => `/${prefix}/`),
  ...pages.filter(({ crawlers }) => crawlers === 'kept-off').map(({ path }) => path.replaceAll(/:\w+/g, '*')),
]

const xml = (reply: FastifyReply, body: string): FastifyReply =>
  reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', 'public, max-age=600')
    .send(`<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`)
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

export function mountCrawlers(app: FastifyInstance, context: AppContext): void {
  const { db } = context.database.reading
  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(['User-agent: *', ...keptOff.map((path) => `Disallow: ${path}`), `Sitemap: ${context.publicUrl()}/sitemap.xml`, ''].join('\n')),
  )
  app.get('/sitemap.xml', { config: { cost: 'reading' } }, async (_request, reply) => {
    const maps = ['pages', ...Array.from({ length: await mapCount(db) }, (_, index) => `institutes-${index + 1}`)]
    return xml(
      reply,
      `<sitemapindex ${namespace}>${maps.map((name) => `<sitemap><loc>${context.publicUrl()}/sitemap-${name}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
    )
  })
  app.get('/sitemap-pages.xml', async (_request, reply) =>
    xml(
      reply,
      `<urlset ${namespace}>${listedPaths.map((path) => `<url><loc>${context.publicUrl()}${path}</loc></url>`).join('')}</urlset>`,
    ),
  )
  app.get<{ Params: { page: string } }>('/sitemap-institutes-:page.xml', { config: { cost: 'reading' } }, async (request, reply) => {
    const page = /^\d{1,4}$/.test(request.params.page) ? Number(request.params.page) : 0
    const institutes = page > 0 ? await institutesOfMap(db, page) : []
    if (institutes.length === 0) return reply.code(404).send({ code: 'not_found', message: 'No such sitemap.' })
    return xml(
      reply,
      `<urlset ${namespace}>${institutes.map(({ slug, changedAt }) => `<url><loc>${context.publicUrl()}${sitePath('institute', { slug })}</loc><lastmod>${changedAt.slice(0, 10)}</lastmod></url>`).join('')}</urlset>`,
    )
  })
}
