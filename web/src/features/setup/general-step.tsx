// Step 1: who and where the institute is, when it is open, and for whom.
import { Suspense, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { audiences, categories, languages } from '#/contract/closed-lists.ts'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import type { SetupDraft } from './draft.ts'
import { OpeningHoursField } from './opening-hours-field.tsx'
import type { DraftChange } from './use-draft.ts'
import styles from './general-step.module.css'

const PlacePicker = lazily(async () => (await import('./place-picker.tsx')).PlacePicker)

const longestDescription = 400

type PartProps = { draft: SetupDraft; change: DraftChange }

/** Adds what is missing, takes away what is there. */
function toggled<Item>(list: readonly Item[], item: Item): Item[] {
  return list.includes(item) ? list.filter((one) => one !== item) : [...list, item]
}

/** All stands alone; without any other it comes back. */
function toggledAudience(list: SetupDraft['clientType'], one: SetupDraft['clientType'][number]) {
  if (one === 'All') return list
  const some = toggled(
    list.filter((each) => each !== 'All'),
    one,
  )
  return some.length === 0 ? (['All'] as const).slice() : some
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2 className="d4">{title}</h2>
      {text && <p className="small muted">{text}</p>}
      {children}
    </section>
  )
}

function Identity({ draft, change }: PartProps) {
  const { t } = useTranslation('setup')
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        <Field
          label={t('general.name')}
          autoComplete="organization"
          maxLength={120}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Field
          label={t('general.phone')}
          type="tel"
          autoComplete="tel"
          maxLength={30}
          value={draft.phone}
          onChange={(event) => change({ phone: event.target.value })}
        />
      </div>
      <TextArea
        label={t('general.description')}
        rows={4}
        maxLength={longestDescription}
        hint={t('general.descriptionHint', { used: draft.description.length, most: longestDescription })}
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
      />
    </div>
  )
}

function Categories({ draft, change }: PartProps) {
  const { t: label } = useTranslation('labels')
  return (
    <div className={styles.categories}>
      {categories.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.category}
          aria-pressed={draft.categories.includes(name)}
          onClick={() => change({ categories: toggled(draft.categories, name) })}
        >
          <CategoryIcon name={name} size={30} />
          {label(`categories.${name}`)}
        </button>
      ))}
    </div>
  )
}

function Door({ draft, change }: PartProps) {
  const { t } = useTranslation('setup')
  return (
    <div className={styles.fields}>
      <Suspense fallback={<Skeleton height={76} />}>
        <PlacePicker place={draft.place} onChange={(place) => change({ place })} />
      </Suspense>
      <Field
        label={t('place.address')}
        autoComplete="street-address"
        maxLength={200}
        value={draft.address}
        onChange={(event) => change({ address: event.target.value })}
      />
      <Switch label={t('place.atHome')} checked={draft.atHomeService} onChange={() => change({ atHomeService: !draft.atHomeService })} />
    </div>
  )
}

function People({ draft, change }: PartProps) {
  const { t } = useTranslation('setup')
  const { t: label } = useTranslation('labels')
  return (
    <div className={styles.fields}>
      <div role="group" aria-label={t('people.audience')} className={styles.chips}>
        <p className="label-heading">{t('people.audience')}</p>
        {audiences.map((name) => (
          <FilterChip
            key={name}
            selected={draft.clientType.includes(name)}
            onClick={() => change({ clientType: name === 'All' ? ['All'] : toggledAudience(draft.clientType, name) })}
          >
            {label(`audiences.${name}`)}
          </FilterChip>
        ))}
      </div>
      <div role="group" aria-label={t('people.languages')} className={styles.chips}>
        <p className="label-heading">{t('people.languages')}</p>
        {languages.map((name) => (
          <FilterChip
            key={name}
            selected={draft.offeredLanguages.includes(name)}
            onClick={() => change({ offeredLanguages: toggled(draft.offeredLanguages, name) })}
          >
            {label(`languages.${name}`)}
          </FilterChip>
        ))}
      </div>
    </div>
  )
}

export function GeneralStep({ draft, change }: PartProps) {
  const { t } = useTranslation('setup')
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <Identity draft={draft} change={change} />
      <Part title={t('general.categories')} text={t('general.categoriesHint')}>
        <Categories draft={draft} change={change} />
      </Part>
      <Part title={t('place.title')}>
        <Door draft={draft} change={change} />
      </Part>
      <Part title={t('hours.title')} text={t('hours.text')}>
        <OpeningHoursField hours={draft.openingHours} onChange={(openingHours) => change({ openingHours })} />
      </Part>
      <Part title={t('people.title')}>
        <People draft={draft} change={change} />
      </Part>
    </form>
  )
}
