// Who a client is and how they are reached: the same fields when they are added and when they are changed.
import { type Customer, customerFields } from '@soigne/contract/customers'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import { useContractForm } from '#/kit/form.tsx'
import { languageNames, languages } from '#/platform/locale.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { refusalOf } from './refusal.ts'
import styles from './customers.module.css'

export type PersonFields = z.output<typeof customerFields>
type Typed = z.input<typeof customerFields>

/** As they are stored. */
export const personOf = ({ firstName, lastName, phone, email, locale, birthday, alert, tags }: Customer): Typed => ({
  firstName,
  lastName,
  phone: phone ?? '',
  email: email ?? '',
  locale,
  birthday,
  alert,
  tags,
})

export const nobodyYet: Typed = { firstName: '', lastName: '', phone: '', email: '', locale: null, birthday: null, alert: '', tags: [] }

const emptyIsNull = { setValueAs: (value: unknown) => (value === '' ? null : value) }
const words = (typed: string): string[] =>
  typed
    .split(/[,،]/)
    .map((tag) => tag.trim())
    .filter(Boolean)
const asTags = { setValueAs: (value: unknown) => (typeof value === 'string' ? words(value) : value) }

export type PersonFormProps = {
  before: Typed
  /** Of whom is known: as they are stored by now. */
  storedNow?: () => Promise<Typed>
  /** `changed`: the names of the fields that differ from what is stored. */
  send: (fields: PersonFields, changed: readonly string[]) => Promise<void>
  saveLabel: string
  onLeave: () => void
  /** Above the buttons. */
  children?: ReactNode
}

export function PersonForm({ before, storedNow, send, saveLabel, onLeave, children }: PersonFormProps) {
  const { t } = useTranslation('customers')
  const form = useContractForm(customerFields, { defaultValues: before, storedNow, refusalOf, send })
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      {form.aboveForm.length > 0 && !children && <Notice tone="error" announce title={form.aboveForm.join(' ')} />}
      <div className={styles.pair}>
        <Field label={t('form.firstName')} autoComplete="off" error={errors.firstName?.message} {...form.register('firstName')} />
        <Field label={t('form.lastName')} autoComplete="off" error={errors.lastName?.message} {...form.register('lastName')} />
        <Field
          label={t('form.phone')}
          type="tel"
          dir="ltr"
          autoComplete="off"
          error={errors.phone && t('form.phoneWrong')}
          {...form.register('phone')}
        />
        <Field
          label={t('form.email')}
          type="email"
          dir="ltr"
          autoComplete="off"
          error={errors.email?.message}
          {...form.register('email')}
        />
        <Field label={t('form.birthday')} type="date" error={errors.birthday?.message} {...form.register('birthday', emptyIsNull)} />
        <SelectField
          label={t('form.locale')}
          placeholder={t('form.noLocale')}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          error={errors.locale?.message}
          {...form.register('locale', emptyIsNull)}
        />
      </div>
      <Field label={t('form.alert')} hint={t('form.alertHint')} maxLength={160} error={errors.alert?.message} {...form.register('alert')} />
      <Field label={t('form.tags')} hint={t('form.tagsHint')} error={errors.tags?.message} {...form.register('tags', asTags)} />
      {children}
      <div className={styles.actions}>
        <Button type="submit" loading={isSubmitting}>
          {saveLabel}
        </Button>
        <Button variant="text" onClick={onLeave}>
          {t('form.leave')}
        </Button>
      </div>
    </form>
  )
}
