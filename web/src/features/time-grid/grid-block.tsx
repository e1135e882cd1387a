// A block of the calendar: a visit, blocked time or a session. Colour, edge or pattern, icon and words, never colour alone.
import { memo, use, type CSSProperties, type ReactNode } from 'react'
import { WaitingVisits } from '#/diary-changes.ts'
import { clock } from '#/platform/dashboard-time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from '#/ui/class-names.ts'
import type { BlockedItem, BreakItem, GridItem, SessionItem, VisitItem } from './grid-model.ts'
import styles from './grid.module.css'

const icons: Record<VisitItem['visit']['status'], IconName> = {
  completed: 'check',
  deposit_paid: 'clock',
  pending: 'more',
  cancelled: 'close',
}

const tones: Record<VisitItem['visit']['status'], string | undefined> = {
  completed: styles.completed,
  deposit_paid: styles.depositPaid,
  pending: styles.pending,
  cancelled: styles.cancelled,
}

/** How far somebody is with their visit, beside what is paid. */
const attendanceIcons: Partial<Record<VisitItem['visit']['attendance'], IconName>> = {
  arrived: 'door',
  in_service: 'scissors',
  done: 'checks',
  no_show: 'block',
}

export function placeStyle({ from, to, lane, lanes }: Pick<GridItem, 'from' | 'to' | 'lane' | 'lanes'>): CSSProperties {
  return { '--from': from, '--length': to - from, '--lane': lane / lanes, '--share': 1 / lanes } as CSSProperties
}

/** Somebody by the name that tells them apart and no more: Camille R. */
export function shortName(name: string): string {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  const last = rest.at(-1)
  return last ? `${first} ${[...last][0] ?? ''}.` : first
}

export type BlockMarks = { isCurrent: boolean; isOpen: boolean; isShort: boolean }

function useVisitWords(item: VisitItem) {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  const { visit } = item
  const isWaiting = use(WaitingVisits).has(visit._id)
  const who = visit.isHeld ? t('held') : visit.customer.name || t('walkIn')
  const state = visit.isHeld ? t('held') : label(`statuses.${visit.status}`)
  const extra = visit.attendance === 'expected' ? '' : `, ${t(`attendance.${visit.attendance}`)}`
  const waits = isWaiting ? `, ${t('waitsForConnection')}` : ''
  return {
    isWaiting,
    who: visit.isHeld || !visit.customer.name ? who : shortName(visit.customer.name),
    spoken: `${who}, ${state}${extra}${waits}`,
  }
}

/** From when to when, running as the page does; where there is little room the end is only spoken. */
export function ClockRange({ from, to, isShort = false }: { from: number; to: number; isShort?: boolean }) {
  return (
    <>
      <bdi>{clock(from)}</bdi>
      <span className={isShort ? 'visually-hidden' : undefined}>
        –<bdi>{clock(to)}</bdi>
      </span>
    </>
  )
}

/** A block is drawn again when something of it is different: an answer read again makes new items of old visits. */
function sameItem(a: GridItem, b: GridItem): boolean {
  return (Object.keys(a) as (keyof GridItem)[]).every((key) => {
    if ((key as string) === 'whole') return 'whole' in a && 'whole' in b && a.whole.from === b.whole.from && a.whole.to === b.whole.to
    return a[key] === b[key]
  })
}

type BlockProps<Item> = { item: Item } & BlockMarks

const sameBlock = <Item extends GridItem>(a: BlockProps<Item>, b: BlockProps<Item>): boolean =>
  a.isCurrent === b.isCurrent && a.isOpen === b.isOpen && a.isShort === b.isShort && sameItem(a.item, b.item)

/** A shorter block is all handle: it is made longer by keys. */
const leastGripMinutes = 15

