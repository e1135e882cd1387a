// The method of reviews: who writes, how figures are made, what is answered and reported.
import { useTranslation } from '#/platform/translation.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { paths } from '#/paths.ts'
import { preloadSlopingFace } from '#/theme/fonts.ts'
import styles from './terms-page.module.css'

export const handle = { namespaces: ['reviews-policy'] }

export default function ReviewsPolicyPage() {
  const { t, i18n } = useTranslation('reviews-policy')
  preloadSlopingFace(i18n.language)
  const sections = t('sections', { returnObjects: true })
  return (
    <div className={`page ${styles.single}`}>
      <PageHead title={t('head')} description={t('description')} path={paths.reviewsPolicy} />
      <article className={styles.text}>
        <h1 className={`d1 ${styles.title}`}>
          {t('title.first')} <i>{t('title.second')}</i>
        </h1>
        <p className={`muted ${styles.intro}`}>{t('intro')}</p>
        {sections.map(({ id, title, paragraphs }) => (
          <section key={id} id={id} className={styles.section}>
            <h2 className="d3">{title}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </article>
    </div>
  )
}
