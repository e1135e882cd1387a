// Pictures that go with a review: chosen, seen, taken away again. They are sent with the form, never before.
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { reviewPictureBytes, reviewPicturesMost } from '#/contract/limits.ts'
import { useTranslation } from '#/platform/translation.ts'
import { buttonClass } from '#/ui/button.tsx'
import { FieldError } from '#/ui/field-frame.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import styles from './review-form.module.css'

const accepted = ['image/jpeg', 'image/png', 'image/webp']
const megabyte = 1_000_000
/** The same file chosen twice is one. */
const nameOf = ({ name, size, lastModified }: File): string => `${name} ${size} ${lastModified}`

export type PicturePickerProps = {
  pictures: readonly File[]
  onChange: (pictures: readonly File[]) => void
  /** What the server said of a picture, by its place. */
  errors: Readonly<Record<number, string>>
}

function useAddresses(pictures: readonly File[]): string[] {
  const addresses = useMemo(() => pictures.map((picture) => URL.createObjectURL(picture)), [pictures])
  useEffect(() => () => addresses.forEach((address) => URL.revokeObjectURL(address)), [addresses])
  return addresses
}

type ChosenProps = Pick<PicturePickerProps, 'pictures' | 'errors'> & { onRemove: (index: number) => void }

function Chosen({ pictures, errors, onRemove }: ChosenProps) {
  const { t } = useTranslation('review-form')
  const addresses = useAddresses(pictures)
  if (pictures.length === 0) return null
  return (
    <ul className={styles.pictures} aria-label={t('form.pictures')}>
      {pictures.map((picture, index) => (
        <li key={nameOf(picture)} className={styles.picture}>
          <img src={addresses[index]} alt={t('form.picture', { position: index + 1 })} width={96} height={96} />
          <IconButton
            icon="close"
            variant="disc"
            iconSize={16}
            label={t('form.removePicture', { position: index + 1 })}
            className={styles.remove}
            onClick={() => onRemove(index)}
          />
          {errors[index] !== undefined && <FieldError>{errors[index]}</FieldError>}
        </li>
      ))}
    </ul>
  )
}

export function PicturePicker({ pictures, onChange, errors }: PicturePickerProps) {
  const { t } = useTranslation('review-form')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  function problemOf(file: File): string | null {
    if (!accepted.includes(file.type)) return t('form.notPicture', { name: file.name })
    return file.size > reviewPictureBytes ? t('form.tooLarge', { name: file.name, most: reviewPictureBytes / megabyte }) : null
  }
  function add(files: readonly File[]) {
    const good = files.filter((file) => problemOf(file) === null)
    const bad = files.map(problemOf).find((one) => one !== null) ?? null
    const known = new Set(pictures.map(nameOf))
    const all = [...pictures, ...good.filter((file) => !known.has(nameOf(file)))]
    setProblem(all.length > reviewPicturesMost ? t('form.tooMany', { most: reviewPicturesMost }) : bad)
    onChange(all.slice(0, reviewPicturesMost))
  }
  return (
    <div className={styles.picker}>
      <Chosen
        pictures={pictures}
        errors={errors}
        onRemove={(index) => {
          onChange(pictures.filter((_, place) => place !== index))
          input.current?.focus()
        }}
      />
      <label className={`${buttonClass({ variant: 'soft', size: 'small' })} ${styles.add}`}>
        <Icon name="image" size={18} />
        {t('form.add')}
        <input
          ref={input}
          type="file"
          multiple
          accept={accepted.join(',')}
          className={styles.file}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            add([...(target.files ?? [])])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </label>
      <p id={`${id}-hint`} className="small muted">
        {t('form.picturesHint', { most: reviewPicturesMost })}
      </p>
      <div role="status">{problem && <FieldError>{problem}</FieldError>}</div>
    </div>
  )
}
