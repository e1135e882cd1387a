// Where a visit is done: at the salon, or at the client's home, whose address is told on the telephone.
import { fieldFailures } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { TownField, type TypedAddress } from '#/town-field.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { useLocation, type BookingChoice } from './use-booking.ts'
import styles from './booking.module.css'

export type WhereFieldProps = {
  booking: BookingChoice
  address: TypedAddress
  slug: string
  failure: Error | null
  onAddress: (change: Partial<TypedAddress>) => void
}

export function WhereField({ booking, slug, address, failure, onAddress }: WhereFieldProps) {
  const { t } = useTranslation('diary')
  const { venue, isAway, choice, setChoice } = booking
  const near = useLocation(slug)
  if (venue === 'salon' || !near) return null
  if (venue === 'apart') return <Notice tone="warning">{t('where.apart')}</Notice>
  return (
    <section className={styles.field} aria-label={t('where.title')}>
      <h3 className="label-heading">{t('where.title')}</h3>
      {venue === 'either' && (
        <Segmented
          label={t('where.title')}
          value={choice.atHome ? 'home' : 'salon'}
          options={[
            { value: 'salon', label: t('where.salon'), icon: 'pin' },
            { value: 'home', label: t('atHome.title'), icon: 'home-visit' },
          ]}
          onChange={(where) => setChoice({ ...choice, atHome: where === 'home' })}
        />
      )}
      {isAway && (
        <>
          <Field
            label={t('where.line')}
            autoComplete="off"
            maxLength={200}
            dir="auto"
            value={address.line}
            onChange={({ target }) => onAddress({ line: target.value })}
          />
          <div className={styles.town}>
            <Field
              label={t('where.postalCode')}
              autoComplete="off"
              maxLength={20}
              value={address.postalCode}
              onChange={({ target }) => onAddress({ postalCode: target.value })}
            />
            <TownField
              label={t('where.city')}
              typed={address}
              near={near}
              statusText={(count, loading) => (loading ? t('where.looking') : t('where.found', { count }))}
              error={fieldFailures(failure)['home.city']}
              onChange={onAddress}
            />
          </div>
          <p className="small muted">{t('where.hint')}</p>
        </>
      )}
    </section>
  )
}
