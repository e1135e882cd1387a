// Name, rating, place, whether it is open, and the quiet facts about whom it is for.
import type { Institute } from '@soigne/contract/institutes'
import type { ReactNode } from 'react'
import { Trans } from '#/platform/marked-text.tsx'
import { useList } from '#/platform/lists.ts'
import { ratingText } from '#/platform/ratings.ts'
import { inLine } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { dayOf, instantText, timeText } from '#/platform/time.ts'
import { Rating } from '#/ui/rating.tsx'
import { Tag } from '#/ui/tag.tsx'
import { hasHours, isAlwaysOpen, todayWeekday } from './institute-facts.ts'
import styles from './institute.module.css'

/** The wall time it opens next on this day, such as 14:00 between two ranges; null when it does not open again today. */
function opensLaterToday({ openingHours, timeZone }: Institute, now: number): string | null {
  const today = openingHours.find(({ weekday }) => weekday === todayWeekday(now, timeZone))
  const clock = timeText(instantText(now), timeZone).padStart(5, '0')
  const next = today?.ranges.find(({ opensAt }) => opensAt.padStart(5, '0') > clock)
  return next?.opensAt ?? null
}

function isClosedAllDay({ closures, timeZone }: Institute, now: number): boolean {
  const day = dayOf(now, timeZone)
  return closures.some(({ fromDay, toDay }) => fromDay <= day && day <= toDay)
}

function OpenState({ institute, now }: { institute: Institute; now: number }) {
  const { t } = useTranslation('institute')
  if (institute.openUntil !== null && isAlwaysOpen(institute)) return <span className={styles.open}>{t('alwaysOpen')}</span>
  if (institute.openUntil !== null) {
    return (
      <span className={styles.open}>
        <Trans ns="institute" i18nKey="openUntil" values={{ time: shortTime(institute.openUntil) }} components={{ time: <bdi /> }} />
      </span>
    )
  }
  const later = isClosedAllDay(institute, now) ? null : opensLaterToday(institute, now)
  return <span className="strong">{later === null ? t('closed') : t('opensAt', { time: shortTime(later) })}</span>
}

/** 9:00 rather than 09:00, as everywhere. */
export function shortTime(time: string): string {
  return time.replace(/^0(?=\d:)/, '').slice(0, 5)
}

/** Whom it is for, and what is spoken. Of a place known from open data only what somebody said. */
function Tags({ institute: { claimed, audience, languages } }: { institute: Institute }) {
  const { t } = useTranslation(['institute', 'labels'])
  const list = useList()
  if (!claimed && audience.includes('All')) return null
  return (
    <ul className={styles.tags} aria-label={t('institute:about')}>
      <li>
        <Tag icon="user">{list(audience.map((one) => t(`labels:audiences.${one}`)))}</Tag>
      </li>
      {claimed && (
        <li>
          <Tag icon="globe">{list(languages.map((one) => t(`labels:languages.${one}`)))}</Tag>
        </li>
      )}
    </ul>
  )
}

/** `level`: 2 where the page has a heading of its own. */
type InstituteHeadingProps = { institute: Institute; now: number; heart?: ReactNode; level?: 1 | 2 }

export function InstituteHeading({ institute, now, heart, level = 1 }: InstituteHeadingProps) {
  const { t, i18n } = useTranslation(['institute', 'labels'])
  const { rating, categories, address, claimed } = institute
  const value = ratingText(rating.average, i18n.language)
  const Heading = level === 1 ? 'h1' : 'h2'
  const place = [address.line, address.quarter ?? address.city].filter(Boolean).join(', ')
  return (
    <header>
      <div className={styles.top}>
        <Heading className={`d1 ${styles.name}`}>
          <span dir="auto">{institute.name}</span>
        </Heading>
        {heart && <div className={styles.beside}>{heart}</div>}
      </div>
      <p className={styles.facts}>
        {rating.count > 0 ? (
          <>
            <Rating value={value} label={t('institute:rating', { value, count: rating.count })} />{' '}
            <a href="#reviews" className={styles.quiet}>
              {t('institute:reviews', { count: rating.count })}
            </a>
          </>
        ) : (
          claimed && <span>{t('institute:noReviews')}</span>
        )}
        {(rating.count > 0 || claimed) && ' · '}
        {inLine(
          categories.slice(0, 2).map((category) => t(`labels:categories.${category}`)),
          i18n.language,
        )}
        {' · '}
        <span dir="auto">{place}</span>
        {hasHours(institute) && (
          <>
            {' · '}
            <OpenState institute={institute} now={now} />
          </>
        )}
      </p>
      <Tags institute={institute} />
      {institute.description && <p className={styles.description}>{institute.description}</p>}
    </header>
  )
}
