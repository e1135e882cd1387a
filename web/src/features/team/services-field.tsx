// What a member does, with minutes and a price of their own where they differ from the menu.
import type { Team, TeamService } from '@soigne/contract/team'
import { useState } from 'react'
import { NumberField } from '#/kit/number-field.tsx'
import { currencyDigits, useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox } from '#/ui/checkbox.tsx'
import { classNames } from '#/ui/class-names.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import styles from './team-member.module.css'

type Minutes = TeamService['minutes']
type Performed = { serviceId: string; minutes?: Minutes | null | undefined; priceAmount?: number | null | undefined }

const spanOf = ({ activeMinutes, idleMinutes, activeAfterMinutes }: Minutes): number => activeMinutes + idleMinutes + activeAfterMinutes

function OwnTerms({
  service,
  one,
  currency,
  onChange,
}: {
  service: TeamService
  one: Performed
  currency: string
  onChange: (to: Performed) => void
}) {
  const { t } = useTranslation('team')
  const minutes = one.minutes ?? service.minutes
  const unit = 10 ** currencyDigits(currency)
  const put = (to: Partial<Minutes>) => onChange({ ...one, minutes: { ...minutes, ...to } })
  const common = { least: 5, most: 720, step: 5, format: { style: 'unit', unit: 'minute', unitDisplay: 'short' } } as const
  return (
    <div className={styles.own}>
      <NumberField
        label={t('does.active')}
        {...common}
        value={minutes.activeMinutes}
        onChange={(value) => value !== null && put({ activeMinutes: value })}
      />
      {service.minutes.idleMinutes > 0 && (
        <>
          <NumberField
            label={t('does.idle')}
            {...common}
            value={minutes.idleMinutes}
            onChange={(value) => value !== null && put({ idleMinutes: value })}
          />
          <NumberField
            label={t('does.after')}
            {...common}
            value={minutes.activeAfterMinutes}
            onChange={(value) => value !== null && put({ activeAfterMinutes: value })}
          />
        </>
      )}
      {service.priceAmount !== null && (
        <NumberField
          label={t('does.price')}
          least={0}
          format={{ style: 'currency', currency }}
          value={(one.priceAmount ?? service.priceAmount) / unit}
          onChange={(value) => onChange({ ...one, priceAmount: value === null ? null : Math.round(value * unit) })}
        />
      )}
      <Button variant="text" size="small" onClick={() => onChange({ serviceId: one.serviceId, minutes: null, priceAmount: null })}>
        {t('does.asMenu')}
      </Button>
    </div>
  )
}

function ServiceRow({
  service,
  one,
  currency,
  onChange,
}: {
  service: TeamService
  one: Performed | undefined
  currency: string
  onChange: (to: Performed | undefined) => void
}) {
  const { t } = useTranslation('team')
  const times = useTimes()
  const money = useMoney()
  const [isOpen, setOpen] = useState(false)
  const minutes = one?.minutes ?? service.minutes
  const price = one?.priceAmount ?? service.priceAmount
  const isOwn = (one?.minutes ?? null) !== null || (one?.priceAmount ?? null) !== null
  return (
    <li className={styles.service}>
      <div className={styles.serviceLine}>
        <Checkbox
          label={<bdi>{service.name}</bdi>}
          checked={one !== undefined}
          onChange={({ target }) => onChange(target.checked ? { serviceId: service._id, minutes: null, priceAmount: null } : undefined)}
        />
        <span className={classNames('small', isOwn ? 'strong' : 'muted')}>
          <bdi>{times.duration(spanOf(minutes))}</bdi>
        </span>
        <span className={classNames(styles.price, isOwn && styles.ownPrice)}>
          <bdi>{price === null ? t('does.onRequest') : money({ amount: price, currency })}</bdi>
        </span>
        <IconButton
          icon="edit"
          iconSize={18}
          label={t('does.own', { service: service.name })}
          disabled={one === undefined}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {one && isOpen && <OwnTerms service={service} one={one} currency={currency} onChange={onChange} />}
    </li>
  )
}

type ServicesFieldProps = { team: Team; value: readonly Performed[]; onChange: (services: Performed[]) => void; isWrong: boolean }

export function ServicesField({ team, value, onChange, isWrong }: ServicesFieldProps) {
  const { t } = useTranslation('team')
  const put = (id: string, to: Performed | undefined) => {
    const others = value.filter(({ serviceId }) => serviceId !== id)
    onChange(to ? [...others, to] : others)
  }
  // What cannot be booked at present is not in the list, and stays theirs.
  const all = () =>
    onChange([
      ...value,
      ...team.services
        .filter(({ _id }) => !value.some(({ serviceId }) => serviceId === _id))
        .map(({ _id }) => ({ serviceId: _id, minutes: null, priceAmount: null })),
    ])
  return (
    <section className={styles.part} aria-labelledby="does">
      <div className={styles.partHead}>
        <h2 id="does" className="d4">
          {t('does.title')}
        </h2>
        <Button variant="text" size="small" onClick={all}>
          {t('does.all')}
        </Button>
      </div>
      {isWrong && (
        <p role="alert" className={styles.wrong}>
          {t('does.wrong')}
        </p>
      )}
      {team.services.length === 0 && <p className="muted">{t('does.none')}</p>}
      <ul>
        {team.services.map((service) => (
          <ServiceRow
            key={service._id}
            service={service}
            one={value.find(({ serviceId }) => serviceId === service._id)}
            currency={team.currency}
            onChange={(to) => put(service._id, to)}
          />
        ))}
      </ul>
    </section>
  )
}
