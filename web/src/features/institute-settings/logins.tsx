// Who works here with a login: their level, and inviting or removing somebody.
import type { Member } from '@soigne/contract/members'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './institute-settings.module.css'

const given = ['manager', 'reception', 'staff'] as const
type GivenLevel = (typeof given)[number]

function useLevels() {
  const { t } = useTranslation('institute-settings')
  return given.map((value) => ({ value, label: t(`levels.${value}`) }))
}

function usePeople() {
  const queries = useQueryClient()
  const settle = {
    onError: (error: unknown) => showToast({ type: 'error', title: failureText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKeys.institute.members }),
  }
  const change = useMutation({
    mutationFn: ({ id, level }: { id: string; level: GivenLevel }) => dashboardApi.changeMember({ params: { id }, body: { level } }),
    ...settle,
  })
  const remove = useMutation({ mutationFn: (id: string) => dashboardApi.removeMember({ params: { id } }), ...settle })
  return { change: change.mutate, remove: remove.mutate, refresh: settle.onSettled }
}

function LoginRow({ member, people }: { member: Member; people: ReturnType<typeof usePeople> }) {
  const { t } = useTranslation('institute-settings')
  const levels = useLevels()
  const times = useTimes()
  const { _id, state, email, firstName, lastName, level, since } = member
  const name = [firstName, lastName].filter(Boolean).join(' ') || email
  async function remove() {
    const message = state === 'invited' ? t('logins.withdrawText') : t('logins.removeText')
    if (await askConfirm({ title: t('logins.removeTitle', { name }), message })) people.remove(_id)
  }
  return (
    <li className={styles.setting}>
      <FaceImage name={name} photoUrl={null} size={44} />
      <div className={styles.settingWords}>
        <bdi className="strong truncate">{name}</bdi>
        <bdi className="small muted truncate">
          {state === 'invited' ? t('logins.invited', { date: times.day(since.slice(0, 10), 'UTC', 'within') }) : email}
        </bdi>
      </div>
      {level === 'owner' ? (
        <span className={styles.tag}>{t('levels.owner')}</span>
      ) : (
        <>
          <SelectField
            label={t('logins.levelOf', { name })}
            labelHidden
            options={levels}
            value={level}
            onChange={(event) => people.change({ id: _id, level: event.target.value as GivenLevel })}
          />
          <IconButton icon="trash" label={t('logins.remove', { name })} onClick={() => void remove()} />
        </>
      )}
    </li>
  )
}

function InviteDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation('institute-settings')
  const levels = useLevels()
  const [asked, setAsked] = useState<{ email: string; level: GivenLevel }>({ email: '', level: 'staff' })
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    try {
      const { state } = await dashboardApi.addMember({ body: asked })
      showToast({ type: 'success', title: state === 'joined' ? t('logins.added') : t('logins.sent', { email: asked.email }) })
      onDone()
    } catch (failure) {
      setError(fieldFailures(failure)['email'] ?? failureText(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open onClose={onClose} labelledBy="invite-title" placement="sheet">
      <form
        noValidate
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <h2 id="invite-title" className="d3">
          {t('logins.invite')}
        </h2>
        <p className="muted">{t('logins.inviteText')}</p>
        <Field
          label={t('profile.email')}
          type="email"
          dir="ltr"
          autoComplete="off"
          data-autofocus
          value={asked.email}
          error={error}
          onChange={(event) => setAsked({ ...asked, email: event.target.value })}
        />
        <SelectField
          label={t('logins.level')}
          options={levels}
          value={asked.level}
          onChange={(event) => setAsked({ ...asked, level: event.target.value as GivenLevel })}
        />
        <div className={styles.ways}>
          <Button variant="text" onClick={onClose}>
            {t('back')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('logins.send')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

export function Logins({ members }: { members: readonly Member[] }) {
  const { t } = useTranslation('institute-settings')
  const people = usePeople()
  const [isInviting, setInviting] = useState(false)
  return (
    <section className={styles.section}>
      <h2 className="d4">{t('logins.title')}</h2>
      <ul>
        {members.map((member) => (
          <LoginRow key={member._id} member={member} people={people} />
        ))}
      </ul>
      <Button icon="plus" className={styles.invite} onClick={() => setInviting(true)}>
        {t('logins.invite')}
      </Button>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onDone={() => {
            setInviting(false)
            void people.refresh()
          }}
        />
      )}
    </section>
  )
}
