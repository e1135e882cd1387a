// What a registration needs, what is wrong with what was typed, and sending it.
import { passwordMinimum } from '#/contract/limits.ts'
import type { Role } from '@soigne/contract/wire'
import type { TFunction } from 'i18next'
import { useState, type FormEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { api } from '#/platform/api.ts'
import { failureText, fieldFailures, refusalCode } from '#/platform/api-error.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { paths } from '#/paths.ts'
import { showToast } from '#/ui/toasts.ts'
import { looksLikeEmail, typedFields, withoutMended, type Typed } from '#/ui/typed-fields.ts'

const fieldNames = ['firstName', 'lastName', 'email', 'phone', 'password', 'acceptTerms'] as const
type FieldName = (typeof fieldNames)[number]

/** Why a field cannot stay as it is, in the order of the form. */
export type Problems = Partial<Record<FieldName, string>>

function problemsOf(typed: Typed<FieldName>, t: TFunction<'session'>): Problems {
  const problems: Problems = {}
  if (!typed.firstName.trim()) problems.firstName = t('problem.firstNameMissing')
  if (!typed.lastName.trim()) problems.lastName = t('problem.lastNameMissing')
  if (!typed.email.trim()) problems.email = t('problem.emailMissing')
  else if (!looksLikeEmail(typed.email)) problems.email = t('problem.emailWrong')
  if (typed.password.length < passwordMinimum) problems.password = t('problem.passwordShort')
  if (!typed.acceptTerms) problems.acceptTerms = t('problem.termsMissing')
  return problems
}

function problemsFrom(error: unknown): Problems {
  if (refusalCode(error) === 'email_taken') return { email: failureText(error) }
  if (refusalCode(error) === 'password_common') return { password: failureText(error) }
  return fieldFailures(error)
}

function bodyOf(typed: Typed<FieldName>, role: Role) {
  const { firstName, lastName, email, phone, password } = typed
  const base = { firstName: firstName.trim(), lastName: lastName.trim(), email: email.trim(), password, role }
  return { ...base, ...(phone.trim() ? { phone: phone.trim() } : {}), acceptTerms: true as const }
}

export function useRegistration(from: string | null) {
  const { t } = useTranslation('session')
  const { open } = useSessionActions()
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})

  async function send(typed: Typed<FieldName>, role: Role): Promise<Problems> {
    setBusy(true)
    try {
      const { token } = await api.register({ body: bodyOf(typed, role) })
      await open(token, role === 'isPro' ? paths.mySalon : (from ?? paths.home))
      return {}
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
      setBusy(false)
      return problemsFrom(error)
    }
  }

  /** Answers with the problems that keep the account from being made. */
  async function register(form: HTMLFormElement, role: Role): Promise<Problems> {
    const typed = typedFields(form, fieldNames)
    const missing = problemsOf(typed, t)
    const found = Object.keys(missing).length > 0 ? missing : await send(typed, role)
    setProblems(found)
    return found
  }

  return { busy, problems, mend: (event: FormEvent) => setProblems((found) => withoutMended(found, event)), register }
}
