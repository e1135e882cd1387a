// The way in for professionals, at the foot of the clients' home page. Guests only.
import { useTranslation } from '#/platform/translation.ts'
import { paths } from '#/paths.ts'
import { brand } from '#/platform/brand.ts'
import { coverAddress } from '#/theme/art/art-address.ts'
import { buttonClass } from '#/ui/button.tsx'
import { Link } from 'react-router'
import styles from './pro-band.module.css'

export function ProBand() {
  const { t } = useTranslation('home')
  return (
    <section className={`section guest-only ${styles.place}`} aria-labelledby="for-pros">
      <div className={styles.band}>
        <div className={styles.words}>
          <h2 className={`d2 ${styles.title}`} id="for-pros">
            {t('band.title')}
          </h2>
          <p className={styles.text}>{t('band.text', { brand })}</p>
          <Link to={paths.homeForProfessionals} className={buttonClass({ size: 'large' }, styles.open)}>
            {t('band.open', { brand })}
          </Link>
        </div>
        <img
          className={`art ${styles.picture}`}
          src={coverAddress({ category: 'makeup', seed: 'window-0', shape: 'wide' })}
          alt=""
          width={640}
          height={300}
          loading="lazy"
          decoding="async"
        />
      </div>
    </section>
  )
}
