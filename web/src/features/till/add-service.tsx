// One more service of the menu, with whoever does it.
import type { Service } from '@soigne/contract/institutes'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { priceAtDesk, usePriceText } from '#/prices.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Field } from '#/ui/field.tsx'
import type { Line } from './reckoning.ts'
import type { TillProps } from './use-till.ts'
import styles from './till.module.css'

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function AddService({ till, data, onAdd }: TillProps & { onAdd: (line: Line) => void }) {
  const { t } = useTranslation('till')
  const price = usePriceText()
  const [search, setSearch] = useState('')
  const found = data.menu.filter(({ name }) => fold(name).includes(fold(search.trim())))
  function add(service: Service) {
    const able = data.members.filter(({ services }) => services.includes(service._id))
    // Whoever did the last service most likely did this one.
    const last = till.lines.findLast(({ staffId }) => able.some(({ _id }) => _id === staffId))
    const staffId = last?.staffId ?? able[0]?._id ?? null
    onAdd({ key: crypto.randomUUID(), kind: 'service', serviceId: service._id, staffId })
  }
  return (
    <div className={styles.picker}>
      <Field
        label={t('add.findService')}
        type="search"
        autoComplete="off"
        autoFocus
        value={search}
        start={<Icon name="search" size={19} />}
        onChange={({ target }) => setSearch(target.value)}
      />
      <ul>
        {found.map((service) => (
          <li key={service._id}>
            <button type="button" className={styles.found} onClick={() => add(service)}>
              <bdi className="medium">{service.name}</bdi>
              <bdi className="strong">{price(priceAtDesk(service, null))}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="muted">{t('add.noService')}</p>}
    </div>
  )
}
