// Five paper windows, each with the next free time behind it. At night, when fewer are left, a window leads to its
// category instead: a time is only ever shown when it can be booked.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Category } from '@soigne/contract/wire'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { coverAddress } from '#/theme/art/art-address.ts'
import { bookingPath, institutesPath } from '#/paths.ts'
import { dayOf, useTimes } from '#/platform/time.ts'
import { classNames } from '#/ui/class-names.ts'
import styles from './hero-windows.module.css'

type Free = { card: InstituteCard; service: NonNullable<InstituteCard['service']>; startsAt: string }
export type Window = { category: Category; free: Free | null }

const usual: readonly Category[] = ['nails', 'hair', 'massage', 'eyebrows', 'body', 'skincare', 'barbering', 'makeup']
const count = 5

/** Papers that stand well beside each other; the others take what comes. */
const seeds: Partial<Record<Category, string>> = { hair: 'window-4', massage: 'window-9', eyebrows: 'window-3' }

/** The next time of a card when it is still today. */
function timeToday(card: InstituteCard, now: number): Free | null {
  const startsAt = card.nextTimes[0]?.startsAt
  if (!card.service || !startsAt || dayOf(startsAt, card.timeZone) !== dayOf(now, card.timeZone)) return null
  return { card, service: card.service, startsAt }
}

/** One institute for each category, the soonest first; usual categories fill what is left. */
export function windowsOf(cards: readonly InstituteCard[], now: number): Window[] {
  const windows: Window[] = []
  const has = (category: Category) => windows.some((window) => window.category === category)
  for (const card of cards) {
    const free = timeToday(card, now)
    const category = card.categories.find((one) => !has(one))
    if (free && category && windows.length < count) windows.push({ category, free })
  }
  windows.sort((one, other) => Date.parse(one.free?.startsAt ?? '') - Date.parse(other.free?.startsAt ?? ''))
  for (const category of usual) {
    if (windows.length < count && !has(category)) windows.push({ category, free: null })
  }
  return windows
}

export type HeroWindowsProps = { cards: readonly InstituteCard[]; place: string; now: number }

function TimedWindow({ category, free, now }: { category: Category; free: Free; now: number }) {
  const { t } = useTranslation(['home', 'words'])
  const times = useTimes()
  const { card, service, startsAt } = free
  const time = times.time(startsAt, card.timeZone)
  const day = times.dayOfInstant(startsAt, card.timeZone, 'short', now)
  const name = t(`words:categories.${category}`)
  return (
    <Link
      to={bookingPath(card.slug, new URLSearchParams({ service: service._id, at: startsAt }))}
      className={styles.link}
      aria-label={t('home:hero.window', { day, time, category: name, service: service.name, name: card.name })}
    >
      <span className={styles.label}>
        <bdi className={styles.time}>{time}</bdi>
        <span className={styles.category}>{name}</span>
      </span>
    </Link>
  )
}

function CategoryWindow({ category, place }: { category: Category; place: string }) {
  const { t } = useTranslation(['home', 'words'])
  const name = t(`words:categories.${category}`)
  return (
    <Link
      to={institutesPath({ category, place })}
      className={styles.link}
      aria-label={t('home:hero.windowCategory', { category: name, place })}
    >
      <span className={styles.label}>
        <span className={styles.quiet}>{name}</span>
        <span className={styles.category}>{t('home:hero.see')}</span>
      </span>
    </Link>
  )
}

export function HeroWindows({ cards, place, now }: HeroWindowsProps) {
  const { t } = useTranslation('home')
  return (
    <ul className={styles.windows} aria-label={t('hero.windows', { place })}>
      {windowsOf(cards, now).map(({ category, free }, index) => (
        <li key={category} className={classNames(styles.window, index % 2 === 0 && styles.arch)}>
          <img
            className={`art ${styles.picture}`}
            src={coverAddress({ category, seed: seeds[category] ?? 'window-0', shape: 'panel' })}
            alt=""
            width={260}
            height={620}
            decoding="async"
          />
          {free ? <TimedWindow category={category} free={free} now={now} /> : <CategoryWindow category={category} place={place} />}
        </li>
      ))}
    </ul>
  )
}
