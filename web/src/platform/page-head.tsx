// Title and description of a page, with the address search engines and shared links should use.
import { useTranslation } from './translation.ts'
import { isLocale, languages, pathIn } from './locale.ts'
import { brand } from './brand.ts'
import { usePageSettings } from './page-settings.ts'

export type PageHeadProps = {
  /** Without the product's name; it is added. */
  title: string
  description?: string
  /** Canonical path with the query that belongs to it; pages without one are not indexed. */
  path?: string
  /** Path of the picture for shared links, 1200 × 630; the product's own when there is none. */
  image?: string
  kind?: 'website' | 'business.business'
}

function SharedLink({ title, description, path, image = '/og/home.png', kind = 'website' }: PageHeadProps & { path: string }) {
  const { publicUrl } = usePageSettings()
  const { i18n } = useTranslation()
  const address = publicUrl + (isLocale(i18n.language) ? pathIn(i18n.language, path) : path)
  return (
    <>
      <link rel="canonical" href={address} />
      {languages.map((locale) => (
        <link key={locale} rel="alternate" hrefLang={locale} href={publicUrl + pathIn(locale, path)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={publicUrl + path} />
      <meta property="og:site_name" content={brand} />
      <meta property="og:type" content={kind} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      <meta property="og:url" content={address} />
      <meta property="og:image" content={publicUrl + image} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

/** React places these in the head, on the server and on every navigation. */
export function PageHead(props: PageHeadProps) {
  const { t } = useTranslation('site')
  const { title, description, path } = props
  return (
    <>
      <title>{title === brand ? `${brand} · ${t('tagline')}` : `${title} · ${brand}`}</title>
      {description && <meta name="description" content={description} />}
      {path === undefined ? <meta name="robots" content="noindex" /> : <SharedLink {...props} path={path} />}
    </>
  )
}
