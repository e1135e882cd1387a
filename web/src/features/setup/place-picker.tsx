// The town of the institute, from the gazetteer; its zone comes with it.
import type { Place } from '@soigne/contract/places'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { queryKeys } from '#/query-keys.ts'
import { Combobox } from '#/ui/combobox.tsx'
import type { DraftPlace } from './draft.ts'

export type PlacePickerProps = { place: DraftPlace | null; onChange: (place: DraftPlace | null) => void }

function fullName({ name, region, country }: Place): string {
  return [name, region, country].filter(Boolean).join(', ')
}

export function PlacePicker({ place, onChange }: PlacePickerProps) {
  const { t } = useTranslation('setup')
  const [text, setText] = useState(place?.name ?? '')
  const asked = useDeferredValue(text.trim())
  const wanted = asked.length > 1 && asked !== place?.name
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.places(asked),
    queryFn: ({ signal }) => api.places({ query: { q: asked, limit: 6 } }, { signal }),
    enabled: wanted,
    staleTime: 300_000,
  })
  function type(next: string) {
    setText(next)
    if (next !== place?.name) onChange(null)
  }
  function choose(chosen: Place) {
    const { name, lat, lon, timeZone, countryCode } = chosen
    setText(name)
    onChange({ name, lat, lon, timeZone, countryCode })
  }
  return (
    <Combobox
      label={t('place.town')}
      icon="pin"
      items={wanted ? (data?.items ?? []) : []}
      itemKey={(item) => item._id}
      itemText={(item) => item.name}
      renderItem={fullName}
      value={text}
      onValueChange={type}
      onSelect={choose}
      loading={isFetching}
      statusText={(count, loading) => (loading ? t('place.looking') : t('place.found', { count }))}
      hint={place ? t('place.zone', { zone: place.timeZone.replaceAll('_', ' ') }) : t('place.townHint')}
    />
  )
}
