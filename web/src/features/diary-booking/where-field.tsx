// Where a visit is done: at the salon, or at the client's home, whose address is told on the telephone.
import { fieldFailures } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { AddressFields, type TypedAddress } from '#/address-fields.tsx'
import { useDeskAddressWords } from '#/desk-address-words.ts'
import { useLocation } from '#/own-institute.ts'
import { Notice } from '#/ui/notice.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import type { BookingChoice } from './use-booking.ts'
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
  const words = useDeskAddressWords()
  const { venue, isAtHome, choice, setChoice } = booking
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
      {isAtHome && (
        <>
          <AddressFields
            words={words}
            typed={address}
            near={near}
            errors={{ city: fieldFailures(failure)['home.city'] }}
            isOwn={false}
            onChange={onAddress}
          />
          <p className="small muted">{t('where.hint')}</p>
        </>
      )}
    </section>
  )
}
