// What, where and when on one raised bar. It is an ordinary form, so it also works before the scripts do.
import { useState, type FormEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useNavigate } from 'react-router'
import { paths } from '#/paths.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { PlaceField } from './place-field.tsx'
import { changeFilters, filterNames, readForm, searchPath, type FilterName, type Filters } from '#/search-filters.ts'
import { PlainField, useSuggestingField } from './suggesting-field.tsx'
import { WhenFields } from './when-fields.tsx'
import styles from './search-bar.module.css'

export type SearchBarProps = {
  filters: Filters
  now: number
  zone: string
  /** large: leads the home page; slim: above a list. */
  size?: 'large' | 'slim'
}

const own: readonly FilterName[] = ['what', 'place', 'lat', 'lon', 'area', 'day', 'part', 'page']

/** Filters chosen elsewhere stay when the bar is sent, with scripts or without. */
function OtherFilters({ filters }: { filters: Filters }) {
  return filterNames
    .filter((name) => !own.includes(name) && filters[name] !== undefined)
    .map((name) => <input key={name} type="hidden" name={name} value={filters[name]} />)
}

const whatCombobox = () => import('./what-combobox.tsx').then(({ WhatCombobox }) => WhatCombobox)

function WhatField({ filters }: { filters: Filters }) {
  const { t } = useTranslation('search')
  const [text, setText] = useState(filters.what ?? '')
  const { Field, plain, frame, wasFocused, hasTyped, hear, wake } = useSuggestingField(whatCombobox, text, setText)
  return (
    <div ref={frame} className={styles.where} onFocus={wake} onPointerEnter={wake}>
      {Field ? (
        <Field
          text={text}
          onText={setText}
          autoFocus={wasFocused.current}
          hasTyped={hasTyped.current}
          form={() => frame.current?.closest('form') ?? null}
        />
      ) : (
        <PlainField
          label={t('what')}
          name="what"
          variant="bar"
          input={plain}
          maxLength={120}
          enterKeyHint="search"
          placeholder={t('whatPlaceholder')}
          value={text}
          onText={hear}
        />
      )}
    </div>
  )
}

export function SearchBar({ filters, now, zone, size = 'large' }: SearchBarProps) {
  const { t } = useTranslation('search')
  const navigate = useNavigate()
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void navigate(searchPath(changeFilters(readForm(event.currentTarget), {})))
  }
  return (
    <form
      role="search"
      aria-label={t('label')}
      action={paths.institutes}
      method="get"
      onSubmit={search}
      className={classNames(styles.bar, size === 'slim' && styles.slim)}
    >
      <div className={styles.cell}>
        <Icon name="search" size={22} className={styles.icon} />
        <WhatField filters={filters} />
      </div>
      <div className={styles.cell}>
        <Icon name="pin" size={22} className={styles.icon} />
        <PlaceField filters={filters} variant="bar" />
      </div>
      <div className={styles.cell}>
        <Icon name="calendar" size={22} className={styles.icon} />
        <WhenFields filters={filters} now={now} zone={zone} />
      </div>
      <OtherFilters filters={filters} />
      <Button type="submit" size={size === 'large' ? 'large' : 'medium'} className={styles.send}>
        {t('send')}
      </Button>
    </form>
  )
}
