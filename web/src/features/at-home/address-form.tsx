// The address of a visit at home: what is wrong with it is said at its field, before any time is shown.
import type { Institute } from '@soigne/contract/institutes'
import { useEffectEvent, useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { AddressFields, type TypedAddress } from '#/address-fields.tsx'
import { Button } from '#/ui/button.tsx'
import { findPlace } from './find-place.ts'
import { isWithinReach, kilometres, type HomeAddressDraft } from './home-address.ts'
import styles from './where-part.module.css'

export type AddressFormProps = { institute: Institute; before: HomeAddressDraft | null; onKeep: (address: HomeAddressDraft) => void }

/** Hears once what was typed into the document before the scripts came; each field in its place. */
function useTypedBefore(onTyped: (values: readonly string[]) => void) {
  const form = useRef<HTMLFormElement>(null)
  const hear = useEffectEvent(() => onTyped([...(form.current?.querySelectorAll('input') ?? [])].map(({ value }) => value)))
  useLayoutEffect(() => hear(), [])
  return form
}

export function AddressForm({ institute, before, onKeep }: AddressFormProps) {
  const { t } = useTranslation('at-home')
  const { location, atHomeRadiusKm = 0 } = institute
  const far = (point: { lat: number; lon: number }) => t('far', { km: Math.ceil(kilometres(location, point)), radius: atHomeRadiusKm })
  const [typed, setTyped] = useState<TypedAddress>(() => ({ line: '', postalCode: '', city: '', ...before, place: before }))
  const [errors, setErrors] = useState<{ line?: string; city?: string }>(() =>
    before && !isWithinReach(institute, before) ? { city: far(before) } : {},
  )
  const [isLooking, setIsLooking] = useState(false)
  const change = (part: Partial<TypedAddress>) => {
    setTyped((now) => ({ ...now, ...part }))
    setErrors({})
  }
  const form = useTypedBefore(([line = '', postalCode = '', city = '']) =>
    setTyped((now) =>
      line === now.line && postalCode === now.postalCode && city === now.city
        ? now
        : { line, postalCode, city, place: city === now.city ? now.place : null },
    ),
  )
  async function check(): Promise<void> {
    const [line, city, postalCode] = [typed.line.trim(), typed.city.trim(), typed.postalCode.trim()]
    if (line === '' || city === '')
      return setErrors({ ...(line === '' && { line: t('required') }), ...(city === '' && { city: t('required') }) })
    const place = typed.place ?? (await findPlace(city, location))
    if (!place) return setErrors({ city: t('unknown') })
    const { lat, lon } = place
    if (!isWithinReach(institute, place)) return setErrors({ city: far(place) })
    onKeep({ line, city, postalCode, lat, lon })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsLooking(true)
    void check()
      .catch((error: unknown) => setErrors({ city: failureText(error) }))
      .finally(() => setIsLooking(false))
  }
  return (
    <form ref={form} noValidate className={styles.form} onSubmit={submit} aria-label={t('home')}>
      <AddressFields
        words={{
          line: t('line'),
          postalCode: t('postalCode'),
          city: t('city'),
          statusText: (count, loading) => (loading ? t('looking') : t('found', { count })),
        }}
        typed={typed}
        near={location}
        errors={errors}
        isOwn
        onChange={change}
      />
      <p className="small muted">{t('hint', { radius: atHomeRadiusKm, name: institute.name })}</p>
      <Button type="submit" variant="outline" loading={isLooking} className={styles.keep}>
        {t('keep')}
      </Button>
    </form>
  )
}
