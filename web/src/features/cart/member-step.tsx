// Who would you like? Anyone, one person for the whole visit, or a person for each service.
import { useQueries } from '@tanstack/react-query'
import type { Institute, Member } from '@soigne/contract/institutes'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { useTimes } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { OptionCard } from '#/ui/option-card.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { staffOf, type Choice, type CartItem } from './choice.ts'
import { StepForm } from '#/ui/step-form.tsx'
import { priceOfService, usePriceText } from '#/prices.ts'
import { membersForAll, priceCart, type PricedCart } from './priced-cart.ts'
import styles from './steps.module.css'

export type MemberStepProps = {
  institute: Institute
  choice: Choice
  cart: PricedCart
  onChange: (items: readonly CartItem[]) => void
  onContinue: () => void
}

type NextTime = { startsAt: string | null } | undefined

/** The next free time of the same services with each of the possible answers. */
function useNextTimes(institute: Institute, variants: readonly (readonly CartItem[])[], atHome: boolean): readonly NextTime[] {
  return useQueries({
    queries: variants.map((items) => ({
      queryKey: queryKeys.availability.nextOfCart(institute._id, items, atHome),
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const service = items.map(({ serviceId }) => serviceId)
        const { times } = await api.nextTimes(
          {
            params: { id: institute._id },
            query: { service, staff: staffOf(items), limit: 1, ...(atHome && { atHome: 'true' as const }) },
          },
          { signal },
        )
        return { startsAt: times[0]?.startsAt ?? null }
      },
    })),
    combine: (results) => results.map(({ data }) => data),
  })
}

function NextFree({ institute, next }: { institute: Institute; next: NextTime }) {
  const { t } = useTranslation('cart')
  const times = useTimes()
  // As tall as the answer, so that nothing moves when it comes.
  if (next === undefined) {
    return (
      <span className={styles.next}>
        <span>{'\u00a0'}</span>
        <span>{'\u00a0'}</span>
      </span>
    )
  }
  if (next.startsAt === null) return <span className="muted">{t('member.noTime')}</span>
  const { timeZone } = institute
  return (
    <span className={styles.next}>
      <span className="muted">{t('member.nextFree')}</span>
      <bdi className="strong tabular">
        {times.dayOfInstant(next.startsAt, timeZone)} {times.time(next.startsAt, timeZone)}
      </bdi>
    </span>
  )
}

type MemberCardProps = {
  institute: Institute
  member: Member | null
  name: string
  checked: boolean
  /** What this answer costs, in words. */
  price: string
  next?: NextTime
  withNext: boolean
  onChoose: () => void
}

function MemberCard({ institute, member, name, checked, price, next, withNext, onChoose }: MemberCardProps) {
  const { t } = useTranslation('cart')
  const isAway = member !== null && member.availability !== 'available'
  const size = withNext ? 64 : 44
  return (
    <OptionCard
      type="radio"
      className={withNext ? styles.member : undefined}
      name={name}
      value={member?._id ?? 'any'}
      checked={checked}
      disabled={withNext && next?.startsAt === null}
      onChange={onChoose}
      start={
        member ? (
          <FaceImage name={member.name} photoUrl={member.imageUrl} size={size} />
        ) : (
          <span className={styles.any}>
            <Icon name="users" size={withNext ? 28 : 22} />
          </span>
        )
      }
      title={<bdi className={styles.who}>{member?.name ?? t('member.anyone')}</bdi>}
      description={
        <>
          {member?.title && `${member.title} · `}
          <bdi className="strong tabular">{price}</bdi>
        </>
      }
      end={
        <>
          {isAway && <StatusChip status={member.availability} label={t(`availability.${member.availability}`)} />}
          {withNext && !(isAway && next?.startsAt === null) && <NextFree institute={institute} next={next} />}
        </>
      }
    />
  )
}

function OneForAll({ institute, choice, cart, onChange, members }: MemberStepProps & { members: readonly Member[] }) {
  const { t } = useTranslation('cart')
  const answers = [null, ...members]
  const variants = answers.map((member) => choice.items.map(({ serviceId }) => ({ serviceId, staffId: member?._id ?? null })))
  const next = useNextTimes(institute, variants, choice.atHome)
  const price = usePriceText()
  const chosen = choice.items[0]?.staffId ?? null
  const isSame = choice.items.every(({ staffId }) => staffId === chosen)
  return (
    <div className={styles.cards} role="radiogroup" aria-label={t('member.label', { count: cart.lines.length })}>
      {answers.map((member, index) => (
        <MemberCard
          key={member?._id ?? 'any'}
          institute={institute}
          member={member}
          name="staff"
          checked={isSame && (member?._id ?? null) === chosen}
          price={price(priceCart(institute, variants[index] ?? []).total)}
          next={next[index]}
          withNext
          onChoose={() => onChange(variants[index] ?? [])}
        />
      ))}
    </div>
  )
}

function OneForEach({ institute, choice, cart, onChange }: MemberStepProps) {
  const price = usePriceText()
  return cart.lines.map(({ service }, at) => {
    const members = membersForAll(institute, [service])
    const chosen = choice.items[at]?.staffId ?? null
    return (
      <fieldset key={service._id} className={`${styles.section} ${styles.small}`}>
        <legend className={`serif ${styles.legend}`}>{service.name}</legend>
        <div className={styles.cards}>
          {[null, ...members].map((member) => (
            <MemberCard
              key={member?._id ?? 'any'}
              institute={institute}
              member={member}
              name={`staff ${at}`}
              checked={(member?._id ?? null) === chosen}
              price={price(priceOfService(service, member?._id ?? null))}
              withNext={false}
              onChoose={() =>
                onChange(choice.items.map((item, place) => (place === at ? { ...item, staffId: member?._id ?? null } : item)))
              }
            />
          ))}
        </div>
      </fieldset>
    )
  })
}

export function MemberStep(props: MemberStepProps) {
  const { institute, choice, cart, onContinue } = props
  const { t } = useTranslation('cart')
  const members = membersForAll(
    institute,
    cart.lines.map(({ service }) => service),
  )
  const isMixed = new Set(choice.items.map(({ staffId }) => staffId)).size > 1
  const [isApart, setIsApart] = useState(isMixed || members.length === 0)
  const hidden = choice.items.map(({ serviceId }) => ['service', serviceId] as const)
  // Whoever is had by name alone may have more times than all the others.
  const isByPrice = cart.lines.some(({ service }) => service.performers.some(({ onlyByName }) => onlyByName))
  return (
    <StepForm
      next="time"
      title={t('member.title')}
      lede={t(isByPrice ? 'member.ledeOfPrice' : 'member.lede')}
      hidden={hidden}
      onContinue={onContinue}
    >
      {isApart ? <OneForEach {...props} /> : <OneForAll {...props} members={members} />}
      {cart.lines.length > 1 && members.length > 0 && (
        <div className={styles.apart}>
          <Button variant="text" icon="users" onClick={() => setIsApart(!isApart)}>
            {t(isApart ? 'member.together' : 'member.apart')}
          </Button>
        </div>
      )}
    </StepForm>
  )
}
