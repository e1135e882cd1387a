// The people who work here, with whether they are about.
import type { Institute } from '@soigne/contract/institutes'
import { useTranslation } from '#/platform/translation.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import styles from './institute.module.css'

export function Team({ team }: Pick<Institute, 'team'>) {
  const { t } = useTranslation(['institute', 'labels'])
  if (team.length === 0) return null
  return (
    <section id="team" aria-labelledby="team-title" className={styles.part}>
      <h2 id="team-title" className="d3">
        {t('institute:team')}
      </h2>
      <ul className={styles.team}>
        {team.map((member) => (
          <li key={member._id}>
            <FaceImage
              seed={member._id}
              photoUrl={member.imageUrl}
              size="portrait"
              className={member.imageUrl.startsWith('/art/') ? 'art' : undefined}
            />
            <h3 className={`d5 ${styles.member}`}>
              <bdi>{member.name}</bdi>
            </h3>
            {member.title && <p className="small muted">{member.title}</p>}
            {member.languages.length > 0 && (
              <p className="fine muted">{member.languages.map((one) => t(`labels:languages.${one}`)).join(', ')}</p>
            )}
            <StatusChip className={styles.chip} status={member.availability} label={t(`institute:availability.${member.availability}`)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
