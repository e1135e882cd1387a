// Who the institute is, as clients read it.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { useState } from 'react'
import { audiences, categories, languages } from '#/contract/closed-lists.ts'
import { NumberField } from '#/kit/number-field.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Checkbox, Switch } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { SaveBar, SettingRow } from './setting-parts.tsx'
import { useDraft, type Draft } from './use-settings.ts'
import styles from './institute-settings.module.css'

type ProfileDraft = Draft<'profile'>
const locales = ['en', 'fr', 'ar'] as const
/** What every address of a page begins with, in each language. */
const addressStart = 'https://'

function Description({ draft }: { draft: ProfileDraft }) {
  const { t, i18n } = useTranslation('institute-settings')
  const [locale, setLocale] = useState(locales.find((one) => one === i18n.language) ?? 'en')
  const { description } = draft.value
  return (
    <div className={styles.stack}>
      <Segmented
        label={t('profile.language')}
        size="small"
        options={locales.map((value) => ({ value, label: t(`locales.${value}`) }))}
        value={locale}
        onChange={setLocale}
      />
      <TextArea
        label={t('profile.description')}
        hint={t('profile.descriptionHint')}
        rows={6}
        maxLength={2000}
        lang={locale}
        dir={locale === 'ar' ? 'rtl' : 'ltr'}
        value={description[locale] ?? ''}
        error={draft.errors[`description.${locale}`]}
        onChange={(event) => draft.set({ description: { ...description, [locale]: event.target.value } })}
      />
    </div>
  )
}

function Contact({ draft, city }: { draft: ProfileDraft; city: string }) {
  const { t } = useTranslation('institute-settings')
  const { value, errors, set } = draft
  return (
    <div className={styles.pair}>
      <Field
        label={t('profile.email')}
        type="email"
        dir="ltr"
        value={value.email}
        error={errors['email']}
        onChange={(event) => set({ email: event.target.value })}
      />
      <Field
        label={t('profile.phone')}
        type="tel"
        dir="ltr"
        value={value.phone}
        error={errors['phone']}
        onChange={(event) => set({ phone: event.target.value })}
      />
      <Field
        label={t('profile.website')}
        type="url"
        dir="ltr"
        placeholder={addressStart}
        value={value.website}
        error={errors['website']}
        onChange={(event) => set({ website: event.target.value })}
      />
      <Field label={t('profile.city')} value={city} readOnly hint={t('profile.cityHint')} />
      <Field
        label={t('profile.address')}
        value={value.addressLine}
        error={errors['addressLine']}
        onChange={(event) => set({ addressLine: event.target.value })}
      />
      <Field
        label={t('profile.postalCode')}
        dir="ltr"
        value={value.postalCode}
        error={errors['postalCode']}
        onChange={(event) => set({ postalCode: event.target.value })}
      />
    </div>
  )
}

type SeveralProps<Value extends string> = {
  legend: string
  all: readonly Value[]
  chosen: readonly Value[]
  labelOf: (value: Value) => string
  error?: string | undefined
  onChange: (chosen: Value[]) => void
}

function Several<Value extends string>({ legend, all, chosen, labelOf, error, onChange }: SeveralProps<Value>) {
  // Those chosen keep their order: the first category is what an institute is above all.
  const toggle = (one: Value) => onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
  return (
    <fieldset className={styles.several}>
      <legend className="strong">{legend}</legend>
      <div className={styles.checks}>
        {all.map((one) => (
          <Checkbox key={one} label={labelOf(one)} checked={chosen.includes(one)} onChange={() => toggle(one)} />
        ))}
      </div>
      {error && (
        <p className={`small ${styles.problem}`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function AtHome({ draft: { value, set } }: { draft: ProfileDraft }) {
  const { t } = useTranslation('institute-settings')
  const title = t('profile.atHome')
  const toggle = () => set({ atHome: !value.atHome, atHomeRadiusKm: value.atHome ? null : (value.atHomeRadiusKm ?? 10) })
  return (
    <>
      <SettingRow title={title} hint={t('profile.atHomeHint')}>
        <Switch label={title} labelHidden checked={value.atHome} onChange={toggle} />
      </SettingRow>
      {value.atHome && (
        <>
          <NumberField
            label={t('profile.radius')}
            value={value.atHomeRadiusKm}
            least={1}
            most={200}
            format={{ style: 'unit', unit: 'kilometer' }}
            onChange={(atHomeRadiusKm) => set({ atHomeRadiusKm })}
          />
          <NumberField
            label={t('profile.travel')}
            hint={t('profile.travelHint')}
            value={value.homeTravelMinutes ?? null}
            least={0}
            most={240}
            step={5}
            format={{ style: 'unit', unit: 'minute' }}
            onChange={(minutes) => set(minutes === null ? {} : { homeTravelMinutes: minutes })}
          />
        </>
      )}
    </>
  )
}

function Offer({ draft }: { draft: ProfileDraft }) {
  const { t } = useTranslation('institute-settings')
  const { t: label } = useTranslation('labels')
  const { value, errors, set } = draft
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('profile.offer')}</h2>
      <Several
        legend={t('profile.categories')}
        all={categories}
        chosen={value.categories}
        labelOf={(one) => label(`categories.${one}`)}
        error={errors['categories']}
        onChange={(chosen) => set({ categories: chosen })}
      />
      <Several
        legend={t('profile.audience')}
        all={audiences}
        chosen={value.audience}
        labelOf={(one) => label(`audiences.${one}`)}
        error={errors['audience']}
        onChange={(chosen) => set({ audience: chosen })}
      />
      <Several
        legend={t('profile.languages')}
        all={languages}
        chosen={value.languages}
        labelOf={(one) => label(`languages.${one}`)}
        error={errors['languages']}
        onChange={(chosen) => set({ languages: chosen })}
      />
      <AtHome draft={draft} />
    </section>
  )
}

export function ProfilePart({ settings }: { settings: InstituteSettings }) {
  const { t } = useTranslation('institute-settings')
  const draft = useDraft('profile', settings)
  return (
    <div className={styles.narrow}>
      <section className={styles.section}>
        <h2 className="d4">{t('profile.who')}</h2>
        <Field
          label={t('profile.name')}
          maxLength={120}
          value={draft.value.name}
          error={draft.errors['name']}
          onChange={(event) => draft.set({ name: event.target.value })}
        />
        <Description draft={draft} />
      </section>
      <section className={styles.section}>
        <h2 className="d4">{t('profile.contact')}</h2>
        <Contact draft={draft} city={settings.city} />
      </section>
      <Offer draft={draft} />
      <SaveBar
        changes={draft.changes}
        isSaving={draft.isSaving}
        note={t('profile.note')}
        onUndo={draft.undo}
        onSave={() => void draft.save()}
      />
    </div>
  )
}
