// One service of the menu: its bar, who does it, its price, whether it can be booked, and where it stands.
import type { Menu, MenuService } from '@soigne/contract/services'
import type { DragEvent } from 'react'
import { Link } from 'react-router'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { servicePath } from '#/dashboard-paths.ts'
import { dayText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { usePriceText, type PriceRange } from '#/prices.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { Tag } from '#/ui/tag.tsx'
import { DurationBar } from './duration-bar.tsx'
import { lengthOf, moneyOf, wordIn } from './menu.ts'
import { useServiceChange } from './use-menu.ts'
import styles from './services.module.css'

const mostFaces = 3

export function rangeOf(price: Pick<MenuService, 'priceKind' | 'priceAmount'>, currency: string): PriceRange {
  const least = price.priceKind === 'on_request' ? null : moneyOf(price.priceAmount, currency)
  return { least, most: price.priceKind === 'from' ? null : least }
}

function Faces({ service, team }: { service: MenuService; team: Menu['team'] }) {
  const people = service.performers.flatMap(({ staffId }) => team.find(({ _id }) => _id === staffId) ?? [])
  return (
    <span className={styles.faces} title={people.map(({ name }) => name).join(', ')}>
      {people.slice(0, mostFaces).map(({ _id, name, imageUrl }) => (
        <FaceImage key={_id} name={name} photoUrl={imageUrl} size={30} />
      ))}
      {people.length > mostFaces && <bdi className="fine muted">+{people.length - mostFaces}</bdi>}
      <span className="visually-hidden">{people.map(({ name }) => name).join(', ')}</span>
    </span>
  )
}

function Price({ service, menu }: { service: MenuService; menu: Menu }) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const text = usePriceText()
  const [later] = service.laterPrices
  return (
    <span className={styles.price}>
      <bdi className="strong tabular">{text(rangeOf(service, menu.currency))}</bdi>
      {later && (
        <span className="fine muted">
          {t('fromDay', { price: text(rangeOf(later, menu.currency)), date: dayText(later.fromDay, menu.today, locale) })}
        </span>
      )}
    </span>
  )
}

function BookedSwitch({ service, name }: { service: MenuService; name: string }) {
  const { t } = useTranslation('services')
  const change = useServiceChange()
  const active = change.isPending ? change.variables.to.active === true : service.active
  return (
    <Switch
      label={t('online', { name })}
      labelHidden
      className={styles.switch}
      checked={active}
      disabled={change.isPending}
      onChange={({ target: { checked } }) =>
        change.mutate({ service, to: { active: checked }, said: t(checked ? 'switchedOn' : 'switchedOff', { name }) })
      }
    />
  )
}

export type RowMoves = {
  /** Its place in the group, and of how many. */
  place: number
  count: number
  moveTo: (place: number) => void
  onDragStart: (event: DragEvent) => void
  /** Another one is over it; `prevent` says that it may be put here. */
  onOver: (prevent: () => void) => void
  onDrop: () => void
  onDragEnd: () => void
  isDragged: boolean
  isTarget: boolean
}

/** A row is no control: what is dropped on it is heard by the element itself. */
function takeDrops(row: HTMLElement | null, { onOver, onDrop }: RowMoves) {
  if (!row) return
  const listening = new AbortController()
  row.addEventListener('dragover', (event) => onOver(() => event.preventDefault()), listening)
  row.addEventListener(
    'drop',
    (event) => {
      event.preventDefault()
      onDrop()
    },
    listening,
  )
  return () => listening.abort()
}

export type MenuRowProps = { menu: Menu; service: MenuService; moves: RowMoves; onRemove: () => void; onEdit: () => void }

export function MenuRow({ menu, service, moves, onRemove, onEdit }: MenuRowProps) {
  const { t } = useTranslation('services')
  const times = useTimes()
  const name = wordIn(service.name, times.locale)
  const { place, count, moveTo, isDragged, isTarget } = moves
  return (
    <li
      className={classNames(styles.row, !service.active && styles.off, isDragged && styles.dragged, isTarget && styles.target)}
      ref={(row) => takeDrops(row, moves)}
    >
      <span className={styles.grip} draggable aria-hidden="true" onDragStart={moves.onDragStart} onDragEnd={moves.onDragEnd}>
        <Icon name="drag" size={18} />
      </span>
      <Link to={servicePath(service._id)} className={styles.what} preventScrollReset>
        <span className={`strong ${styles.name}`}>
          <bdi>{name}</bdi>
          {service.isSignature && <Tag>{t('signature')}</Tag>}
        </span>
        <span className={`small muted ${styles.about}`}>{wordIn(service.description, times.locale)}</span>
      </Link>
      <DurationBar {...service} />
      <span className={`small muted tabular ${styles.length}`}>{times.duration(lengthOf(service))}</span>
      <Faces service={service} team={menu.team} />
      <Price service={service} menu={menu} />
      <BookedSwitch service={service} name={name} />
      <span className={styles.menu}>
        <ActionMenu
          label={t('actions', { name })}
          labelHidden
          icon="more"
          actions={[
            { id: 'edit', label: t('edit'), icon: 'edit', onAction: onEdit },
            { id: 'up', label: t('up'), disabled: place === 0, onAction: () => moveTo(place - 1) },
            { id: 'down', label: t('down'), disabled: place === count - 1, onAction: () => moveTo(place + 1) },
            { id: 'remove', label: t('remove'), icon: 'archive', danger: true, onAction: onRemove },
          ]}
        />
      </span>
    </li>
  )
}
