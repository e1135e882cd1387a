// The people who work here, with whether they are about.
import type { Institute } from '@soigne/contract/institutes'
import { useList } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import styles from './institute.module.css'

export function Team({ team }: Pick<Institute, 'team'>) {
  const { t } = useTranslation(['institute', 'labels'])
  const list = useList()
  if (team.length === 0) return null
  return (
    <section id="team" aria-labelledby="team-title" className={styles.part}>
      <h2 id="team-title" className="d3">
        {t('institute:team')}
      </h2>
      <ul className={styles.team}>
        {team.map((member) => (
          <li key={member._id}>
            <FaceImage name={member.name} photoUrl={member.imageUrl} size="portrait" />
            <h3 className={`d5 ${styles.member}`}>
              <bdi>{member.name}</bdi>
            </h3>
            {member.title && <p className="small muted">{member.title}</p>}
            {member.languages.length > 0 && (
              <p className="fine muted">{list(member.languages.map((one) => t(`labels:languages.${one}`)))}</p>
            )}
            <StatusChip className={styles.chip} status={member.availability} label={t(`institute:availability.${member.availability}`)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
