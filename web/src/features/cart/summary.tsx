// What is chosen so far, beside the steps on a desktop and as one bar at the bottom of smaller screens.
import type { Institute } from '@soigne/contract/institutes'
import type { ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useTimes } from '#/platform/time.ts'
import { coverAddress } from '#/theme/art/art-address.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import type { Choice } from './choice.ts'
import { usePriceText } from '#/prices.ts'
import { CartLines } from './cart-lines.tsx'
import type { PricedCart } from './priced-cart.ts'
import styles from './summary.module.css'

export type SummaryProps = {
  institute: Institute
  choice: Choice
  cart: PricedCart
  /** End of the visit, when it is known. */
  endsAt: string | null
  /** Where somebody comes to, of a visit at home. */
  where?: string | null
  /** The button that goes on. */
  action: ReactNode
}

function Professionals({ choice, cart }: Pick<SummaryProps, 'choice' | 'cart'>) {
  const { t } = useTranslation('cart')
  const members = [...new Set(cart.lines.map(({ member }) => member))]
  if (!choice.staffAnswered && choice.at === null) {
    return (
      <p className={styles.fact}>
        <Icon name="users" className={styles.open} />
        <span className="muted">{t('summary.chooseProfessional')}</span>
      </p>
    )
  }
  return members.map((known) => (
    <p key={known?._id ?? 'any'} className={styles.fact}>
      {known ? <FaceImage name={known.name} photoUrl={known.imageUrl} size={32} /> : <Icon name="users" className={styles.open} />}
      <span>
        {known ? (
          <>
            {t('summary.with')} <bdi className="strong">{known.name}</bdi>
          </>
        ) : (
          t('summary.withAnyone')
        )}
      </span>
    </p>
  ))
}

function When({ institute, choice, endsAt }: Pick<SummaryProps, 'institute' | 'choice' | 'endsAt'>) {
  const { t } = useTranslation('cart')
  const times = useTimes()
  const { timeZone } = institute
  if (choice.at === null) {
    return (
      <p className={styles.fact}>
        <Icon name="calendar" className={styles.open} />
        <span className="muted">{t('summary.chooseTime')}</span>
      </p>
    )
  }
  return (
    <p className={styles.fact}>
      <Icon name="calendar" className={styles.open} />
      <span>
        <b>{times.dayOfInstant(choice.at, timeZone, 'full')}</b>,{' '}
        <bdi>
          {times.time(choice.at, timeZone)}
          {endsAt && `–${times.time(endsAt, timeZone)}`}
        </bdi>
      </span>
    </p>
  )
}

/** The first picture of the institute: a real one, or its cut paper in the wide cut. */
type InstituteCover = { url: string; isArt: boolean }

function coverOf({ pictures, categories, slug }: Pick<Institute, 'pictures' | 'categories' | 'slug'>): InstituteCover {
  const [picture] = pictures
  if (picture && !picture.url.startsWith('/art/')) return { url: picture.url, isArt: false }
  const own = picture?.url.startsWith('/art/cover/') ? picture.url.split('?')[0] : undefined
  return { url: own ? `${own}?shape=wide` : coverAddress({ category: categories[0] ?? 'hair', seed: slug, shape: 'wide' }), isArt: true }
}

/** The way to the salon; for a visit at home, whose it is. */
function WhereLine({ institute, choice, where }: Pick<SummaryProps, 'institute' | 'choice' | 'where'>) {
  const { t } = useTranslation('cart')
  const { line, quarter, city } = institute.address
  if (choice.atHome)
    return (
      <p className="small muted">
        {t('summary.atHome')}
        {where && (
          <>
            : <span dir="auto">{where}</span>
          </>
        )}
      </p>
    )
  return (
    <p className="small muted">
      <span dir="auto">{[line, quarter ?? city].join(', ')}</span>
    </p>
  )
}

/** The same on screens without room for the panel, where somebody is asked to check it. */
export function VisitCheck(props: Omit<SummaryProps, 'action'>) {
  const { institute, cart } = props
  const { t } = useTranslation('cart')
  const total = usePriceText()
  return (
    <section className={styles.check} aria-label={t('summary.label')}>
      <h2 className="d5">
        <bdi className={styles.name}>{institute.name}</bdi>
      </h2>
      <WhereLine {...props} />
      <div className={styles.checked}>
        <CartLines cart={cart} />
        <div className={styles.facts}>
          <When {...props} />
          <Professionals {...props} />
        </div>
        <p className={styles.total}>
          <span className="muted">{t('summary.total')}</span>
          <bdi className="strong tabular">{total(cart.total)}</bdi>
        </p>
      </div>
    </section>
  )
}

export function Summary(props: SummaryProps) {
  const { institute, cart, action } = props
  const { t } = useTranslation('cart')
  const total = usePriceText()
  const cover = coverOf(institute)
  return (
    <aside className={styles.panel} aria-label={t('summary.label')}>
      <div className={styles.cover}>
        <img className={cover.isArt ? 'art' : undefined} src={cover.url} alt="" width={640} height={300} />
      </div>
      <div className={styles.body}>
        <h2 className="d4">
          <bdi className={styles.name}>{institute.name}</bdi>
        </h2>
        <WhereLine {...props} />
        <hr className={styles.rule} />
        {cart.lines.length > 0 ? <CartLines cart={cart} /> : <p className="small muted">{t('summary.nothing')}</p>}
        <hr className={styles.rule} />
        <div className={styles.facts}>
          <Professionals {...props} />
          <When {...props} />
        </div>
        {cart.lines.length > 0 && (
          <>
            <hr className={styles.rule} />
            <p className={styles.total}>
              <span className="muted">{t('summary.total')}</span>
              <bdi className={`time ${styles.sum}`}>{total(cart.total)}</bdi>
            </p>
          </>
        )}
        <div className={styles.action}>{action}</div>
      </div>
    </aside>
  )
}
