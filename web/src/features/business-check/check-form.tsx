// What is sent of a business: its legal name, its number, its VAT number and documents. Whatever goes wrong, nothing that was typed or chosen is lost.
import type { BusinessCheck } from '@soigne/contract/business-check'
import { type RegistrationKind, registrationKindOf, registrationProblem, shownRegistration } from '@soigne/contract/registration-numbers'
import { type FormEvent, useRef, useState } from 'react'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { DocumentPicker } from './document-picker.tsx'
import { type FilledIn, useSending } from './use-check.ts'
import styles from './business-check.module.css'

type FieldName = 'legalName' | 'registrationNumber' | 'vatNumber' | 'documents'
const fieldNames: readonly FieldName[] = ['legalName', 'registrationNumber', 'vatNumber', 'documents']
type Errors = Partial<Record<FieldName, string | undefined>>

/** What was sent last, else what stands on invoices. Documents are chosen anew. */
function beginWith({ open, accepted, onInvoices }: BusinessCheck): FilledIn {
  const before = open ?? accepted
  if (!before)
    return { legalName: onInvoices.legalName ?? '', registrationNumber: '', vatNumber: onInvoices.vatNumber ?? '', documents: [] }
  const { legalName, registrationNumber, vatNumber, countryCode } = before
  const shown = shownRegistration(registrationKindOf(countryCode), registrationNumber)
  return { legalName, registrationNumber: shown, vatNumber: vatNumber ?? '', documents: [] }
}

/** What can be said before anything is sent. */
function useChecking(kind: RegistrationKind): (filled: FilledIn) => Errors {
  const { t } = useTranslation('business-check')
  return ({ legalName, registrationNumber, documents }) => {
    const problem = registrationProblem(kind, registrationNumber)
    return {
      legalName: legalName.trim() === '' ? t('problems.required') : undefined,
      registrationNumber: problem === null ? undefined : t(`problems.${problem === 'too_long:40' ? 'long' : problem}`),
      documents: documents.length === 0 ? t('problems.documents') : undefined,
    }
  }
}

/** By its place, what the server said of a document: `documents.1`. */
function documentErrors(failures: Readonly<Record<string, string>>): Record<number, string> {
  const found = Object.entries(failures).filter(([name]) => name.startsWith('documents.'))
  return Object.fromEntries(found.map(([name, why]) => [Number(name.split('.')[1]), why]))
}

function useForm(check: BusinessCheck, onDone: () => void) {
  const { t } = useTranslation('business-check')
  const kind = registrationKindOf(check.countryCode)
  const errorsOf = useChecking(kind)
  const [filled, setFilled] = useState(() => beginWith(check))
  const [found, setFound] = useState<Errors>({})
  const inputs = useRef<Partial<Record<FieldName, HTMLInputElement | null>>>({})
  const send = useSending(() => {
    showToast({ type: 'success', title: t('form.sent') })
    onDone()
  })
  const failures = fieldFailures(send.error)
  function change(part: Partial<FilledIn>) {
    setFilled((before) => ({ ...before, ...part }))
    setFound((before) => ({ ...before, ...Object.fromEntries(Object.keys(part).map((name) => [name, undefined])) }))
    // What was said of documents by their place is true of these no more.
    if (send.error) send.reset()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (send.isPending) return
    const errors = errorsOf(filled)
    setFound(errors)
    const first = fieldNames.find((name) => errors[name] !== undefined)
    if (first === undefined) send.mutate(filled)
    else inputs.current[first]?.focus()
  }
  const input = (name: FieldName) => (element: HTMLInputElement | null) => {
    inputs.current[name] = element
  }
  return { kind, filled, change, submit, input, send, errorOf: (name: FieldName) => found[name] ?? failures[name], failures }
}

type Form = ReturnType<typeof useForm>

function Details({ form: { kind, filled, change, input, errorOf } }: { form: Form }) {
  const { t } = useTranslation('business-check')
  return (
    <>
      <Field
        ref={input('legalName')}
        autoFocus
        label={t('facts.legalName')}
        hint={t('form.legalNameHint')}
        maxLength={120}
        dir="auto"
        autoComplete="organization"
        value={filled.legalName}
        error={errorOf('legalName')}
        onChange={({ target }) => change({ legalName: target.value })}
      />
      <Field
        ref={input('registrationNumber')}
        label={t(`numbers.${kind}`)}
        hint={t(`hints.${kind}`)}
        maxLength={60}
        dir="ltr"
        autoComplete="off"
        inputMode={kind === 'siret' || kind === 'ice' ? 'numeric' : undefined}
        value={filled.registrationNumber}
        error={errorOf('registrationNumber')}
        onChange={({ target }) => change({ registrationNumber: target.value })}
      />
      <Field
        ref={input('vatNumber')}
        label={t('facts.vatNumber')}
        labelEnd={<span className="small muted">{t('form.optional')}</span>}
        maxLength={40}
        dir="ltr"
        autoComplete="off"
        value={filled.vatNumber}
        error={errorOf('vatNumber')}
        onChange={({ target }) => change({ vatNumber: target.value })}
      />
    </>
  )
}

export function CheckForm({ check, onClose }: { check: BusinessCheck; onClose: () => void }) {
  const { t } = useTranslation('business-check')
  const form = useForm(check, onClose)
  const { filled, change, submit, input, send, errorOf, failures } = form
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Details form={form} />
      <DocumentPicker
        documents={filled.documents}
        errors={documentErrors(failures)}
        error={errorOf('documents')}
        input={input('documents')}
        onChange={(documents) => change({ documents })}
      />
      <p className="small muted">{t('form.note')}</p>
      {send.error && (
        <Notice tone="error" announce>
          {failureText(send.error)}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={send.isPending}>
          {t('form.send')}
        </Button>
        <Button variant="text" onClick={onClose}>
          {t('form.cancel')}
        </Button>
      </div>
    </form>
  )
}
