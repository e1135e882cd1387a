// Above the day: visits that need a new time, and the way to it.
import { ButtonLink } from '#/ui/button.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { paths } from '#/paths.ts'
import { useAnswers } from './use-rearranging.ts'
import styles from './rearranging.module.css'

export function RearrangeBanner() {
  const { t } = useTranslation('rearranging')
  const { data } = useAnswers()
  const [first, ...more] = data?.needed ?? []
  const count = (data?.needed ?? []).reduce((sum, { visits }) => sum + visits, 0)
  if (!first) return null
  return (
    <p role="status" className={styles.banner}>
      <Icon name="warning" size={20} />
      <span className={styles.grow}>
        {first.name !== null && more.length === 0 ? t('banner.of', { count, name: first.name }) : t('banner.all', { count })}
      </span>
      <ButtonLink to={paths.rearranging} variant="outline" size="small">
        {t('banner.action')}
      </ButtonLink>
    </p>
  )
}
