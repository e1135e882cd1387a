// Five paper windows, each with the next free time behind it. At night, when fewer are left, a window leads to its
// category instead: a time is only ever shown when it can be booked.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Category } from '@soigne/contract/wire'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { coverSheet } from '#/theme/art/art-address.ts'
import { inLine } from '#/platform/lists.ts'
import { bookingPath, institutesPath } from '#/paths.ts'
import { priceBetween, usePriceText } from '#/prices.ts'
import { parseInstant, useTimes } from '#/platform/time.ts'
import { classNames } from '#/ui/class-names.ts'
import styles from './hero-windows.module.css'

type HomeAnswer = Answer<Calls['home']>
type Free = HomeAnswer['windows'][number]
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

/** Windows with a time first, those who come first by category, then in the order of their times. */
export function windowsOf(windows: readonly Free[]): Window[] {
  const all = usual.map((category): Window => ({ category, free: windows.find((one) => one.category === category) ?? null }))
  const timed = all.filter(({ free }) => free).slice(0, count)
  timed.sort((one, other) => parseInstant(one.free?.startsAt ?? '') - parseInstant(other.free?.startsAt ?? ''))
  return [...timed, ...all.filter(({ free }) => !free)].slice(0, count)
}

export type HeroWindowsProps = { windows: readonly Free[]; place: string; now: number }

function TimedWindow({ free, now }: { free: Free; now: number }) {
  const { t, i18n } = useTranslation(['home', 'labels'])
  const times = useTimes()
  const priceText = usePriceText()
  const { category, institute, service, startsAt, timeZone } = free
  const time = times.time(startsAt, timeZone)
  const day = times.dayOfInstant(startsAt, timeZone, 'short', now)
  const name = t(`labels:categories.${category}`)
  const price = priceText(priceBetween(service.price, service.priceTo))
  return (
    <Link to={bookingPath(institute.slug, new URLSearchParams({ service: service._id, at: startsAt }))} className={styles.link}>
      <span className={styles.label}>
        <bdi className={styles.time}>{time}</bdi> <span className={styles.category}>{name}</span>{' '}
        <span className={styles.service}>
          {service.name} · <bdi>{price}</bdi>
          <span className="visually-hidden">{inLine(['', t('home:hero.window', { day, name: institute.name })], i18n.language)}</span>
        </span>
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

export function HeroWindows({ windows, place, now }: HeroWindowsProps) {
  const { t } = useTranslation('home')
  const shown = windowsOf(windows)
  const pictures = coverSheet(
    shown.map(({ category }) => ({ category, seed: seeds[category] ?? 'window-0' })),
    'panel',
  )
  return (
    <ul className={styles.windows} aria-label={t('hero.windows', { place })}>
      {shown.map(({ category, free }, index) => (
        <li key={category} className={classNames(styles.window, index % 2 === 0 && styles.arch)}>
          <img className={`art ${styles.picture}`} src={pictures[index]} alt="" width={260} height={620} decoding="async" />
          {free ? <TimedWindow free={free} now={now} /> : <CategoryWindow category={category} place={place} />}
        </li>
      ))}
    </ul>
  )
}
