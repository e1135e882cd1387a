// Who signs in as a member; the owner invites, and others read what is.
import type { TeamMember } from '@soigne/contract/team'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './team-member.module.css'

const given = ['staff', 'reception', 'manager'] as const
type Given = (typeof given)[number]

function Invite({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [level, setLevel] = useState<Given>('staff')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function send(event: SyntheticEvent) {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const { state } = await dashboardApi.addMember({ body: { email, level, staffId: member._id } })
      showToast({ type: 'success', title: t(state === 'joined' ? 'login.nowIn' : 'login.sent', { email }) })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    } catch (failure) {
      setError(fieldFailures(failure)['email'] ?? failureText(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate className={styles.invite} onSubmit={(event) => void send(event)}>
      <Field
        label={t('login.email')}
        type="email"
        dir="ltr"
        autoComplete="off"
        value={email}
        error={error}
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField
        label={t('login.level')}
        value={level}
        onChange={({ target }) => setLevel(given.find((one) => one === target.value) ?? 'staff')}
        options={given.map((value) => ({ value, label: t(`level.${value}`) }))}
      />
      <Button type="submit" variant="soft" icon="mail" loading={busy}>
        {t('login.invite')}
      </Button>
    </form>
  )
}

export function LoginPart({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team')
  const { login } = member
  // Only the owner gives access: whoever is refused this reads what is and changes nothing.
  const people = useQuery({ queryKey: dashboardKeys.people, queryFn: ({ signal }) => dashboardApi.members({}, { signal }), retry: false })
  return (
    <section className={styles.part} aria-labelledby="login">
      <h2 id="login" className="d4">
        {t('login.title')}
      </h2>
      <p className="muted">
        {login ? t(`login.${login.state}`, { level: t(`level.${login.level}`) }) : people.data ? t('login.text') : t('login.none')}
      </p>
      {!login && people.data && <Invite member={member} />}
    </section>
  )
}
