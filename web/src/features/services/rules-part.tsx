// What must have been before, what it needs, and the rules most services do without.
import type { Menu } from '@soigne/contract/services'
import { useController, useFieldArray } from 'react-hook-form'
import { audiences, venues } from '#/contract/closed-lists.ts'
import { useKitField } from '#/kit/form.tsx'
import { NumberField } from '#/kit/number-field.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { wordIn } from './menu.ts'
import type { ServiceForm } from './service-form.tsx'
import styles from './editor.module.css'

type PartProps = { form: ServiceForm; menu: Menu; id: string | null }

export function FirstPart({ form, menu, id }: PartProps) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const first = useFieldArray({ control: form.control, name: 'prerequisites' })
  const others = menu.items.filter(
    (one) => one._id !== id && (one.archivedAt === null || first.fields.some(({ serviceId }) => serviceId === one._id)),
  )
  const errors = form.formState.errors.prerequisites
  if (others.length === 0) return null
  return (
    <section className={styles.part1}>
      <div>
        <h2 className={styles.heading}>{t('form.first')}</h2>
        <p className="small muted">{t('form.firstText')}</p>
      </div>
      {first.fields.map((field, at) => (
        <div key={field.id} className={styles.condition}>
          <SelectField
            label={t('form.firstService')}
            options={others.map((one) => ({ value: one._id, label: wordIn(one.name, locale) }))}
            error={errors?.[at]?.serviceId?.message}
            {...form.register(`prerequisites.${at}.serviceId`)}
          />
          <Field
            label={t('form.hours')}
            type="number"
            min={0}
            error={errors?.[at]?.minHours?.message}
            {...form.register(`prerequisites.${at}.minHours`, { valueAsNumber: true })}
          />
          <Field
            label={t('form.months')}
            type="number"
            min={1}
            error={errors?.[at]?.maxMonths?.message}
            {...form.register(`prerequisites.${at}.maxMonths`, { valueAsNumber: true })}
          />
          <IconButton icon="close" label={t('form.removeFirst')} onClick={() => first.remove(at)} className={styles.remove} />
        </div>
      ))}
      {first.fields.length < Math.min(5, others.length) && (
        <Button
          variant="text"
          size="small"
          icon="plus"
          className={styles.addLine}
          onClick={() => first.append({ serviceId: others[0]?._id ?? '', minHours: 48, maxMonths: 6 }, { shouldFocus: false })}
        >
          {t('form.addFirst')}
        </Button>
      )}
    </section>
  )
}

export function ResourceField({ form, menu }: Omit<PartProps, 'id'>) {
  const { t } = useTranslation('services')
  const { field } = useController({ control: form.control, name: 'resourceType' })
  const isKnown = menu.resourceTypes.some(({ type }) => type === field.value)
  const options = [
    ...menu.resourceTypes.map(({ type, count }) => ({ value: type, label: t('form.resourceCount', { type, count }) })),
    ...(field.value && !isKnown ? [{ value: field.value, label: field.value }] : []),
  ]
  if (options.length === 0) return null
  return (
    <SelectField
      label={t('form.resource')}
      placeholder={t('form.noResource')}
      options={options}
      value={field.value ?? ''}
      onChange={({ target }) => field.onChange(target.value || null)}
    />
  )
}

/** Where it is done; asked where somebody comes to people's homes. */
export function VenueField({ form, menu }: Omit<PartProps, 'id'>) {
  const { t } = useTranslation('services')
  const { field, fieldState } = useController({ control: form.control, name: 'venue' })
  if (!menu.comesHome && (field.value ?? 'salon') === 'salon') return null
  return (
    <SelectField
      label={t('form.venue')}
      hint={t('form.venueHint')}
      options={venues.map((value) => ({ value, label: t(`form.venues.${value}`) }))}
      error={fieldState.error?.message}
      value={field.value ?? 'salon'}
      onChange={({ target }) => field.onChange(target.value)}
    />
  )
}

function WholeField({ form, name, label, hint }: { form: ServiceForm; name: 'minimumAge' | 'capacity'; label: string; hint: string }) {
  const { value, onChange, ...field } = useKitField(form.control, name)
  return <NumberField {...field} label={label} hint={hint} value={value ?? null} onChange={onChange} />
}

function NoticeField({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('services')
  const { value, onChange, ...field } = useKitField(form.control, 'noticeMinutes')
  return (
    <NumberField
      {...field}
      label={t('form.notice')}
      hint={t('form.noticeHint')}
      value={value == null ? null : value / 60}
      onChange={(hours) => onChange(hours === null ? null : Math.round(hours * 60))}
    />
  )
}

function LatestField({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('services')
  const field = useKitField(form.control, 'latestStart')
  return <TimeField {...field} label={t('form.latest')} hint={t('form.latestHint')} value={field.value ?? null} />
}

export function MoreRules({ form }: { form: ServiceForm }) {
  const { t } = useTranslation(['services', 'labels'])
  const signature = useController({ control: form.control, name: 'isSignature' }).field
  const sequential = useController({ control: form.control, name: 'isSequential' }).field
  return (
    <details className={styles.more}>
      <summary>
        <span>
          <span className="strong">{t('form.more')}</span>
          <span className="small muted">{t('form.moreText')}</span>
        </span>
        <Icon name="chevron-down" size={18} />
      </summary>
      <div className={styles.rules}>
        <SelectField
          label={t('form.audience')}
          options={audiences.map((value) => ({ value, label: t(`labels:audiences.${value}`) }))}
          {...form.register('audience')}
        />
        <Field
          label={t('form.before')}
          hint={t('form.beforeHint')}
          type="number"
          inputMode="numeric"
          step={5}
          min={0}
          end={<span className="small muted">{t('form.minutes')}</span>}
          error={form.formState.errors.bufferBeforeMinutes?.message}
          {...form.register('bufferBeforeMinutes', { valueAsNumber: true })}
        />
        <LatestField form={form} />
        <NoticeField form={form} />
        <WholeField form={form} name="minimumAge" label={t('form.age')} hint={t('form.ageHint')} />
        <WholeField form={form} name="capacity" label={t('form.capacity')} hint={t('form.capacityHint')} />
        <div className={styles.signature}>
          <Switch
            label={t('form.sequential')}
            checked={sequential.value === true}
            onChange={({ target }) => sequential.onChange(target.checked)}
          />
          <p className="small muted">{t('form.sequentialText')}</p>
        </div>
        <div className={styles.signature}>
          <Switch
            label={t('form.signature')}
            checked={signature.value === true}
            onChange={({ target }) => signature.onChange(target.checked)}
          />
          <p className="small muted">{t('form.signatureText')}</p>
        </div>
      </div>
    </details>
  )
}
