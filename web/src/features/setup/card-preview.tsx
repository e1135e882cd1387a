// How clients will see the institute in the list, as far as it is known.
import { pictureOfSize } from '@soigne/contract/files'
import { useTranslation } from '#/platform/translation.ts'
import { CoverImage } from '#/ui/cover-image.tsx'
import type { SetupDraft } from './draft/draft.ts'
import styles from './card-preview.module.css'

export function CardPreview({ draft }: { draft: SetupDraft }) {
  const { t } = useTranslation('setup')
  const { t: label } = useTranslation('labels')
  const [first] = draft.categories
  const facts = [first && label(`categories.${first}`), draft.place?.name].filter(Boolean).join(' · ')
  return (
    <aside className={styles.preview}>
      <p className="small muted">{t('preview.title')}</p>
      <div className={`raised ${styles.card}`}>
        {draft.pictures[0] ? (
          <img className={styles.cover} src={pictureOfSize(draft.pictures[0].url, 640)} alt="" />
        ) : (
          <CoverImage category={first ?? 'hair'} seed={draft._id} ratio="4 / 3.1" />
        )}
        <p className="d5 serif">{draft.name || t('preview.name')}</p>
        <p className="small muted">{facts || t('preview.facts')}</p>
        <div className={styles.slots} aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      </div>
      <p className="small muted">{t('preview.text')}</p>
    </aside>
  )
}
