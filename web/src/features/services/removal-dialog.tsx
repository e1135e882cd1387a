// Taking a service off the menu: what stays, and what "book again" takes instead.
import type { Menu, MenuService } from '@soigne/contract/services'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useList } from '#/platform/lists.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { wordIn } from './menu.ts'
import styles from './services.module.css'

const nothing = 'nothing'

export type RemovalDialogProps = { menu: Menu; service: MenuService; onClose: () => void; onRemoved?: () => void }

function useRemoval({ service, onClose, onRemoved }: RemovalDialogProps, name: string) {
  const { t } = useTranslation('services')
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (successor: string) =>
      dashboardApi.removeService({
        params: { id: service._id },
        query: successor === nothing || successor === '' ? {} : { successorId: successor },
      }),
    onSuccess: ({ outcome }) => {
      showToast({ type: 'success', title: t(outcome === 'deleted' ? 'removal.deleted' : 'removal.archivedDone', { name }) })
      onClose()
      onRemoved?.()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKeys.menu }),
  })
}

export function RemovalDialog(props: RemovalDialogProps) {
  const { menu, service, onClose } = props
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const list = useList()
  const id = useId()
  const [successor, setSuccessor] = useState('')
  const [isAsked, setAsked] = useState(false)
  const name = wordIn(service.name, locale)
  const removal = useRemoval(props, name)
  const others = menu.items.filter((one) => one._id !== service._id && one.archivedAt === null)
  const asking = others.filter(({ prerequisites }) => prerequisites.some(({ serviceId }) => serviceId === service._id))
  const hasVisits = service.comingVisits > 0
  const isMissing = isAsked && hasVisits && successor === ''
  function remove() {
    setAsked(true)
    if (!hasVisits || successor !== '') removal.mutate(successor)
  }
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <div className={styles.dialog}>
        <h2 id={id} className="d3">
          {t('removal.title', { name })}
        </h2>
        {asking.length > 0 ? (
          <Notice tone="warning">{t('removal.required', { names: list(asking.map((one) => wordIn(one.name, locale))) })}</Notice>
        ) : (
          <>
            <p>{hasVisits ? t('removal.coming', { count: service.comingVisits }) : t('removal.delete')}</p>
            {hasVisits && (
              <SelectField
                label={t('removal.successor')}
                placeholder={t('removal.choose')}
                value={successor}
                error={isMissing ? t('removal.chooseError') : undefined}
                onChange={({ target }) => setSuccessor(target.value)}
                options={[
                  ...others.map((one) => ({ value: one._id, label: wordIn(one.name, locale) })),
                  { value: nothing, label: t('removal.nothing') },
                ]}
              />
            )}
          </>
        )}
        {removal.error && <Notice tone="error" announce title={failureText(removal.error)} />}
        <div className={styles.dialogActions}>
          <Button variant="outline" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          {asking.length === 0 && (
            <Button variant="danger" loading={removal.isPending} onClick={remove}>
              {t('remove')}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  )
}
