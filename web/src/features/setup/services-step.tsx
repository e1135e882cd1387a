// Step 2: the menu. A starter menu by category, lines that are dropped or opened, and what each takes and costs.
import type { Category } from '@soigne/contract/wire'
import { useState } from 'react'
import { categories } from '#/contract/closed-lists.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { moneyText } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { type DraftService, newKey, type SetupDraft, type Words } from './draft/draft.ts'
import { useFailureWords } from './draft/failure-words.ts'
import { amountOf, currencyOf, minutesOf, partsAreWhole } from './draft/send-draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { moved } from './draft/moved.ts'
import { nameIn } from './draft/name-in.ts'
import { PartsBar, ServiceEditor } from './service-editor.tsx'
import { backAt, useDropped } from './draft/use-dropped.ts'
import styles from './services-step.module.css'

type StepProps = { draft: SetupDraft; change: DraftChange }

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
  isSequential: false,
  minimumAge: '',
  priceKind: 'fixed',
  price: '',
  audience: 'All',
  prerequisites: [],
})

const typed = (minutes: number): string => (minutes === 0 ? '' : String(minutes))

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
    isSequential: one.isSequential,
    minimumAge: one.minimumAge === null ? '' : String(one.minimumAge),
    price: needed.has(one.key) ? '0' : '',
    audience: one.audience,
    prerequisites: one.prerequisites.map((each) => ({ ...each, key: keys.get(each.key) ?? '' })),
  }))
}

const wordsOf = (words: { en?: string | undefined; fr?: string | undefined; ar?: string | undefined }): Words =>
  Object.fromEntries(Object.entries(words).flatMap(([locale, text]) => (text ? [[locale, text]] : [])))

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
  const { i18n } = useTranslation('setup')
  const failureWords = useFailureWords()
  const sayDropped = useDropped()
  const [busy, setBusy] = useState<Category | null>(null)
  const set = (services: DraftService[]) => change({ services })
  return {
    busy,
    changeOne: (key: string, part: Partial<DraftService>) =>
      set(draft.services.map((one) => (one.key === key ? { ...one, ...part } : one))),
    drop(service: DraftService) {
      const before = draft.services
      const isOf = ({ key }: { key: string }) => key === service.key
      set(before.filter((one) => !isOf(one)).map((one) => ({ ...one, prerequisites: one.prerequisites.filter((each) => !isOf(each)) })))
      /** What needed it needs it again, where it needs nothing else meanwhile. */
      const needed = (one: DraftService): DraftService['prerequisites'] =>
        one.prerequisites.length > 0 ? one.prerequisites : (before.find(({ key }) => key === one.key)?.prerequisites.filter(isOf) ?? [])
      sayDropped(nameIn(service.name, i18n.language), () =>
        change(({ services }) => ({
          services: backAt(
            services.map((one) => ({ ...one, prerequisites: needed(one) })),
            service,
            before.indexOf(service),
          ),
        })),
      )
    },
    move: (key: string, by: number) => set(moved(draft.services, (one) => one.key === key, by)),
    add(category: Category): string {
      const made = blank(category)
      set([...draft.services, made])
      return made.key
    },
    async start(category: Category) {
      setBusy(category)
      try {
        const starters = await startersOf(category)
        change(({ services }) => ({ services: [...services, ...starters] }))
      } catch (error) {
        showToast({ type: 'error', title: failureWords(error) })
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
              <ServiceEditor
                service={service}
                draft={draft}
                onChange={(part) => menu.changeOne(service.key, part)}
                onClose={() => setOpen(null)}
              />
            </li>
          ) : (
            <Line
              key={service.key}
              service={service}
              draft={draft}
              onEdit={() => setOpen(service.key)}
              onChange={(part) => menu.changeOne(service.key, part)}
              onDrop={() => menu.drop(service)}
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
