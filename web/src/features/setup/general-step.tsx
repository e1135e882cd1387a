// Step 1: who and where the institute is, when it is open, and for whom.
import type { ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { audiences, categories, languages } from '#/contract/closed-lists.ts'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Field } from '#/ui/field.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import type { SetupDraft } from './draft/draft.ts'
import { PlacePart } from './place-part.tsx'
import type { DraftChange } from './draft/use-draft.ts'
import { OpeningHoursField } from './week-field.tsx'
import styles from './general-step.module.css'

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
          {draft.categories.includes(name) && (
            <span className={styles.rank} aria-hidden="true">
              {draft.categories.indexOf(name) + 1}
            </span>
          )}
        </button>
      ))}
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
        <PlacePart draft={draft} change={change} />
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
