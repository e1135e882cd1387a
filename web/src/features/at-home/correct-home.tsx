// The address of one's own visit is put right where it stands.
import type { Appointment, HomeAddress } from '@soigne/contract/appointments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { AddressFields, type TypedAddress } from '#/address-fields.tsx'
import { api } from '#/platform/api.ts'
import { failureText, fieldFailures, refusalCode } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { homePart, isSameAddress, typedOf } from '#/typed-address.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { findPlace } from './find-place.ts'
import styles from './where-part.module.css'

export type CorrectHomeProps = {
  appointment: Appointment
  home: HomeAddress
  /** Whom to ring once it is too late. */
  phone: ReactNode
}

function useCorrection({ appointment: { _id: id, institute }, onDone }: Pick<CorrectHomeProps, 'appointment'> & { onDone: () => void }) {
  const { t } = useTranslation('at-home')
  const queries = useQueryClient()
  const keys = useRef(new Map<string, string>())
  return useMutation({
    async mutationFn(address: TypedAddress) {
      const place = address.place ?? (await findPlace(address.city.trim(), institute.location))
      const body = { home: homePart({ ...address, place }) }
      const wish = JSON.stringify(body)
      // Asked again after a broken line, it is still the same wish.
      const idempotencyKey = keys.current.get(wish) ?? crypto.randomUUID()
      keys.current.set(wish, idempotencyKey)
      return api.correctHome({ params: { id }, body, idempotencyKey })
    },
    onSuccess(answer, address) {
      const { line, city, postalCode } = homePart(address)
      // Where it is, no answer repeats.
      const home = { line, city, postalCode: postalCode ?? null }
      queries.setQueryData<Appointment>(queryKeys.appointment(id), { ...answer, home })
      showToast({ type: 'success', title: t('correct.done'), line: t('correct.doneLine', { name: institute.name }) })
      onDone()
    },
  })
}

/** What is wrong with a field is said there; everything else below. */
function failuresOf(error: Error | null) {
  const fields = fieldFailures(error)
  const isFar = refusalCode(error) === 'outside_radius'
  const atFields = { line: fields['home.line'], city: isFar ? failureText(error) : fields['home.city'] }
  return { atFields, other: error !== null && !atFields.line && !atFields.city ? error : null }
}

function CorrectForm({ appointment, home, phone, onClose }: CorrectHomeProps & { onClose: () => void }) {
  const { t } = useTranslation('at-home')
  const [typed, setTyped] = useState(() => typedOf(home))
  const [missing, setMissing] = useState<{ line?: string; city?: string }>({})
  const correct = useCorrection({ appointment, onDone: onClose })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const { atFields, other } = failuresOf(correct.error)
  function submit(event: FormEvent): void {
    event.preventDefault()
    const wrong = { ...(typed.line.trim() === '' && { line: t('required') }), ...(typed.city.trim() === '' && { city: t('required') }) }
    setMissing(wrong)
    if (Object.keys(wrong).length > 0) return
    if (isSameAddress(typed, home)) return onClose()
    correct.mutate(typed)
  }
  return (
    <form ref={form} noValidate className={`${styles.form} ${styles.correct}`} onSubmit={submit} aria-label={t('correct.title')}>
      <AddressFields
        words={{
          line: t('line'),
          postalCode: t('postalCode'),
          city: t('city'),
          statusText: (count, loading) => (loading ? t('looking') : t('found', { count })),
        }}
        typed={typed}
        near={appointment.institute.location}
        errors={{ line: missing.line ?? atFields.line, city: missing.city ?? atFields.city }}
        isOwn
        onChange={(change) => {
          setTyped((now) => ({ ...now, ...change }))
          setMissing({})
          correct.reset()
        }}
      />
      <p className="small muted">{t('correct.hint')}</p>
      {other && (
        <Notice tone="error" announce>
          <p>{failureText(other)}</p>
          {refusalCode(other) === 'too_late' && phone}
        </Notice>
      )}
      <p className={styles.steps}>
        <Button type="submit" loading={correct.isPending}>
          {t('correct.save')}
        </Button>
        <Button variant="outline" onClick={onClose}>
          {t('correct.keep')}
        </Button>
      </p>
    </form>
  )
}

export function CorrectHome(props: CorrectHomeProps) {
  const { t } = useTranslation('at-home')
  const [isOpen, setIsOpen] = useState(false)
  const [hasClosed, setHasClosed] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (hasClosed && !isOpen) button.current?.focus()
  }, [hasClosed, isOpen])
  if (isOpen)
    return (
      <CorrectForm
        {...props}
        onClose={() => {
          setIsOpen(false)
          setHasClosed(true)
        }}
      />
    )
  return (
    <Button ref={button} variant="outline" size="small" icon="edit" onClick={() => setIsOpen(true)}>
      {t('correct.action')}
    </Button>
  )
}
