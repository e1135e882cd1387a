// What a service is called, in each language, and where it stands on the menu.
import type { Menu } from '@soigne/contract/services'
import type { Locale } from '@soigne/contract/wire'
import { useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { categories } from '#/contract/closed-lists.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Field } from '#/ui/field.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { groupsOf, keyOf, languageNames, menuLocales, wordIn } from './menu.ts'
import type { ServiceForm } from './service-form.tsx'
import styles from './editor.module.css'

const none = '\n\n'
const another = 'another'

function SectionField({ form, menu, language }: { form: ServiceForm; menu: Menu; language: Locale }) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const { field } = useController({ control: form.control, name: 'section' })
  const groups = groupsOf(menu).filter(({ key }) => key !== none)
  const key = keyOf(field.value ?? {})
  const isKnown = key === none || groups.some((group) => group.key === key)
  const [isNaming, setNaming] = useState(!isKnown)
  function choose(chosen: string) {
    setNaming(chosen === another)
    field.onChange({ en: '', fr: '', ar: '', ...groups.find((group) => group.key === chosen)?.section })
  }
  return (
    <>
      <SelectField
        label={t('form.section')}
        value={isNaming ? another : key}
        onChange={({ target }) => choose(target.value)}
        options={[
          { value: none, label: t('form.noSection') },
          ...groups.map((group) => ({ value: group.key, label: wordIn(group.section, locale) })),
          { value: another, label: t('form.anotherSection') },
        ]}
      />
      {isNaming && (
        <Field
          label={t('form.newSection')}
          maxLength={60}
          dir="auto"
          value={field.value?.[language] ?? ''}
          onChange={({ target }) => field.onChange({ ...field.value, [language]: target.value })}
        />
      )}
    </>
  )
}

export function TextsPart({ form, menu }: { form: ServiceForm; menu: Menu }) {
  const { t } = useTranslation(['services', 'labels'])
  const { locale } = useTimes()
  const [name] = useWatch({ control: form.control, name: ['name'] })
  const own = menuLocales.find((one) => one === locale) ?? 'en'
  // What was written in one language alone is shown in that one first.
  const [language, setLanguage] = useState<Locale>(() => (name[own] ? own : (menuLocales.find((one) => name[one]) ?? own)))
  const category = useController({ control: form.control, name: 'category' }).field
  const { errors } = form.formState
  const read = menuLocales.find((one) => name[one])
  return (
    <section className={styles.part1}>
      <Segmented
        label={t('form.language')}
        value={language}
        onChange={setLanguage}
        className={styles.languages}
        options={menuLocales.map((value) => ({ value, label: languageNames[value] }))}
      />
      <Field
        key={`name ${language}`}
        label={t('form.name')}
        maxLength={120}
        dir="auto"
        lang={language}
        hint={!name[language] && read ? t('form.missing', { language: languageNames[read] }) : undefined}
        error={errors.name?.[language]?.message ?? (errors.name?.message as string | undefined)}
        {...form.register(`name.${language}`)}
      />
      <Field
        key={`description ${language}`}
        label={t('form.words')}
        hint={t('form.wordsHint')}
        maxLength={400}
        dir="auto"
        lang={language}
        error={errors.description?.[language]?.message}
        {...form.register(`description.${language}`)}
      />
      <div className={styles.pair}>
        <SelectField
          label={t('form.category')}
          options={categories.map((value) => ({ value, label: t(`labels:categories.${value}`) }))}
          value={category.value}
          onChange={category.onChange}
        />
        <SectionField form={form} menu={menu} language={language} />
      </div>
    </section>
  )
}
