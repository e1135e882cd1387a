// The page of an institute made from its draft: the very parts that clients see, of which nothing can be pressed.
import { Gallery } from '#/features/institute/gallery.tsx'
import { HoursAndPlace } from '#/features/institute/hours-and-place.tsx'
import { InstituteHeading } from '#/features/institute/institute-heading.tsx'
import { ServiceMenu } from '#/features/institute/service-menu.tsx'
import { Team } from '#/features/institute/team.tsx'
import type { SetupDraft } from '#/features/setup/draft/draft.ts'
import { PlaceMap } from '#/map/place-map.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { instituteOfDraft } from './institute-of-draft.ts'
import styles from './salon-preview.module.css'

const none: ReadonlySet<string> = new Set()

export function SalonPreview({ draft, now }: { draft: SetupDraft; now: number }) {
  const { t, i18n } = useTranslation('setup')
  const institute = instituteOfDraft(draft, { locale: i18n.language, t })
  const { _id, name, location, address } = institute
  return (
    <section aria-label={t('review.preview')} className={`raised ${styles.frame}`}>
      <p className={styles.bar}>{t('review.preview')}</p>
      <div className={styles.page} inert>
        <Gallery institute={institute} />
        <InstituteHeading institute={institute} now={now} />
        <ServiceMenu institute={institute} chosen={none} togglePath={() => '#'} />
        <Team team={institute.team} />
        <HoursAndPlace
          institute={institute}
          now={now}
          map={draft.place && <PlaceMap id={_id} name={name} location={location} quarter={address.quarter} city={address.city} />}
        />
      </div>
    </section>
  )
}
