// The map beside the list. Its code comes only when there is room for it or somebody asks.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { coverOf } from './card-cover.ts'
import { MapCard } from './map-card.tsx'
import { searchPath, type Filters } from '#/search-filters.ts'
import { useHydrated } from '#/ui/use-hydrated.ts'
import styles from './results-map.module.css'

export type Found = Answer<Calls['searchInstitutes']>
type Area = readonly [number, number, number, number]

/** Draws the map; given by the page, which alone knows the feature of maps. */
export type DrawMap = (props: {
  label: string
  area: Area | null
  selected: string | null
  onSelect: (id: string | null) => void
  card: ReactNode
  searchAreaPath: (area: Area) => string
}) => ReactNode

/** Lists stand beside the map from here on. */
const besideQuery = '(min-width: 1024px)'

/** Whether there is room for both; unknown on the server, which then draws neither. */
export function useRoomForMap(): boolean {
  const [room, setRoom] = useState(false)
  useEffect(() => {
    const wide = matchMedia(besideQuery)
    const tell = () => setRoom(wide.matches)
    tell()
    wide.addEventListener('change', tell)
    return () => wide.removeEventListener('change', tell)
  }, [])
  return room
}

export function readArea(text: string | undefined): Area | null {
  const [west, south, east, north] = (text ?? '').split(',').map(Number)
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null
  return [west, south, east, north].every(Number.isFinite) ? [west, south, east, north] : null
}

function areaText(area: Area): string {
  return area.map((degrees) => degrees.toFixed(4)).join(',')
}

export type ResultsMapProps = {
  found: Found
  filters: Filters
  isOpen: boolean
  drawMap: DrawMap
  heartOf?: (card: InstituteCard) => ReactNode
}

export function ResultsMap({ found, filters, isOpen, drawMap, heartOf }: ResultsMapProps) {
  const { t } = useTranslation('institutes')
  const room = useRoomForMap()
  const [selected, setSelected] = useState<string | null>(null)
  const chosen = found.items.find(({ _id }) => _id === selected)
  return (
    <div className={classNames(styles.place, isOpen && styles.open)}>
      {(room || isOpen) && (
        <Suspense>
          {drawMap({
            label: t('map.label'),
            area: readArea(filters.area),
            selected: chosen?._id ?? null,
            onSelect: setSelected,
            card: chosen && <MapCard card={chosen} cover={coverOf(chosen)} onClose={() => setSelected(null)} heart={heartOf?.(chosen)} />,
            // On a phone the map stays open over what it finds.
            searchAreaPath: (area) => `${searchPath(filters, { area: areaText(area), radiusKm: null })}${isOpen ? '&view=map' : ''}`,
          })}
        </Suspense>
      )}
    </div>
  )
}

export type MapToggleProps = { isOpen: boolean; onToggle: () => void }

/** On phones and tablets the map takes the place of the list. */
export function MapToggle({ isOpen, onToggle }: MapToggleProps) {
  const { t } = useTranslation('institutes')
  const hydrated = useHydrated()
  if (!hydrated) return null
  return (
    <button type="button" className={buttonClass({ variant: 'ink' }, styles.toggle)} aria-pressed={isOpen} onClick={onToggle}>
      <Icon name={isOpen ? 'list' : 'map'} />
      {t(isOpen ? 'map.hide' : 'map.show')}
    </button>
  )
}
