// The documents that go with a check: chosen, named, taken away again. They are sent with the form, never before.
import { useId, useRef, useState } from 'react'
import { checkDocuments } from '@soigne/contract/registration-numbers'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { FieldError } from '#/ui/field-frame.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import styles from './business-check.module.css'

const accepted = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp']
const megabyte = 1_000_000
/** The same file chosen twice is one. */
const nameOf = ({ name, size, lastModified }: File): string => `${name} ${size} ${lastModified}`

export type DocumentPickerProps = {
  documents: readonly File[]
  onChange: (documents: readonly File[]) => void
  /** What is wrong with a document, by its place. */
  errors: Readonly<Record<number, string>>
  /** What is wrong with all of them. */
  error: string | undefined
  input: (element: HTMLInputElement | null) => void
}

type ChosenProps = Pick<DocumentPickerProps, 'documents' | 'errors'> & { onRemove: (index: number) => void }

function Chosen({ documents, errors, onRemove }: ChosenProps) {
  const { t } = useTranslation('business-check')
  if (documents.length === 0) return null
  return (
    <ul className={styles.documents} aria-label={t('form.documents')}>
      {documents.map((file, index) => (
        <li key={nameOf(file)}>
          <div className={styles.document}>
            <Icon name={file.type === 'application/pdf' ? 'receipt' : 'image'} size={20} />
            <bdi className={styles.name}>{file.name}</bdi>
            <IconButton icon="trash" label={t('form.remove', { name: file.name })} onClick={() => onRemove(index)} />
          </div>
          {errors[index] !== undefined && <FieldError>{errors[index]}</FieldError>}
        </li>
      ))}
    </ul>
  )
}

export function DocumentPicker({ documents, onChange, errors, error, input }: DocumentPickerProps) {
  const { t } = useTranslation('business-check')
  const id = useId()
  const chooser = useRef<HTMLInputElement | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  function problemOf(file: File): string | null {
    if (!accepted.includes(file.type)) return t('form.wrongType', { name: file.name })
    return file.size > checkDocuments.bytes ? t('form.tooLarge', { name: file.name, most: checkDocuments.bytes / megabyte }) : null
  }
  function add(files: readonly File[]) {
    const good = files.filter((file) => problemOf(file) === null)
    const bad = files.map(problemOf).find((one) => one !== null) ?? null
    const known = new Set(documents.map(nameOf))
    const all = [...documents, ...good.filter((file) => !known.has(nameOf(file)))]
    setProblem(all.length > checkDocuments.most ? t('form.tooMany', { most: checkDocuments.most }) : bad)
    onChange(all.slice(0, checkDocuments.most))
  }
  const said = problem ?? error
  return (
    <div className={styles.picker}>
      <p className="strong small">{t('form.documents')}</p>
      <p id={`${id}-hint`} className="small muted">
        {t('form.documentsHint', { most: checkDocuments.most })}
      </p>
      <Chosen
        documents={documents}
        errors={errors}
        onRemove={(index) => {
          setProblem(null)
          onChange(documents.filter((_, place) => place !== index))
          chooser.current?.focus()
        }}
      />
      <label className={`${buttonClass({ variant: 'soft', size: 'small' })} ${styles.add}`}>
        <Icon name="plus" size={18} />
        {t('form.add')}
        <input
          ref={(element) => {
            chooser.current = element
            input(element)
          }}
          type="file"
          multiple
          accept={accepted.join(',')}
          className={styles.file}
          aria-describedby={`${id}-hint`}
          aria-invalid={said ? true : undefined}
          onChange={({ target }) => {
            add([...(target.files ?? [])])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </label>
      <div role="status">{said && <FieldError>{said}</FieldError>}</div>
    </div>
  )
}
