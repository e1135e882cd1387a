// Whose a sale over the counter is: a client found by typing, or nobody in particular.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import type { Client } from './use-till.ts'
import styles from './till.module.css'

export function ClientPick({ client, onChange }: { client: Client | null; onChange: (client: Client | null) => void }) {
  const { t } = useTranslation('till')
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data, error } = useQuery({
    queryKey: dashboardKeys.diary.customers(search),
    queryFn: ({ signal }) => dashboardApi.customers({ query: { search, pageSize: 10 } }, { signal }),
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  })
  if (client)
    return (
      <p className={styles.chosen}>
        <FaceImage name={client.name} size={36} />
        <bdi className="strong">{client.name}</bdi>
        <IconButton icon="close" label={t('client.remove', { name: client.name })} onClick={() => onChange(null)} />
      </p>
    )
  return (
    <section className={styles.client}>
      <Field
        label={t('client.label')}
        labelEnd={t('optional')}
        type="search"
        autoComplete="off"
        maxLength={120}
        value={typed}
        start={<Icon name="search" size={19} />}
        onChange={({ target }) => setTyped(target.value)}
      />
      {search.length > 1 && (
        <ul className={styles.results}>
          {data?.items.map(({ _id, name }) => (
            <li key={_id}>
              <button type="button" className={styles.found} onClick={() => onChange({ _id, name })}>
                <bdi className="medium">{name}</bdi>
              </button>
            </li>
          ))}
          {(error !== null || data?.items.length === 0) && <li className="muted">{t(error ? 'client.failed' : 'client.none')}</li>}
        </ul>
      )}
    </section>
  )
}
