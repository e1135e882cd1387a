// A room, a chair or a machine: its type, its name, and days on which it cannot be used.
import { resourceInput, type Resource, type Resources } from '@soigne/contract/resources'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { DateField } from '#/kit/date-field.tsx'
import { useContractForm, useKitField } from '#/kit/form.tsx'
import { KitInDialog } from '#/kit/provider.tsx'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './resources-page.module.css'

type Closure = Resource['closures'][number]

function Closures({ value, today, onChange }: { value: readonly Closure[]; today: string; onChange: (to: Closure[]) => void }) {
  const { t } = useTranslation('team')
  const change = (at: number, to: Partial<Closure>) =>
    onChange(
      value.map((one, index) => {
        const next = index === at ? { ...one, ...to } : one
        return next.toDay < next.fromDay ? { fromDay: next.fromDay, toDay: next.fromDay } : next
      }),
    )
  return (
    <fieldset className={styles.closures}>
      <legend className="small strong">{t('resources.closures')}</legend>
      {value.map((one, at) => (
        <div key={at} className={styles.closure}>
          <DateField label={t('timeOff.first')} value={one.fromDay} onChange={(fromDay) => fromDay && change(at, { fromDay })} />
          <DateField
            label={t('timeOff.last')}
            value={one.toDay}
            earliest={one.fromDay}
            onChange={(toDay) => toDay && change(at, { toDay })}
          />
          <IconButton
            icon="trash"
            iconSize={18}
            label={t('resources.open')}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button variant="text" size="small" icon="plus" onClick={() => onChange([...value, { fromDay: today, toDay: today }])}>
        {t('resources.close')}
      </Button>
    </fieldset>
  )
}

function useRemove(resource: Resource | undefined, onClose: () => void) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  return async () => {
    if (!resource) return
    onClose()
    if (!(await askConfirm({ title: t('resources.removeTitle', { name: resource.name }), message: t('resources.removeText') }))) return
    try {
      const { message } = await dashboardApi.removeResource({ params: { id: resource._id } })
      showToast({ type: 'success', title: message })
      await queries.invalidateQueries({ queryKey: dashboardKeys.resources })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    }
  }
}

function useResourceForm(page: Resources, resource: Resource | undefined, onClose: () => void) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  const valuesOf = (stored: Resource | undefined) => ({
    type: stored?.type ?? page.types[0]?.type ?? '',
    name: stored?.name ?? '',
    note: stored?.note ?? '',
    closures: stored?.closures ?? [],
  })
  return useContractForm(resourceInput, {
    defaultValues: valuesOf(resource),
    async storedNow(read) {
      const stored = resource && (await dashboardApi.resources({})).items.find(({ _id }) => _id === resource._id)
      return stored ? valuesOf(stored) : read
    },
    refusalOf: (error) => ({ message: failureText(error), fields: fieldFailures(error) }),
    async send(body) {
      if (resource) {
        const { appointments } = await dashboardApi.changeResource({ params: { id: resource._id }, body })
        if (appointments.length > 0)
          showToast({
            type: 'warning',
            title: t('resources.met', { count: appointments.length }),
            line: t('timeOff.stay'),
            durationMs: 9000,
          })
      } else await dashboardApi.addResource({ body })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
      onClose()
    },
  })
}

export function ResourceDialog({ page, resource, onClose }: { page: Resources; resource: Resource | undefined; onClose: () => void }) {
  const { t } = useTranslation('team')
  const id = useId()
  const remove = useRemove(resource, onClose)
  const form = useResourceForm(page, resource, onClose)
  const closures = useKitField(form.control, 'closures')
  const { errors, isSubmitting } = form.formState
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <KitInDialog>
        <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
          <h2 id={id} className="d4">
            {resource ? <bdi>{resource.name}</bdi> : t('resources.add')}
          </h2>
          {form.aboveForm.length > 0 && <Notice tone="error" announce title={form.aboveForm.join(' ')} />}
          <Field
            label={t('resources.type')}
            hint={t('resources.typeHint')}
            list={`${id}types`}
            autoComplete="off"
            error={errors.type?.message}
            {...form.register('type')}
          />
          <datalist id={`${id}types`}>
            {page.types.map(({ type }) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </datalist>
          <Field label={t('resources.name')} autoComplete="off" error={errors.name?.message} {...form.register('name')} />
          <Field label={t('resources.note')} autoComplete="off" error={errors.note?.message} {...form.register('note')} />
          <Closures value={closures.value ?? []} today={page.today} onChange={closures.onChange} />
          <div className={styles.answers}>
            <Button type="submit" loading={isSubmitting}>
              {t('save')}
            </Button>
            <Button variant="outline" onClick={onClose}>
              {t('cancel')}
            </Button>
            {resource && (
              <Button variant="text" onClick={() => void remove()}>
                {t('resources.remove')}
              </Button>
            )}
          </div>
        </form>
      </KitInDialog>
    </Modal>
  )
}
