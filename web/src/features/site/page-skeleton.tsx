// The calm shape shown while it is not known yet whose page this is.
import { useTranslation } from '#/platform/translation.ts'
import { Loading, RowSkeleton, Skeleton } from '#/ui/skeleton.tsx'
import { useOnline } from '#/ui/use-online.ts'
import { loginPath } from '#/paths.ts'
import styles from './page-skeleton.module.css'

export function PageSkeleton() {
  const { t } = useTranslation('site')
  const online = useOnline()
  const shape = (
    <div className={styles.shape}>
      <Skeleton width="min(380px, 70%)" height={44} />
      <Skeleton width="min(280px, 50%)" height={18} />
      <RowSkeleton />
      <RowSkeleton />
      <RowSkeleton />
    </div>
  )
  return (
    <div className="page">
      <Loading loading label={online ? t('loading') : t('offline')} skeleton={shape}>
        {null}
      </Loading>
      <noscript>
        <p className="lede">
          {t('needsScripts')} <a href={loginPath()}>{t('links.login')}</a>
        </p>
      </noscript>
    </div>
  )
}
