// The icon gallery: every category, role and payment icon with its name.
import { categories } from '#/contract/closed-lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { paths } from '#/paths.ts'
import { ServiceIcon } from '#/theme/icons/service-icon.tsx'
import type { ServiceIconName } from '#/theme/icons/service-icons.ts'
import { preloadSlopingFace } from '#/theme/fonts.ts'
import styles from './icons-page.module.css'

export const handle = { namespaces: ['icons', 'labels'] }

type Entry = { name: ServiceIconName; caption: string }

function IconGroup({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <section className={styles.group}>
      <h2 className="d4">{title}</h2>
      <ul className={styles.grid}>
        {entries.map(({ name, caption }) => (
          <li key={name} className={styles.cell}>
            <ServiceIcon name={name} size={48} />
            <span className="strong">{caption}</span>
            <bdi className="small muted">{name}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

export default function IconsPage() {
  const { t, i18n } = useTranslation('icons')
  preloadSlopingFace(i18n.language)
  const { t: label } = useTranslation('labels')
  const people = ['professional', 'client'] as const
  const payment = ['card', 'wallet', 'buy-now-pay-later'] as const
  return (
    <div className="page">
      <PageHead title={t('head')} description={t('description')} path={paths.icons} />
      <h1 className={`d1 ${styles.title}`}>
        {t('title.first')} <i>{t('title.second')}</i>
      </h1>
      <IconGroup title={t('services')} entries={categories.map((name) => ({ name, caption: label(`categories.${name}`) }))} />
      <IconGroup title={t('people')} entries={people.map((name) => ({ name, caption: t(`names.${name}`) }))} />
      <IconGroup title={t('payment')} entries={payment.map((name) => ({ name, caption: t(`names.${name}`) }))} />
    </div>
  )
}
