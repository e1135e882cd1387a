// Among one's visits: what is held for one now, with one tap to take it, and what one waits for.
import type { WaitingEntry } from '@soigne/contract/waiting'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { salonPath } from '#/paths.ts'
import { useList } from '#/platform/lists.ts'
import { dayOf, type DayStyle, parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { priceOfVisit, usePriceText } from '#/prices.ts'
import { Button } from '#/ui/button.tsx'
import { Countdown } from '#/ui/countdown.tsx'
import { useKeptFocus } from '#/ui/use-kept-focus.ts'
import { HomeLine } from './home-line.tsx'
import { hourText, useAnswer, type Waiting } from './use-waiting.ts'
import styles from './waiting.module.css'

type Offer = NonNullable<WaitingEntry['offer']>

function OfferCard({ entry, offer, clockOffset }: { entry: WaitingEntry; offer: Offer; clockOffset: number }) {
  const { t } = useTranslation('appointments')
  const times = useTimes()
  const list = useList()
  const price = usePriceText()
  const { accept, decline, lookAgain } = useAnswer(entry)
  const { timeZone, name } = entry.institute
  const when = (instant: string, style: DayStyle = 'full') => ({
    day: times.dayOfInstant(instant, timeZone, style),
    time: times.time(instant, timeZone),
  })
  return (
    <li className={styles.offer}>
      <p className={styles.only}>
        <span className="strong">{t('waiting.offer.only')}</span>
        <Countdown
          until={parseInstant(offer.until)}
          clockOffset={clockOffset}
          warning={t('waiting.offer.warning')}
          ended={t('waiting.offer.ended')}
          onEnd={() => void lookAgain()}
        />
      </p>
      <h3 className="d3">{t('waiting.when', when(offer.startsAt))}</h3>
      <p>
        {list(offer.segments.map(({ serviceName, staffName }) => t('waiting.with', { service: serviceName, name: staffName })))}
        {' · '}
        <bdi className="tabular">{price(priceOfVisit(offer))}</bdi>
      </p>
      <p className="muted">{name}</p>
      {entry.atHome && <HomeLine home={entry.home} />}
      {entry.visit && <p className="small">{t('waiting.offer.givesBack', when(entry.visit.startsAt, 'within'))}</p>}
      <div className={styles.buttons}>
        <Button size="large" loading={accept.isPending} onClick={() => accept.mutate()}>
          {t('waiting.offer.accept')}
        </Button>
        <Button variant="text" size="large" loading={decline.isPending} disabled={accept.isPending} onClick={() => decline.mutate()}>
          {t('waiting.offer.decline')}
        </Button>
      </div>
    </li>
  )
}

/** Whoever comes by a link of a letter or the bell is brought there. */
function useArrival(isThere: boolean) {
  const { hash } = useLocation()
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isThere && hash === '#waiting') place.current?.scrollIntoView({ block: 'start' })
  }, [isThere, hash])
  return place
}

/** Above the visits: it will not wait. */
export function WaitingOffers({ items, clockOffset }: Waiting) {
  const { t } = useTranslation('appointments')
  const offered = items.filter(({ offer }) => offer !== null)
  const place = useArrival(offered.length > 0)
  const list = useKeptFocus()
  if (offered.length === 0) return null
  return (
    <section aria-label={t('waiting.offer.title')} ref={place} className={styles.offers}>
      <ul ref={list} className={styles.list}>
        {offered.map((entry) => entry.offer && <OfferCard key={entry._id} entry={entry} offer={entry.offer} clockOffset={clockOffset} />)}
      </ul>
    </section>
  )
}

function EntryRow({ entry }: { entry: WaitingEntry }) {
  const { t } = useTranslation(['appointments', 'availability'])
  const times = useTimes()
  const list = useList()
  const { leave } = useAnswer(entry)
  const { institute, services, fromDay, toDay, part, hours, visit } = entry
  const { timeZone } = institute
  const day = (text: string, style: DayStyle = 'within') => times.day(text, timeZone, style)
  const days = fromDay === toDay ? day(fromDay, 'full') : t('appointments:waiting.fromTo', { from: day(fromDay), to: day(toDay) })
  const what = list(
    services.map(({ name, staffName }) => (staffName === null ? name : t('appointments:waiting.with', { service: name, name: staffName }))),
  )
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className="strong">{what}</p>
        <p>
          <Link to={salonPath(institute.slug)} className="link">
            {institute.name}
          </Link>
        </p>
        <p className="muted">
          {[
            days,
            part && t(`availability:parts.${part}`),
            hours && t('appointments:waiting.hours', { from: hourText(hours.from), to: hourText(hours.to) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {entry.atHome && <HomeLine home={entry.home} />}
        {visit && (
          <p className="small muted">
            {t('appointments:waiting.instead', { day: day(dayOf(visit.startsAt, timeZone)), time: times.time(visit.startsAt, timeZone) })}
          </p>
        )}
      </div>
      <Button
        variant="outline"
        size="small"
        loading={leave.isPending}
        aria-label={t('appointments:waiting.removeOf', { what })}
        onClick={() => leave.mutate()}
      >
        {t('appointments:waiting.remove')}
      </Button>
    </li>
  )
}

/** What one waits for without anything being held yet. */
export function WaitingRows({ items }: Waiting) {
  const { t } = useTranslation('appointments')
  const rows = items.filter(({ offer }) => offer === null)
  const place = useArrival(rows.length > 0 && rows.length === items.length)
  const list = useKeptFocus()
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="waiting-title" ref={place} className={styles.section}>
      <h2 id="waiting-title" className="d4">
        {t('waiting.heading')}
      </h2>
      <ul ref={list} className={styles.list}>
        {rows.map((entry) => (
          <EntryRow key={entry._id} entry={entry} />
        ))}
      </ul>
    </section>
  )
}
