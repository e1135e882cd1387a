// Every filter of the search in one ordinary form.
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { paths } from '#/paths.ts'
import { addDays, dayOf, dayText, useTimes } from '#/platform/time.ts'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { Field } from '#/ui/field.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { ChoiceChips, type Choice } from '#/ui/choice-chips.tsx'
import { audiences, categories, languages, partsOfDay, paymentMethods } from '#/contract/closed-lists.ts'
import { priceCeilings, radii, ratingFloors, shownOrders } from './filter-choices.ts'
import { useDistanceText, usePriceText, type FilterContext } from './filter-texts.ts'
import { PlaceField } from './place-field.tsx'
import { readForm, type Filters } from '#/search-filters.ts'
import styles from './filter-form.module.css'

export type FilterFormProps = FilterContext & { id: string; onSend: (filters: Filters) => void }

/** Today, tomorrow and the days of the coming weekend. */
function quickDays(now: number, zone: string, locale: string): Choice[] {
  const today = dayOf(now, zone)
  const days = Array.from({ length: 7 }, (_, ahead) => addDays(today, ahead))
  const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
  return days.filter((day, ahead) => ahead < 2 || isWeekend(day)).map((day) => ({ value: day, label: dayText(day, today, locale, 'long') }))
}

function WhenChoices({ filters, now, zone }: Pick<FilterContext, 'filters' | 'now' | 'zone'>) {
  const { t } = useTranslation(['filters', 'search', 'labels'])
  const { locale } = useTimes()
  const days = quickDays(now, zone, locale)
  const isQuick = days.some(({ value }) => value === filters.day)
  const any = { value: '', label: t('any') }
  return (
    <div className={styles.group}>
      <ChoiceChips legend={t('when')} name="day" choices={[any, ...days]} chosen={isQuick ? filters.day : undefined} />
      <Field
        type="date"
        name="otherDay"
        label={t('otherDay')}
        min={dayOf(now, zone)}
        defaultValue={isQuick ? undefined : filters.day}
        frameClassName={styles.short}
      />
      <ChoiceChips
        legend={t('part')}
        name="part"
        choices={[any, ...partsOfDay.map((part) => ({ value: part, label: t(`partNames.${part}`) }))]}
        chosen={filters.part}
      />
    </div>
  )
}

function WhereFields({ filters }: { filters: Filters }) {
  const { t } = useTranslation(['filters', 'search', 'labels'])
  const distance = useDistanceText()
  return (
    <div className={styles.group}>
      <Field
        type="search"
        name="what"
        label={t('search:what')}
        placeholder={t('search:whatPlaceholder')}
        defaultValue={filters.what}
        maxLength={120}
      />
      <PlaceField filters={filters} variant="field" />
      <ChoiceChips
        legend={t('radius')}
        name="radiusKm"
        choices={[
          { value: '', label: t('any') },
          ...radii.map((radius) => ({ value: radius, label: <bdi>{distance(Number(radius))}</bdi> })),
        ]}
        chosen={filters.radiusKm}
      />
    </div>
  )
}

function SwitchLine({ name, title, line, on }: { name: string; title: string; line: string; on: boolean }) {
  const label = (
    <>
      <span className={styles.label}>{title}</span>
      <span className="small muted">{line}</span>
    </>
  )
  return <Switch name={name} value="true" label={label} defaultChecked={on} className={styles.switchLine} />
}

function useChoices(currency: string) {
  const { t } = useTranslation(['filters', 'search', 'labels'])
  const price = usePriceText(currency)
  const any: Choice = { value: '', label: t('any') }
  return {
    price,
    category: [
      any,
      ...categories.map((category) => ({
        value: category,
        label: (
          <>
            <CategoryIcon name={category} size={22} />
            {t(`labels:categories.${category}`)}
          </>
        ),
      })),
    ],
    // All is what the search takes for granted, so the form leaves it out of the address.
    audience: audiences.map((one) => ({ value: one === 'All' ? '' : one, label: t(`labels:audiences.${one}`) })),
    way: [any, ...paymentMethods.map((one) => ({ value: one, label: t(`ways.${one}`) }))],
    language: [any, ...languages.map((one) => ({ value: one, label: t(`labels:languages.${one}`) }))],
    rating: [
      any,
      ...ratingFloors.map((one) => ({
        value: one,
        label: (
          <>
            <Icon name="star" size={15} />
            {t('andUp', { rating: Number(one).toFixed(1) })}
          </>
        ),
      })),
    ],
  }
}

/** Filters that have no control here stay as they are. */
function Kept({ filters }: { filters: Filters }): ReactNode {
  return (['area', 'pageSize'] as const)
    .filter((name) => filters[name] !== undefined)
    .map((name) => <input key={name} type="hidden" name={name} value={filters[name]} />)
}

export function FilterForm({ id, onSend, ...context }: FilterFormProps) {
  const { t } = useTranslation(['filters', 'search', 'labels'])
  const { filters } = context
  const choices = useChoices(context.currency)
  const usual = priceCeilings(context.typicalPrice)[2]
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSend(readForm(event.currentTarget))
  }
  return (
    <form id={id} action={paths.institutes} method="get" onSubmit={send} className={styles.form}>
      <ChoiceChips legend={t('category')} name="category" choices={choices.category} chosen={filters.category} />
      <WhenChoices {...context} />
      <WhereFields filters={filters} />
      <ChoiceChips legend={t('audience')} name="audience" choices={choices.audience} chosen={filters.audience} />
      <SwitchLine name="atHome" title={t('atHome')} line={t('atHomeLine')} on={filters.atHome !== undefined} />
      <SwitchLine name="openNow" title={t('openNow')} line={t('openNowLine')} on={filters.openNow !== undefined} />
      <ChoiceChips legend={t('languageSpoken')} name="language" choices={choices.language} chosen={filters.language} />
      <Field
        type="number"
        name="maxPrice"
        label={t('priceMost')}
        hint={t('priceHint')}
        min={0}
        step={1}
        inputMode="numeric"
        defaultValue={filters.maxPrice}
        placeholder={usual === undefined ? undefined : choices.price(usual)}
        frameClassName={styles.short}
      />
      <ChoiceChips legend={t('rating')} name="minRating" choices={choices.rating} chosen={filters.minRating} />
      <ChoiceChips legend={t('payOnline')} name="paymentMethod" choices={choices.way} chosen={filters.paymentMethod} />
      <SelectField
        name="sort"
        label={t('order.label')}
        defaultValue={filters.sort ?? 'recommended'}
        options={shownOrders.map((order) => ({ value: order, label: t(`order.${order}`) }))}
        frameClassName={styles.short}
      />
      <Kept filters={filters} />
    </form>
  )
}
