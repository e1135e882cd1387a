// The fields of an address: street, postcode and town. What is typed as the town stays so until a place is chosen from what it may mean.
import type { Place } from '@soigne/contract/places'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api } from '#/platform/api.ts'
import { placeText } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Combobox } from '#/ui/combobox.tsx'
import { Field } from '#/ui/field.tsx'
import styles from './address-fields.module.css'

type Point = Pick<Place, 'lat' | 'lon'>
/** An address as it is being typed; `place` once one was chosen. */
export type TypedAddress = { line: string; postalCode: string; city: string; place: Point | null }

/** In the words of the page. */
type Words = { line: string; postalCode: string; city: string; statusText: (count: number, loading: boolean) => string }

export type AddressFieldsProps = {
  words: Words
  typed: TypedAddress
  /** Places close to it come first, once it is known. */
  near: Point | undefined
  errors: { line?: string | undefined; city?: string | undefined }
  /** Whether the browser may fill in where its own user lives. */
  isOwn: boolean
  onChange: (change: Partial<TypedAddress>) => void
}

function TownField({ words, typed, near, errors, onChange }: Omit<AddressFieldsProps, 'isOwn'>) {
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
      label={words.city}
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
      statusText={words.statusText}
      error={errors.city}
      side="end"
      inputProps={{ maxLength: 120 }}
    />
  )
}

export function AddressFields({ isOwn, ...props }: AddressFieldsProps) {
  const { words, typed, errors, onChange } = props
  return (
    <>
      <Field
        label={words.line}
        autoComplete={isOwn ? 'street-address' : 'off'}
        maxLength={200}
        dir="auto"
        error={errors.line}
        value={typed.line}
        onChange={({ target }) => onChange({ line: target.value })}
      />
      <div className={styles.town}>
        <Field
          label={words.postalCode}
          autoComplete={isOwn ? 'postal-code' : 'off'}
          maxLength={20}
          value={typed.postalCode}
          onChange={({ target }) => onChange({ postalCode: target.value })}
        />
        <TownField {...props} />
      </div>
    </>
  )
}
