// The four questions a visit is rated by. Figures stand here only when they are somebody's real ones.
import { ratingText } from '#/platform/ratings.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { salonPath } from '#/paths.ts'
import { roomAddress } from '#/theme/art/art-address.ts'
import { RatingBar } from '#/ui/rating.tsx'
import styles from './grades-panel.module.css'

export const gradeNames = ['welcoming', 'hygiene', 'atmosphere', 'serviceQuality'] as const
export type GradeName = (typeof gradeNames)[number]
/** The four averages of one institute. */
export type RealGrades = { name: string; slug: string } & Record<GradeName, number>

function Figures({ grades }: { grades: RealGrades }) {
  const { t, i18n } = useTranslation('home')
  return (
    <>
      <div className={styles.rows}>
        {gradeNames.map((name) => (
          <RatingBar key={name} label={t(`grades.${name}`)} value={ratingText(grades[name], i18n.language)} share={grades[name] / 5} />
        ))}
      </div>
      <p className={`fine muted ${styles.source}`}>
        <Link to={salonPath(grades.slug)} className={styles.sourceLink}>
          {t('grades.of', { name: grades.name })}
        </Link>
      </p>
    </>
  )
}

function Questions() {
  const { t } = useTranslation('home')
  return (
    <dl className={styles.rows}>
      {gradeNames.map((name) => (
        <div key={name} className={styles.question}>
          <dt className="medium">{t(`grades.${name}`)}</dt>
          <dd className="muted">{t(`grades.${name}Ask`)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function GradesPanel({ grades }: { grades: RealGrades | null }) {
  const { t } = useTranslation('home')
  return (
    <section className={`page section ${styles.panel}`} aria-labelledby="grades">
      <img
        className={`art ${styles.room}`}
        src={roomAddress('hair', 'grades', 0)}
        alt=""
        width={400}
        height={320}
        loading="lazy"
        decoding="async"
      />
      <div>
        <h2 className="d2" id="grades">
          {t('grades.first')}
          <br />
          {t('grades.second')}
        </h2>
        <p className={`muted ${styles.text}`}>{t('grades.text')}</p>
        {grades ? <Figures grades={grades} /> : <Questions />}
      </div>
    </section>
  )
}
