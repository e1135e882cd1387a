// The week with today in bold, closed days ahead, the address and the map.
import type { Institute } from '@soigne/contract/institutes'
import type { ReactNode } from 'react'
import { directionsUrl } from '#/map/directions.ts'
import { telAddress } from '#/platform/phone.ts'
import { useTranslation } from '#/platform/translation.ts'
import { type DayStyle, useTimes } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { hasHours, isAllDay, todayWeekday } from './institute-facts.ts'
import { ListingSources } from './listing-sources.tsx'
import { shortTime } from './institute-heading.tsx'
import styles from './institute.module.css'

function Week({ institute, now }: { institute: Institute; now: number }) {
  const { t } = useTranslation(['institute', 'labels'])
  const today = todayWeekday(now, institute.timeZone)
  return (
    <dl className={styles.week}>
      {institute.openingHours.map(({ weekday, ranges }) => (
        <div key={weekday} className={classNames(styles.day, ranges.length === 0 && 'faint', weekday === today && 'strong')}>
          <dt>
            {t(`labels:weekdays.${weekday}`)}
            {weekday === today && ` · ${t('institute:today')}`}
          </dt>
          <dd className="tabular">
            {ranges.length === 0
              ? t('institute:closedDay')
              : ranges.map(({ opensAt, closesAt }, index) => (
                  <span key={opensAt}>
                    {index > 0 && ', '}
                    {isAllDay({ opensAt, closesAt }) ? (
                      t('institute:allDay')
                    ) : (
                      <bdi>
                        {shortTime(opensAt)}–{shortTime(closesAt)}
                      </bdi>
                    )}
                  </span>
                ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Closures({ institute }: { institute: Institute }) {
  const { t } = useTranslation('institute')
  const times = useTimes()
  if (institute.closures.length === 0) return null
  const day = (one: string, style: DayStyle = 'short') => times.day(one, institute.timeZone, style)
  return (
    <div className={styles.closures}>
      <h3 className="label-heading">{t('closures')}</h3>
      <ul className="small muted">
        {institute.closures.map(({ fromDay, toDay, reason }) => (
          <li key={fromDay}>
            {fromDay === toDay ? day(fromDay) : t('closureSpan', { from: day(fromDay, 'date'), to: day(toDay, 'date') })}
            {/* In the words of the institute, whatever their language. */}
            {reason !== null && (
              <>
                {' · '}
                <bdi>{reason}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** 69004 Lyon, France; a town that is its country is said once. */
function townLine({ postalCode, city, country }: Institute['address']): string {
  const town = [postalCode, city].filter(Boolean).join(' ')
  return city === country ? town : `${town}, ${country}`
}

function AddressAndContact({ institute }: { institute: Institute }) {
  const { t } = useTranslation('institute')
  const { address, phone, website, location } = institute
  return (
    <>
      <p className={styles.address}>
        {address.line !== '' && (
          <>
            <span dir="auto" className={`d4 ${styles.street}`}>
              {address.line}
            </span>
            <br />
          </>
        )}
        <span dir="auto" className="muted">
          {townLine(address)}
        </span>
      </p>
      <p className={styles.contact}>
        <a className={buttonClass({ variant: 'soft' })} href={directionsUrl(location)} target="_blank" rel="noreferrer">
          <Icon name="pin" size={18} />
          {t('directions')}
        </a>
        {phone !== null && (
          <a className={buttonClass({ variant: 'outline' })} href={telAddress(phone)}>
            <Icon name="phone" size={18} />
            <bdi>{phone}</bdi>
          </a>
        )}
        {website !== null && (
          <a className={buttonClass({ variant: 'outline' })} href={website} target="_blank" rel="noreferrer nofollow">
            <Icon name="globe" size={18} />
            {t('website')}
          </a>
        )}
      </p>
    </>
  )
}

export function HoursAndPlace({ institute, now, map }: { institute: Institute; now: number; map: ReactNode }) {
  const { t } = useTranslation('institute')
  const known = hasHours(institute)
  return (
    <section id="hours" aria-labelledby="hours-title" className={styles.part}>
      <h2 id="hours-title" className="d3">
        {t('parts.hours')}
      </h2>
      <div className={styles.hours}>
        <div>
          {known ? (
            <Week institute={institute} now={now} />
          ) : (
            <>
              <AddressAndContact institute={institute} />
              <p className={`muted ${styles.unknown}`}>{t('noHours')}</p>
            </>
          )}
          <Closures institute={institute} />
        </div>
        <div>
          <div className={styles.map}>{map}</div>
          {known && <AddressAndContact institute={institute} />}
          {institute.claimed && <ListingSources sources={institute.sources} />}
        </div>
      </div>
    </section>
  )
}
