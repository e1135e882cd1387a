// The town of an address: what is typed, until a place is chosen from what it may mean.
import type { Place } from '@soigne/contract/places'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api } from '#/platform/api.ts'
import { placeText } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Combobox } from '#/ui/combobox.tsx'

type Point = Pick<Place, 'lat' | 'lon'>
/** An address as it is being typed; `place` once one was chosen. */
export type TypedAddress = { line: string; postalCode: string; city: string; place: Point | null }

export type TownFieldProps = {
  label: string
  typed: TypedAddress
  /** Places close to it come first. */
  near: Point
  statusText: (count: number, loading: boolean) => string
  error: string | undefined
  onChange: (change: Partial<TypedAddress>) => void
}

export function TownField({ label, typed, near, statusText, error, onChange }: TownFieldProps) {
  const { i18n } = useTranslation()
  const asked = useDeferredValue(typed.city.trim())
  const wanted = asked.length > 1 && typed.place === null
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.places(asked, near),
    queryFn: ({ signal }) => api.places({ query: { q: asked, limit: 6, ...near } }, { signal }),
    enabled: wanted,
    staleTime: 300_000,
  })
  return (
    <Combobox
      label={label}
      items={wanted ? (data?.items ?? []) : []}
      itemKey={({ _id }) => _id}
      itemText={({ name }) => name}
      renderItem={(item) => placeText(item, i18n.language)}
      value={typed.city}
      onValueChange={(city) => onChange({ city, place: null })}
      onSelect={({ kind, name, region, lat, lon }) => {
        // A postcode and a quarter are in a town.
        const city = kind === 'town' ? name : (region ?? name)
        onChange({ city, place: { lat, lon }, ...(kind === 'postcode' && { postalCode: name }) })
      }}
      loading={isFetching}
      statusText={statusText}
      error={error}
      inputProps={{ maxLength: 120 }}
    />
  )
}
