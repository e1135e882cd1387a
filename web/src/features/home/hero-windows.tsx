// Five paper windows, each with the next free time behind it. At night, when fewer are left, a window leads to its
// category instead: a time is only ever shown when it can be booked.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Category } from '@soigne/contract/wire'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { coverAddress } from '#/theme/art/art-address.ts'
import { bookingPath, institutesPath } from '#/paths.ts'
import { dayOf, parseInstant, useTimes } from '#/platform/time.ts'
import { classNames } from '#/ui/class-names.ts'
import styles from './hero-windows.module.css'

type Free = { card: InstituteCard; service: NonNullable<InstituteCard['service']>; startsAt: string }
export type Window = { category: Category; free: Free | null }

/** Every category, those most asked for first. */
const usual: readonly Category[] = [
  'nails',
  'hair',
  'massage',
  'eyebrows',
  'body',
  'skincare',
  'barbering',
  'makeup',
  'tatto',
  'hair-removal',
  'fitness',
  'medical',
  'counseling',
  'fillers',
]
const count = 5

/** Papers that stand well beside each other; the others take what comes. */
const seeds: Partial<Record<Category, string>> = { hair: 'window-4', massage: 'window-9', eyebrows: 'window-3' }

/** The next time of a card when it is still today. */
function timeToday(card: InstituteCard, now: number): Free | null {
  const startsAt = card.nextTimes[0]?.startsAt
  if (!card.service || !startsAt || dayOf(startsAt, card.timeZone) !== dayOf(now, card.timeZone)) return null
  return { card, service: card.service, startsAt }
}

function openWindow(category: Category, cards: readonly InstituteCard[], now: number): Window {
  const card = cards.find((one) => one.categories.includes(category) && timeToday(one, now))
  return { category, free: card ? timeToday(card, now) : null }
}

/** Windows with a time first, those who come first by category, then in the order of their times. */
export function windowsOf(cards: readonly InstituteCard[], now: number): Window[] {
  const all = usual.map((category) => openWindow(category, cards, now))
  const timed = all.filter(({ free }) => free).slice(0, count)
  timed.sort((one, other) => parseInstant(one.free?.startsAt ?? '') - parseInstant(other.free?.startsAt ?? ''))
  return [...timed, ...all.filter(({ free }) => !free)].slice(0, count)
}

export type HeroWindowsProps = { cards: readonly InstituteCard[]; place: string; now: number }

function TimedWindow({ category, free, now }: { category: Category; free: Free; now: number }) {
  const { t } = useTranslation(['home', 'labels'])
  const times = useTimes()
  const { card, service, startsAt } = free
  const time = times.time(startsAt, card.timeZone)
  const day = times.dayOfInstant(startsAt, card.timeZone, 'short', now)
  const name = t(`labels:categories.${category}`)
  return (
    <Link
      to={bookingPath(card.slug, new URLSearchParams({ service: service._id, at: startsAt }))}
      className={styles.link}
      aria-label={t('home:hero.window', { day, time, category: name, service: service.name, name: card.name })}
    >
      <span className={styles.label}>
        <bdi className={styles.time}>{time}</bdi> <span className={styles.category}>{name}</span>
      </span>
    </Link>
  )
}

function CategoryWindow({ category, place }: { category: Category; place: string }) {
  const { t } = useTranslation(['home', 'labels'])
  const name = t(`labels:categories.${category}`)
  return (
    <Link to={institutesPath({ category, place })} className={styles.link}>
      <span className={styles.label}>
        <span className={styles.quiet}>{name}</span> <span className={styles.category}>{t('home:hero.see')}</span>
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
