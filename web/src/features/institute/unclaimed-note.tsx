// An institute listed from open data: it takes no bookings here, and the page says where its facts come from.
import type { Institute } from '@soigne/contract/institutes'
import { useTranslation } from '#/platform/translation.ts'
import { institutesPath } from '#/paths.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { ListingSources } from './listing-sources.tsx'

export function UnclaimedNote({ institute }: { institute: Institute }) {
  const { t } = useTranslation('institute')
  const [category] = institute.categories
  return (
    <Notice
      title={t('unclaimed.title')}
      action={
        <ButtonLink
          to={institutesPath({ category, lat: String(institute.location.lat), lon: String(institute.location.lon) })}
          variant="outline"
          size="small"
        >
          {t('unclaimed.others')}
        </ButtonLink>
      }
    >
      <p>{t(institute.phone === null && institute.website === null ? 'unclaimed.text' : 'unclaimed.textWithContact')}</p>
      <p>{t('unclaimed.yours')}</p>
      <ListingSources sources={institute.sources} />
    </Notice>
  )
}
