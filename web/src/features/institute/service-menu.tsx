// The menu by section. Adding a service is a link that keeps the cart in the address, so it works before scripts run.
import type { Institute, Service } from '@soigne/contract/institutes'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { useMoney } from '#/platform/money.ts'
import { telAddress } from '#/platform/phone.ts'
import { isBookable, priceOfService, serviceOn, usePriceText } from '#/prices.ts'
import { addDays, dayOf, useTimes } from '#/platform/time.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { menuSections } from './institute-facts.ts'
import styles from './service-menu.module.css'

export type ServiceMenuProps = {
  institute: Institute
  chosen: ReadonlySet<string>
  /** The address with a service added to the cart, or taken out. */
  togglePath: (serviceId: string) => string
  /** The present; without it nothing is said of prices to come. */
  now?: number | undefined
}

function Price({ service }: { service: Service }) {
  const { t } = useTranslation('prices')
  const money = useMoney()
  const { least, most } = priceOfService(service, null)
  if (!least) return <span className={styles.onRequest}>{t('onRequest')}</span>
  if (most?.amount !== least.amount) {
    return (
      <span className={styles.price}>
        <Trans
          ns="institute"
          i18nKey="price.from"
          values={{ price: money(least) }}
          components={{ word: <span className={styles.from} />, price: <bdi /> }}
        />
      </span>
    )
  }
  return <bdi className={styles.price}>{money(least)}</bdi>
}

/** Another price from a day on that can be booked already. */
function LaterPrice({ service, institute, now }: { service: Service; institute: Institute; now: number }) {
  const { t } = useTranslation('institute')
  const times = useTimes()
  const price = usePriceText()
  const last = addDays(dayOf(now, institute.timeZone), institute.rules.horizonDays)
  const today = price(priceOfService(service, null))
  const next = service.laterPrices?.find(
    ({ fromDay }) => fromDay <= last && price(priceOfService(serviceOn(service, fromDay), null)) !== today,
  )
  if (!next) return null
  const { date, month } = times.dateAndMonth(next.fromDay)
  const values = { day: `${date} ${month}`, price: price(priceOfService(serviceOn(service, next.fromDay), null)) }
  return <p className="fine muted">{t('price.later', values)}</p>
}

function AddLink({ service, isChosen, to }: { service: Service; isChosen: boolean; to: string }) {
  const { t } = useTranslation('institute')
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      rel="nofollow"
      className={buttonClass({ variant: isChosen ? 'solid' : 'soft', size: 'small' }, styles.add)}
      aria-label={t(isChosen ? 'remove' : 'addOne', { name: service.name })}
    >
      <Icon name={isChosen ? 'check' : 'plus'} size={18} />
      <span className={styles.word}>{t(isChosen ? 'added' : 'add')}</span>
    </Link>
  )
}

/** What cannot be booked online is asked for: by phone, or where there is none on the spot. */
function AskLink({ service, institute }: { service: Service; institute: Institute }) {
  const { t } = useTranslation('prices')
  const { name, phone } = institute
  if (phone === null) return <span className={`fine muted ${styles.ask}`}>{t('ask')}</span>
  return (
    <a
      href={telAddress(phone)}
      className={buttonClass({ variant: 'outline', size: 'small' }, styles.add)}
      aria-label={t('callAbout', { institute: name, name: service.name })}
    >
      <Icon name="phone" size={18} />
      <span className={styles.word}>{t('call')}</span>
    </a>
  )
}

function ServiceRow({
  service,
  isChosen,
  togglePath,
  institute,
  now,
}: Omit<ServiceMenuProps, 'chosen'> & { service: Service; isChosen: boolean }) {
  const { t } = useTranslation(['institute', 'labels', 'classes'])
  const times = useTimes()
  const facts = [
    ...(service.capacity === undefined ? [] : [t('classes:classOf', { count: service.capacity })]),
    ...(service.audience === 'All' ? [] : [t(`labels:audiences.${service.audience}`)]),
    ...service.conditions,
  ]
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <h4 className={styles.name}>{service.name}</h4>
        {service.description && <p className="small muted">{service.description}</p>}
        {facts.length > 0 && <p className={`fine ${styles.conditions}`}>{facts.join(' · ')}</p>}
        {now !== undefined && <LaterPrice {...{ service, institute, now }} />}
      </div>
      <div className={styles.beside}>
        <bdi className={styles.duration}>{times.duration(service.durationMinutes)}</bdi>
        <Price service={service} />
        {isBookable(institute, service) ? (
          <AddLink service={service} isChosen={isChosen} to={togglePath(service._id)} />
        ) : (
          <AskLink service={service} institute={institute} />
        )}
      </div>
    </li>
  )
}

export function ServiceMenu({ institute, chosen, togglePath, now }: ServiceMenuProps) {
  const { t } = useTranslation('institute')
  return (
    <section id="services" aria-labelledby="services-title" className={styles.menu}>
      <h2 id="services-title" className="visually-hidden">
        {t('parts.services')}
      </h2>
      {menuSections(institute.services).map(({ name, services }) => (
        <div key={name} className={styles.section}>
          <h3 className="d4">{name}</h3>
          <ul className={styles.rows}>
            {services.map((service) => (
              <ServiceRow
                key={service._id}
                service={service}
                isChosen={chosen.has(service._id)}
                institute={institute}
                togglePath={togglePath}
                now={now}
              />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
