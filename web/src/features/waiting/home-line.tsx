// A visit at home that is waited for, and where that is; that of a visit that is given back is told there.
import type { HomeAddress } from '@soigne/contract/appointments'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import styles from './waiting.module.css'

export type WaitedHome = Pick<HomeAddress, 'line' | 'city'> & { postalCode?: string | null | undefined }

export function HomeLine({ home }: { home?: WaitedHome | undefined }) {
  const { t } = useTranslation('appointments')
  return (
    <p className={`muted ${styles.home}`}>
      <Icon name="home-visit" size={18} />
      <span className={styles.where}>
        {t('atHome')}
        {home && (
          <>
            {' · '}
            <span dir="auto">{`${home.line}, ${[home.postalCode, home.city].filter(Boolean).join(' ')}`}</span>
          </>
        )}
      </span>
    </p>
  )
}
