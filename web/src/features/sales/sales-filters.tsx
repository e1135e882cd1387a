// Which sales are shown: of a period, of a client or service, in a state, paid in a way, done by somebody.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Field } from '#/ui/field.tsx'
import { SegmentedLinks } from '#/ui/segmented.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { methods, periods, statuses, useMembers, type Asking } from './use-sales.ts'
import styles from './sales.module.css'

/** Asked for while one types; the address follows without a new entry of the history. */
function SearchField({ asked, hrefFor }: Asking) {
  const { t } = useTranslation('sales')
  const navigate = useNavigate()
  const [typed, setTyped] = useState(asked.what)
  return (
    <Field
      label={t('search')}
      labelHidden
      type="search"
      placeholder={t('search')}
      value={typed}
      maxLength={80}
      autoComplete="off"
      start={<Icon name="search" />}
      frameClassName={styles.search}
      onChange={({ target }) => {
        setTyped(target.value)
        void navigate(hrefFor({ what: target.value.trim() }), { replace: true, preventScrollReset: true })
      }}
    />
  )
}

export function Periods({ asked, hrefFor }: Asking) {
  const { t } = useTranslation('sales')
  const { t: word } = useTranslation('dashboard')
  const items = periods.map((period) => ({
    to: hrefFor({ period: period === periods[0] ? undefined : period }),
    label: word(`periods.${period}`),
    current: period === asked.period,
  }))
  return <SegmentedLinks label={t('period')} items={items} className={styles.periods} />
}

export function Filters(asking: Asking) {
  const { asked, hrefFor } = asking
  const { t } = useTranslation('sales')
  const { t: word } = useTranslation('labels')
  const navigate = useNavigate()
  const members = useMembers()
  const choices = [
    {
      name: 'status',
      label: t('filters.status'),
      all: t('filters.anyStatus'),
      value: asked.due ? 'due' : asked.status,
      options: [...statuses.map((value) => ({ value, label: word(`statuses.${value}`) })), { value: 'due', label: t('filters.due') }],
      change: (value: string) => (value === 'due' ? { status: undefined, due: 'true' } : { status: value, due: undefined }),
    },
    {
      name: 'method',
      label: t('columns.method'),
      all: t('filters.anyMethod'),
      value: asked.method,
      options: methods.map((value) => ({ value, label: t(`methods.${value}`) })),
      change: (value: string) => ({ method: value }),
    },
    {
      name: 'staff',
      label: t('columns.staff'),
      all: t('filters.anyone'),
      value: asked.staff,
      options: members.map(({ _id, name }) => ({ value: _id, label: name })),
      change: (value: string) => ({ staff: value }),
    },
  ]
  return (
    <div className={styles.filters}>
      <SearchField {...asking} />
      <div className={styles.choices}>
        {choices.map(({ name, label, all, value, options, change }) => (
          <SelectField
            key={name}
            label={label}
            labelHidden
            value={value ?? ''}
            placeholder={all}
            options={options}
            onChange={({ target }) => void navigate(hrefFor(change(target.value)), { preventScrollReset: true })}
          />
        ))}
      </div>
    </div>
  )
}
