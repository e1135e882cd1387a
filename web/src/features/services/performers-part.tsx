// Who performs a service, some with their own time and price.
import type { Menu } from '@soigne/contract/services'
import { useFieldArray, useWatch } from 'react-hook-form'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import { AmountField } from './price-part.tsx'
import type { ServiceForm } from './service-form.tsx'
import styles from './editor.module.css'

type OwnProps = { form: ServiceForm; menu: Menu; at: number; name: string; isAsked: boolean }

/** Somebody's own minutes: all parts or none. */
function OwnMinutes({ form, at, name }: Omit<OwnProps, 'menu' | 'isAsked'>) {
  const { t } = useTranslation('services')
  const [active, idle = 0, after = 0] = useWatch({
    control: form.control,
    name: ['activeMinutes', 'idleMinutes', 'activeAfterMinutes'],
  })
  const own = useWatch({ control: form.control, name: `performers.${at}.minutes` })
  const parts = [
    { part: 'activeMinutes', label: t('form.ownWork', { name }), menus: active },
    ...(idle > 0
      ? ([
          { part: 'idleMinutes', label: t('form.ownWait', { name }), menus: idle },
          { part: 'activeAfterMinutes', label: t('form.ownFinish', { name }), menus: after },
        ] as const)
      : []),
  ] as const
  const errors = form.formState.errors.performers?.[at]?.minutes
  function set(part: (typeof parts)[number]['part'], typed: string) {
    const minutes = typed === '' ? null : Number(typed)
    const before = own ?? { activeMinutes: active, idleMinutes: idle, activeAfterMinutes: after }
    // Emptied, the menu's time holds again.
    const next = minutes === null ? null : { ...before, [part]: minutes }
    form.setValue(`performers.${at}.minutes`, next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return parts.map(({ part, label, menus }) => (
    <Field
      key={part}
      label={label}
      type="number"
      inputMode="numeric"
      step={5}
      min={0}
      placeholder={String(menus)}
      value={own?.[part] ?? ''}
      error={errors?.[part]?.message}
      end={<span className="small muted">{t('form.minutes')}</span>}
      onChange={({ target }) => set(part, target.value)}
    />
  ))
}

function OwnTerms({ form, menu, at, name, isAsked }: OwnProps) {
  const { t } = useTranslation('services')
  return (
    <div className={styles.minutes}>
      <OwnMinutes form={form} at={at} name={name} />
      {!isAsked && (
        <AmountField form={form} name={`performers.${at}.priceAmount`} label={t('form.ownPrice', { name })} currency={menu.currency} />
      )}
    </div>
  )
}

export function PerformersPart({ form, menu }: { form: ServiceForm; menu: Menu }) {
  const { t } = useTranslation('services')
  const performers = useFieldArray({ control: form.control, name: 'performers' })
  const isAsked = useWatch({ control: form.control, name: 'priceKind' }) === 'on_request'
  const placeOf = (id: string): number => performers.fields.findIndex(({ staffId }) => staffId === id)
  if (menu.team.length === 0) return <p className="small muted">{t('form.noTeam')}</p>
  function toggle(id: string) {
    const at = placeOf(id)
    if (at >= 0) performers.remove(at)
    else performers.append({ staffId: id, minutes: null, priceAmount: null }, { shouldFocus: false })
  }
  return (
    <section className={styles.part1}>
      <h2 className={styles.heading}>{t('form.who')}</h2>
      <div role="group" aria-label={t('form.who')} className={styles.chips}>
        {menu.team.map(({ _id, name, imageUrl }) => (
          <button
            key={_id}
            type="button"
            aria-pressed={placeOf(_id) >= 0}
            className={classNames(styles.chip, styles.person, placeOf(_id) >= 0 && styles.chosen)}
            onClick={() => toggle(_id)}
          >
            <FaceImage name={name} photoUrl={imageUrl} size={30} />
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
      {performers.fields.length === 0 && <p className="small muted">{t('form.whoNone')}</p>}
      {performers.fields.length > 0 && (
        <details className={styles.more}>
          <summary>
            <span>
              <span className="strong">{t('form.own')}</span>
              <span className="small muted">{t('form.ownHint')}</span>
            </span>
            <Icon name="chevron-down" size={18} />
          </summary>
          <div className={styles.own}>
            {performers.fields.map((field, at) => {
              const member = menu.team.find(({ _id }) => _id === field.staffId)
              return member && <OwnTerms key={field.id} form={form} menu={menu} at={at} name={member.name} isAsked={isAsked} />
            })}
          </div>
        </details>
      )}
    </section>
  )
}
