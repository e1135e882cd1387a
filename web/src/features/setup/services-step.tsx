// Step 2: the menu. A starter menu by category, lines that are dropped or opened, and what each takes and costs.
import type { Category } from '@soigne/contract/wire'
import { useState } from 'react'
import { audiences, categories } from '#/contract/closed-lists.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { currencySign, moneyText } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { showToast } from '#/ui/toasts.ts'
import { type DraftService, newKey, type SetupDraft, type Words } from './draft/draft.ts'
import { amountOf, currencyOf, minutesOf, partsAreWhole, priceIsWhole } from './draft/send-draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { moved } from './draft/moved.ts'
import styles from './services-step.module.css'

type StepProps = { draft: SetupDraft; change: DraftChange }
const presets = ['20', '40', '60', '80', '100']

const blank = (category: Category): DraftService => ({
  key: newKey(),
  category,
  section: {},
  name: {},
  description: {},
  active: '40',
  idle: '',
  after: '',
  buffer: '',
  priceKind: 'fixed',
  price: '',
  audience: 'All',
  prerequisites: [],
})

const typed = (minutes: number): string => (minutes === 0 ? '' : String(minutes))
const nameIn = (words: Words, locale: string): string => words[locale as keyof Words] ?? words.en ?? words.fr ?? words.ar ?? ''

/** What many institutes of a category begin with; a patch test is free unless somebody says otherwise. */
async function startersOf(category: Category): Promise<DraftService[]> {
  const { items } = await dashboardApi.serviceStarters({ query: { category } })
  const keys = new Map(items.map(({ key }) => [key, newKey()]))
  const needed = new Set(items.flatMap(({ prerequisites }) => prerequisites.map(({ key }) => key)))
  return items.map((one) => ({
    ...blank(category),
    key: keys.get(one.key) ?? newKey(),
    section: wordsOf(one.section),
    name: wordsOf(one.name),
    description: wordsOf(one.description),
    active: typed(one.activeMinutes),
    idle: typed(one.idleMinutes),
    after: typed(one.activeAfterMinutes),
    buffer: typed(one.bufferAfterMinutes),
    price: needed.has(one.key) ? '0' : '',
    audience: one.audience,
    prerequisites: one.prerequisites.map((each) => ({ ...each, key: keys.get(each.key) ?? '' })),
  }))
}

const wordsOf = (words: { en?: string | undefined; fr?: string | undefined; ar?: string | undefined }): Words =>
  Object.fromEntries(Object.entries(words).flatMap(([locale, text]) => (text ? [[locale, text]] : [])))

