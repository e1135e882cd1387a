// One service of the menu, opened: its name, what it takes and costs, for whom, and what comes before it.
import { useState } from 'react'
import { audiences } from '#/contract/closed-lists.ts'
import { currencySign } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import type { DraftService, SetupDraft } from './draft/draft.ts'
import { nameIn } from './draft/name-in.ts'
import { ageOf, currencyOf, longest, minutesOf, partsAreWhole, priceIsWhole } from './draft/send-draft.ts'
import styles from './services-step.module.css'

const presets = ['20', '40', '60', '80', '100']

/** Work, waiting, work again, as long as they are. */
export function PartsBar({ service }: { service: DraftService }) {
  const { t } = useTranslation('setup')
  const [active, idle, after] = [service.active, service.idle, service.after].map((text) => minutesOf(text) ?? 0)
  if (!idle) return null
  return (
    <div className={styles.bar} role="img" aria-label={t('services.free', { count: idle })}>
      <span style={{ flexGrow: active }}>{active}</span>
      <span className={styles.idle} style={{ flexGrow: idle }}>
        {t('services.freeShort', { count: idle })}
      </span>
      <span style={{ flexGrow: after }}>{after}</span>
    </div>
  )
}

export type ServiceEditorProps = {
  service: DraftService
  draft: SetupDraft
  onChange: (part: Partial<DraftService>) => void
  onClose: () => void
}

type Part = keyof typeof longest
const parts: readonly Part[] = ['active', 'idle', 'after', 'buffer']

function MinutesField({ part, service, onChange }: Pick<ServiceEditorProps, 'service' | 'onChange'> & { part: Part }) {
  const { t } = useTranslation('setup')
  const value = service[part]
  const minutes = minutesOf(value)
  const error =
    minutes === null ? t('services.steps') : minutes > longest[part] ? t('services.longest', { most: longest[part] }) : undefined
  return (
    <Field
      label={t(`services.${part}`)}
      inputMode="numeric"
      maxLength={3}
      value={value}
      onChange={(event) => onChange({ [part]: event.target.value })}
      error={error}
    />
  )
}

/** Folded while nobody waits and nothing in it is wrong; it stays as somebody opened it while they change what is inside. */
function Parts({ service, onChange }: Pick<ServiceEditorProps, 'service' | 'onChange'>) {
  const { t } = useTranslation('setup')
  const [isOpen, setOpen] = useState(
    service.idle !== '' || service.after !== '' || service.buffer !== '' || (service.active !== '' && !partsAreWhole(service)),
  )
  const isSaidBeside = parts.some((part) => (minutesOf(service[part]) ?? Infinity) > longest[part])
  return (
    <details className={styles.more} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('services.parts')}</summary>
      <div className={styles.parts}>
        {parts.map((part) => (
          <MinutesField key={part} part={part} service={service} onChange={onChange} />
        ))}
      </div>
      {!partsAreWhole(service) && !isSaidBeside && <p className={styles.wrong}>{t('services.partsWrong')}</p>}
    </details>
  )
}

function ForWhom({ service, onChange }: Pick<ServiceEditorProps, 'service' | 'onChange'>) {
  const { t } = useTranslation(['setup', 'labels'])
  return (
    <div className={styles.audience}>
      <p className="label-heading">{t('setup:people.audience')}</p>
      <Segmented
        label={t('setup:people.audience')}
        options={audiences.map((value) => ({ value, label: t(`labels:audiences.${value}`) }))}
        value={service.audience}
        onChange={(audience) => onChange({ audience })}
        size="small"
      />
    </div>
  )
}

function Needs({ service, draft, onChange }: Omit<ServiceEditorProps, 'onClose'>) {
  const { t, i18n } = useTranslation('setup')
  const [needed] = service.prerequisites
  const others = draft.services.filter(({ key, prerequisites }) => key !== service.key && prerequisites.length === 0)
  if (others.length === 0) return null
  return (
    <SelectField
      label={t('services.needs')}
      hint={needed ? t('services.needsHint', { count: needed.minHours }) : undefined}
      placeholder={t('services.needsNothing')}
      value={needed?.key ?? ''}
      options={others.map(({ key, name }) => ({ value: key, label: nameIn(name, i18n.language) || t('services.unnamed') }))}
      onChange={({ target: { value } }) => onChange({ prerequisites: value === '' ? [] : [{ key: value, minHours: 48, maxMonths: 6 }] })}
    />
  )
}

/** Folded where neither says anything; it stays as somebody opened it while they change what is inside. */
function MoreRules({ service, onChange }: Pick<ServiceEditorProps, 'service' | 'onChange'>) {
  const { t } = useTranslation('setup')
  const [isOpen, setOpen] = useState(service.isSequential || service.minimumAge !== '')
  return (
    <details className={styles.more} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('services.rules')}</summary>
      <div className={styles.rules}>
        <Field
          label={t('services.age')}
          hint={t('services.ageHint')}
          inputMode="numeric"
          maxLength={2}
          value={service.minimumAge}
          onChange={(event) => onChange({ minimumAge: event.target.value })}
          error={ageOf(service.minimumAge) === undefined ? t('services.ageWrong') : undefined}
        />
        <div>
          <Switch
            label={t('services.sequential')}
            checked={service.isSequential}
            onChange={({ target }) => onChange({ isSequential: target.checked })}
          />
          <p className="small muted">{t('services.sequentialText')}</p>
        </div>
      </div>
    </details>
  )
}

export function ServiceEditor({ service, draft, onChange, onClose }: ServiceEditorProps) {
  const { t, i18n } = useTranslation('setup')
  const isPreset = service.idle === '' && service.after === ''
  const name = nameIn(service.name, i18n.language)
  const sign = currencySign(currencyOf(draft), i18n.language)
  return (
    <section className={`raised ${styles.edit}`} aria-label={name || t('services.new')}>
      <div className={styles.editHead}>
        <h3 className="d4">{name || t('services.new')}</h3>
        <IconButton icon="close" label={t('services.done')} onClick={onClose} />
      </div>
      <div className={styles.pair}>
        <Field
          label={t('services.name')}
          maxLength={120}
          value={name}
          // What was written in other languages is of the name before.
          onChange={(event) => onChange({ name: { [i18n.language]: event.target.value } })}
        />
        <Field
          label={t('services.price')}
          inputMode="decimal"
          maxLength={11}
          end={<span className="muted">{sign}</span>}
          value={service.price}
          disabled={service.priceKind === 'on_request'}
          onChange={(event) => onChange({ price: event.target.value })}
          error={service.price !== '' && !priceIsWhole(service, currencyOf(draft)) ? t('services.priceWrong') : undefined}
        />
      </div>
      <div role="group" aria-label={t('services.duration')}>
        <p className="label-heading">{t('services.duration')}</p>
        <div className={styles.chips}>
          {presets.map((minutes) => (
            <FilterChip
              key={minutes}
              selected={isPreset && service.active === minutes}
              onClick={() => onChange({ active: minutes, idle: '', after: '' })}
            >
              {t('services.minutes', { count: Number(minutes) })}
            </FilterChip>
          ))}
        </div>
      </div>
      <Parts service={service} onChange={onChange} />
      <PartsBar service={service} />
      <ForWhom service={service} onChange={onChange} />
      <Needs service={service} draft={draft} onChange={onChange} />
      <MoreRules service={service} onChange={onChange} />
      <Button variant="soft" icon="check" onClick={onClose}>
        {t('services.done')}
      </Button>
    </section>
  )
}
