// The passkeys of an account, in its settings: each can be named and removed.
import type { Passkey } from '@soigne/contract/passkeys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { ownZone, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { Field } from '#/ui/field.tsx'
import { Modal } from '#/ui/modal.tsx'
import { showToast } from '#/ui/toasts.ts'
import { AddPasskey } from './add-passkey.tsx'
import { usePasskeysHere } from './device.ts'
import { useOneField } from './use-one-field.ts'
import factRow from '#/fact-row.module.css'
import styles from './passkeys.module.css'

function NameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const queries = useQueryClient()
  const id = useId()
  const { busy, problem, submit } = useOneField('name', {
    missing: t('passkeys.nameMissing'),
    async send(name) {
      const { message } = await api.renamePasskey({ params: { id: passkey._id }, body: { name } })
      showToast({ type: 'success', title: message })
      onClose()
      await queries.invalidateQueries({ queryKey: queryKeys.passkeys })
    },
  })
  return (
    <Modal open onClose={onClose} labelledBy={id}>
      <h2 id={id} className="d3">
        {t('passkeys.rename')}
      </h2>
      <form noValidate className={styles.form} onSubmit={submit}>
        <Field
          label={t('passkeys.nameLabel')}
          autoComplete="off"
          name="name"
          defaultValue={passkey.name}
          maxLength={80}
          data-autofocus
          error={problem}
        />
        <div className={styles.ways}>
          <Button type="submit" loading={busy}>
            {t('passkeys.save')}
          </Button>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('settings')
  const times = useTimes()
  const queries = useQueryClient()
  const [isNaming, setNaming] = useState(false)
  const { _id, name, madeAt, lastUsedAt } = passkey
  const remove = useMutation({
    mutationFn: () => api.removePasskey({ params: { id: _id } }),
    onSuccess: ({ message }) => showToast({ type: 'success', title: message }),
    onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.passkeys }),
  })
  async function ask() {
    if (await askConfirm({ title: t('passkeys.removeQuestion', { name }), message: t('passkeys.removeText') })) remove.mutate()
  }
  const zone = ownZone()
  return (
    <li>
      <div className={styles.what}>
        <span className={factRow.mark}>
          <Icon name="key" size={22} />
        </span>
        <div>
          <p className="strong">
            <bdi>{name}</bdi>
          </p>
          <p className="small muted">{t('passkeys.made', { day: times.dayOfInstant(madeAt, zone) })}</p>
          <p className="small muted">
            {lastUsedAt === null
              ? t('passkeys.unused')
              : t('passkeys.lastUsed', { day: times.dayOfInstant(lastUsedAt, zone), time: timeText(lastUsedAt, zone) })}
          </p>
        </div>
      </div>
      <div className={styles.ways}>
        <Button variant="text" onClick={() => setNaming(true)} aria-label={t('passkeys.renameNamed', { name })}>
          {t('passkeys.rename')}
        </Button>
        <Button variant="text" loading={remove.isPending} onClick={() => void ask()} aria-label={t('passkeys.removeNamed', { name })}>
          {t('passkeys.remove')}
        </Button>
      </div>
      {isNaming && <NameDialog passkey={passkey} onClose={() => setNaming(false)} />}
    </li>
  )
}

/** Nothing where the browser knows no passkeys and the account has none. */
export function PasskeyList({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation('settings')
  const isHere = usePasskeysHere()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: async ({ signal }) => (await api.passkeys({}, { signal })).items,
  })
  if (error && !data)
    return (
      <ErrorState title={t('passkeys.failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  const kept = data ?? []
  if (!isHere && kept.length === 0) return null
  return (
    <div>
      <AddPasskey hasPassword={hasPassword} isHere={isHere} count={kept.length} />
      {kept.length > 0 && (
        <ul className={styles.rows} aria-label={t('passkeys.title')}>
          {kept.map((passkey) => (
            <PasskeyRow key={passkey._id} passkey={passkey} />
          ))}
        </ul>
      )}
    </div>
  )
}