/** Work, waiting, work again, as long as they are. */
function PartsBar({ service }: { service: DraftService }) {
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

type EditProps = { service: DraftService; draft: SetupDraft; onChange: (part: Partial<DraftService>) => void; onClose: () => void }

function MinutesField({
  label,
  value,
  hint,
  onChange,
}: {
  label: string
  value: string
  hint?: string
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('setup')
  return (
    <Field
      label={label}
      inputMode="numeric"
      maxLength={3}
      value={value}
      hint={hint}
      onChange={(event) => onChange(event.target.value)}
      error={minutesOf(value) === null ? t('services.steps') : undefined}
    />
  )
}

function Parts({ service, onChange }: Pick<EditProps, 'service' | 'onChange'>) {
  const { t } = useTranslation('setup')
  const isWhole = partsAreWhole(service)
  const minutes = [service.active, service.idle, service.after, service.buffer].map(minutesOf)
  return (
    <details className={styles.more} open={service.idle !== '' || service.after !== '' || service.buffer !== ''}>
      <summary>{t('services.parts')}</summary>
      <div className={styles.parts}>
        <MinutesField label={t('services.active')} value={service.active} onChange={(active) => onChange({ active })} />
        <MinutesField label={t('services.idle')} value={service.idle} onChange={(idle) => onChange({ idle })} />
        <MinutesField label={t('services.after')} value={service.after} onChange={(after) => onChange({ after })} />
        <MinutesField label={t('services.buffer')} value={service.buffer} onChange={(buffer) => onChange({ buffer })} />
      </div>
      {!isWhole && !minutes.includes(null) && <p className={styles.wrong}>{t('services.partsWrong')}</p>}
    </details>
  )
}

function Needs({ service, draft, onChange }: Omit<EditProps, 'onClose'>) {
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

function Edit({ service, draft, onChange, onClose }: EditProps) {
  const { t, i18n } = useTranslation(['setup', 'labels'])
  const isPreset = service.idle === '' && service.after === ''
  const name = nameIn(service.name, i18n.language)
  const sign = currencySign(currencyOf(draft), i18n.language)
  return (
    <section className={`raised ${styles.edit}`} aria-label={name || t('setup:services.new')}>
      <div className={styles.editHead}>
        <h3 className="d4">{name || t('setup:services.new')}</h3>
        <IconButton icon="close" label={t('setup:services.done')} onClick={onClose} />
      </div>
      <div className={styles.pair}>
        <Field
          label={t('setup:services.name')}
          maxLength={120}
          value={name}
          // What was written in other languages is of the name before.
          onChange={(event) => onChange({ name: { [i18n.language]: event.target.value } })}
        />
        <Field
          label={t('setup:services.price')}
          inputMode="decimal"
          maxLength={11}
          end={<span className="muted">{sign}</span>}
          value={service.price}
          disabled={service.priceKind === 'on_request'}
          onChange={(event) => onChange({ price: event.target.value })}
          error={service.price !== '' && !priceIsWhole(service, currencyOf(draft)) ? t('setup:services.priceWrong') : undefined}
        />
      </div>
      <div role="group" aria-label={t('setup:services.duration')}>
        <p className="label-heading">{t('setup:services.duration')}</p>
        <div className={styles.chips}>
          {presets.map((minutes) => (
            <FilterChip
              key={minutes}
              selected={isPreset && service.active === minutes}
              onClick={() => onChange({ active: minutes, idle: '', after: '' })}
            >
              {t('setup:services.minutes', { count: Number(minutes) })}
            </FilterChip>
          ))}
        </div>
      </div>
      <Parts service={service} onChange={onChange} />
      <PartsBar service={service} />
      <Segmented
        label={t('setup:people.audience')}
        options={audiences.map((value) => ({ value, label: t(`labels:audiences.${value}`) }))}
        value={service.audience}
        onChange={(audience) => onChange({ audience })}
      />
      <Needs service={service} draft={draft} onChange={onChange} />
      <Button variant="soft" icon="check" onClick={onClose}>
        {t('setup:services.done')}
      </Button>
    </section>
  )
}

type LineProps = {
  service: DraftService
  draft: SetupDraft
  onEdit: () => void
  onChange: (part: Partial<DraftService>) => void
  onDrop: () => void
  onMove: (by: number) => void
}

function Line({ service, draft, onEdit, onChange, onDrop, onMove }: LineProps) {
  const { t, i18n } = useTranslation('setup')
  const name = nameIn(service.name, i18n.language) || t('services.unnamed')
  const currency = currencyOf(draft)
  const amount = amountOf(service.price, currency)
  const total = [service.active, service.idle, service.after].reduce((sum, text) => sum + (minutesOf(text) ?? 0), 0)
  const isWhole = partsAreWhole(service)
  return (
    <li className={styles.line}>
      <span className={styles.order}>
        <IconButton
          icon="chevron-down"
          iconSize={16}
          className={styles.up}
          label={t('services.earlier', { name })}
          onClick={() => onMove(-1)}
        />
        <IconButton icon="chevron-down" iconSize={16} label={t('services.later', { name })} onClick={() => onMove(1)} />
      </span>
      <div className={styles.text}>
        <p className="strong">{name}</p>
        {!isWhole && <p className={styles.wrong}>{t('services.stepsMissing')}</p>}
        <PartsBar service={service} />
      </div>
      <bdi className="muted">{t('services.minutes', { count: total })}</bdi>
      <Field
        label={t('services.priceOf', { name })}
        labelHidden
        inputMode="decimal"
        maxLength={11}
        placeholder={moneyText({ amount: 0, currency }, i18n.language).replace(/[\d.,٠-٩]+/, '0')}
        frameClassName={styles.price}
        value={service.price}
        onChange={(event) => onChange({ price: event.target.value })}
        error={service.price !== '' && amount === null ? t('services.priceWrong') : undefined}
      />
      <IconButton icon="edit" label={t('services.edit', { name })} onClick={onEdit} />
      <IconButton icon="trash" label={t('services.drop', { name })} onClick={onDrop} />
    </li>
  )
}

function useMenu({ draft, change }: StepProps) {
  const [busy, setBusy] = useState<Category | null>(null)
  const set = (services: DraftService[]) => change({ services })
  return {
    busy,
    changeOne: (key: string, part: Partial<DraftService>) =>
      set(draft.services.map((one) => (one.key === key ? { ...one, ...part } : one))),
    drop: (key: string) =>
      set(
        draft.services
          .filter((one) => one.key !== key)
          .map((one) => ({ ...one, prerequisites: one.prerequisites.filter((each) => each.key !== key) })),
      ),
    move: (key: string, by: number) => set(moved(draft.services, (one) => one.key === key, by)),
    add(category: Category): string {
      const made = blank(category)
      set([...draft.services, made])
      return made.key
    },
    async start(category: Category) {
      setBusy(category)
      try {
        set([...draft.services, ...(await startersOf(category))])
      } catch (error) {
        showToast({ type: 'error', title: failureText(error) })
      } finally {
        setBusy(null)
      }
    },
  }
}

export function ServicesStep({ draft, change }: StepProps) {
  const { t } = useTranslation(['setup', 'labels'])
  const menu = useMenu({ draft, change })
  const [open, setOpen] = useState<string | null>(null)
  const own = draft.categories.length > 0 ? draft.categories : categories
  const left = own.filter((category) => !draft.services.some((one) => one.category === category))
  return (
    <>
      {left.length > 0 && (
        <div className={styles.starters}>
          <p className="label-heading">{t('setup:services.starters')}</p>
          <div className={styles.chips}>
            {left.map((category) => (
              <Button
                key={category}
                variant="outline"
                loading={menu.busy === category}
                onClick={() => void menu.start(category)}
                aria-label={t('setup:services.startWith', { category: t(`labels:categories.${category}`) })}
              >
                <CategoryIcon name={category} size={22} />
                {t(`labels:categories.${category}`)}
              </Button>
            ))}
          </div>
        </div>
      )}
      <ul className={styles.lines} aria-label={t('setup:steps.services')}>
        {draft.services.map((service) =>
          service.key === open ? (
            <li key={service.key}>
              <Edit service={service} draft={draft} onChange={(part) => menu.changeOne(service.key, part)} onClose={() => setOpen(null)} />
            </li>
          ) : (
            <Line
              key={service.key}
              service={service}
              draft={draft}
              onEdit={() => setOpen(service.key)}
              onChange={(part) => menu.changeOne(service.key, part)}
              onDrop={() => menu.drop(service.key)}
              onMove={(by) => menu.move(service.key, by)}
            />
          ),
        )}
      </ul>
      <Button variant="soft" icon="plus" onClick={() => setOpen(menu.add(own[0] ?? 'hair'))}>
        {t('setup:services.add')}
      </Button>
    </>
  )
}
