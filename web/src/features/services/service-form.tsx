// The editor of a service: what is wrong stands at its field, and nobody loses what they typed by leaving.
import { type Menu, type MenuService, type ServiceInput, serviceInput, type ServiceSent } from '@soigne/contract/services'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { type ContractForm, useContractForm } from '#/kit/form.tsx'
import { useLeaveGuard } from '#/leave-guard.ts'
import { paths } from '#/paths.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { usePriceText } from '#/prices.ts'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import { DurationEditor } from './duration-editor.tsx'
import { lengthOf, valuesOf, wordIn } from './menu.ts'
import { rangeOf } from './menu-row.tsx'
import { PerformersPart } from './performers-part.tsx'
import { PricePart } from './price-part.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { FirstPart, MoreRules, ResourceField, VenueField } from './rules-part.tsx'
import { TextsPart } from './texts-part.tsx'
import styles from './editor.module.css'

export type ServiceForm = ContractForm<ServiceSent, ServiceInput>

function useServiceForm(service: MenuService | null, defaultValues: ServiceSent) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [key] = useState(() => crypto.randomUUID())
  const leave = useRef(() => {})
  const form = useContractForm(serviceInput, {
    defaultValues,
    inParts: ['name', 'description'],
    storedNow: service
      ? async (read) => {
          const { items } = await dashboardApi.services({})
          const stored = items.find(({ _id }) => _id === service._id)
          // One that is gone is refused by the server.
          return stored ? valuesOf(stored) : read
        }
      : undefined,
    refusalOf: (error) => ({ message: failureText(error), fields: fieldFailures(error) }),
    async send(body) {
      const saved = service
        ? await dashboardApi.changeService({ params: { id: service._id }, body })
        : await dashboardApi.addService({ body, idempotencyKey: key })
      showToast({ type: 'success', title: service ? t('form.saved') : t('form.created', { name: wordIn(saved.name, locale) }) })
      await queries.invalidateQueries({ queryKey: dashboardKeys.menu })
      leave.current()
      void navigate(paths.services)
    },
  })
  const allowLeaving = useLeaveGuard(form.formState.isDirty)
  useEffect(() => {
    leave.current = allowLeaving
  })
  return { form, allowLeaving }
}

function ActiveSwitch({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('services')
  const { field } = useController({ control: form.control, name: 'active' })
  return <Switch label={t('form.active')} checked={field.value === true} onChange={({ target }) => field.onChange(target.checked)} />
}

/** As clients read it on the menu, while it is written. */
function Preview({ form, menu }: { form: ServiceForm; menu: Menu }) {
  const { t } = useTranslation(['services', 'labels'])
  const times = useTimes()
  const price = usePriceText()
  const service = useWatch({ control: form.control })
  const { priceKind = 'fixed', priceAmount = null, minimumAge, capacity, audience, prerequisites, venue } = service
  const minutes = lengthOf({ ...service, activeMinutes: service.activeMinutes ?? 0 })
  const facts = [
    ...(capacity ? [t('form.previewSeats', { count: capacity })] : []),
    ...(venue && venue !== 'salon' ? [t(`form.venues.${venue}`)] : []),
    ...(audience && audience !== 'All' ? [t(`labels:audiences.${audience}`)] : []),
    ...(minimumAge ? [t('form.previewAge', { age: minimumAge })] : []),
    ...(prerequisites ?? []).flatMap(({ serviceId, minHours }) => {
      const first = menu.items.find(({ _id }) => _id === serviceId)
      return first ? [t('form.previewCondition', { service: wordIn(first.name, times.locale), count: minHours ?? 0 })] : []
    }),
  ]
  return (
    <section className={styles.preview} aria-label={t('form.preview')}>
      <h2 className={styles.heading}>{t('form.preview')}</h2>
      <div className={styles.previewRow}>
        <div>
          <p className="strong">
            <bdi>{wordIn(service.name ?? {}, times.locale) || t('form.name')}</bdi>
          </p>
          <p className="small muted">{wordIn(service.description ?? {}, times.locale)}</p>
          <p className="small muted">
            <bdi className="tabular">{Number.isNaN(minutes) ? '' : times.duration(minutes)}</bdi>
            {facts.map((fact) => ` · ${fact}`).join('')}
          </p>
        </div>
        {(priceAmount !== null || priceKind === 'on_request') && (
          <bdi className="strong tabular">{price(rangeOf({ priceKind, priceAmount }, menu.currency))}</bdi>
        )}
      </div>
    </section>
  )
}

export type ServiceEditorProps = { menu: Menu; service: MenuService | null; values: ServiceSent }

export function ServiceEditor({ menu, service, values }: ServiceEditorProps) {
  const { t } = useTranslation('services')
  const navigate = useNavigate()
  const { form, allowLeaving } = useServiceForm(service, values)
  const [isRemoving, setRemoving] = useState(false)
  const id = service?._id ?? null
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      {form.aboveForm.length > 0 && <Notice tone="error" announce title={form.aboveForm.join(' ')} />}
      <TextsPart form={form} menu={menu} />
      <DurationEditor form={form} menu={menu} id={id} />
      <PricePart form={form} menu={menu} />
      <PerformersPart form={form} menu={menu} />
      <FirstPart form={form} menu={menu} id={id} />
      <section className={styles.part1}>
        <VenueField form={form} menu={menu} />
        <ResourceField form={form} menu={menu} />
        <MoreRules form={form} />
        <ActiveSwitch form={form} />
      </section>
      <Preview form={form} menu={menu} />
      <div className={styles.save}>
        {service && service.archivedAt === null && (
          <Button variant="text" className={styles.removal} onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        )}
        <Button type="submit" loading={form.formState.isSubmitting} className={styles.saveButton}>
          {t(service ? 'form.save' : 'form.create')}
        </Button>
      </div>
      {service && isRemoving && (
        <RemovalDialog
          menu={menu}
          service={service}
          onClose={() => setRemoving(false)}
          onRemoved={() => {
            allowLeaving()
            void navigate(paths.services)
          }}
        />
      )}
    </form>
  )
}