const VisitBlock = memo(function VisitBlock({ item, isCurrent, isOpen, isShort }: BlockProps<VisitItem>) {
  const words = useVisitWords(item)
  const { visit } = item
  const length = item.to - item.from
  const icon = words.isWaiting ? 'offline' : (attendanceIcons[visit.attendance] ?? icons[visit.status])
  return (
    <li className={styles.place} style={placeStyle(item)}>
      <button
        type="button"
        tabIndex={-1}
        data-key={item.key}
        className={classNames(
          styles.block,
          visit.isHeld ? styles.held : tones[visit.status],
          length < 35 && styles.line,
          length < 15 && styles.tiny,
          isCurrent && styles.current,
          isOpen && styles.open,
          visit.attendance === 'no_show' && styles.missed,
          visit.overbooked !== null && styles.overbooked,
          words.isWaiting && styles.waiting,
        )}
      >
        <span className={styles.top}>
          <span data-time className={styles.time}>
            <ClockRange from={item.from} to={item.to} isShort={isShort} />
          </span>
          {length >= 35 && length < 50 && (
            <span className={styles.whoBeside} aria-hidden="true">
              <bdi>{words.who}</bdi>
            </span>
          )}
          <Icon name={icon} size={15} className={styles.icon} />
        </span>{' '}
        <span className={styles.service}>{item.services}</span>{' '}
        {length >= 50 && !item.isSecondHalf && (
          <span className={styles.who} aria-hidden="true">
            <bdi>{words.who}</bdi>
          </span>
        )}
        <span className="visually-hidden">{words.spoken}</span>
      </button>
      {!item.isSecondHalf && length >= leastGripMinutes && <i className={styles.grip} data-edge={item.key} aria-hidden="true" />}
    </li>
  )
}, sameBlock)

/** Time in which nobody is served: what it is called and what else is said of it; `children`: what it can be held by. */
function Unserved({ item, word, said, children }: { item: BlockedItem | BreakItem; word: string; said?: string; children?: ReactNode }) {
  return (
    <li className={styles.place} style={placeStyle(item)}>
      <button
        type="button"
        tabIndex={-1}
        data-key={item.key}
        className={classNames(styles.block, styles.blocked, item.to - item.from < 25 && styles.line)}
      >
        <span>{word}</span>{' '}
        <span data-time className="visually-hidden">
          <ClockRange from={item.from} to={item.to} />
        </span>
        {said !== undefined && <span className="visually-hidden">{said}</span>}
      </button>
      {children}
    </li>
  )
}

const BlockedBlock = memo(function BlockedBlock({ item }: BlockProps<BlockedItem>) {
  const { t } = useTranslation('diary')
  return (
    <Unserved item={item} word={item.blocked.note || t(`blockedKinds.${item.blocked.kind}`)} said={t('blocked')}>
      <i className={styles.grip} data-edge={item.key} aria-hidden="true" />
    </Unserved>
  )
}, sameBlock)

const SessionBlock = memo(function SessionBlock({ item, isShort }: BlockProps<SessionItem>) {
  const { t } = useTranslation('diary')
  const { session } = item
  const seats = t('seats', { count: session.booked, capacity: session.capacity })
  return (
    <li className={styles.place} style={placeStyle(item)}>
      <button
        type="button"
        tabIndex={-1}
        data-key={item.key}
        className={classNames(styles.block, styles.session, item.to - item.from < 35 && styles.line)}
      >
        <span className={styles.top}>
          <span data-time className={styles.time}>
            <ClockRange from={item.from} to={item.to} isShort={isShort} />
          </span>
          <Icon name="users" size={15} className={styles.icon} />
        </span>{' '}
        <span className={styles.service}>{session.serviceName}</span> <span className={styles.who}>{seats}</span>
      </button>
    </li>
  )
}, sameBlock)

const BreakBlock = memo(function BreakBlock({ item }: BlockProps<BreakItem>) {
  const { t } = useTranslation('diary')
  return <Unserved item={item} word={t('grounds.break')} />
}, sameBlock)

export function Block({ item, ...marks }: { item: GridItem } & BlockMarks) {
  if (item.kind === 'visit') return <VisitBlock item={item} {...marks} />
  if (item.kind === 'break') return <BreakBlock item={item} {...marks} />
  return item.kind === 'blocked' ? <BlockedBlock item={item} {...marks} /> : <SessionBlock item={item} {...marks} />
}
