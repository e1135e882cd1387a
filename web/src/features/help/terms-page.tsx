// Terms and Conditions.
import { useTranslation } from '#/platform/translation.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { paths } from '#/paths.ts'
import { preloadSlopingFace } from '#/theme/fonts.ts'
import styles from './terms-page.module.css'

export const handle = { namespaces: ['terms'] }

export default function TermsPage() {
  const { t, i18n } = useTranslation('terms')
  preloadSlopingFace(i18n.language)
  const sections = t('sections', { returnObjects: true })
  return (
    <div className={`page ${styles.columns}`}>
      <PageHead title={t('head')} description={t('description')} path={paths.terms} />
      <nav className={styles.contents} aria-label={t('contents')}>
        <p className="small muted">{t('contents')}</p>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <article className={styles.text}>
        <h1 className={`d1 ${styles.title}`}>
          {t('title.first')} <i>{t('title.second')}</i>
        </h1>
        <p className="muted">{t('since')}</p>
        <div className={styles.short}>
          <h2 className="label-heading">{t('shortTitle')}</h2>
          <p>{t('short')}</p>
        </div>
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
