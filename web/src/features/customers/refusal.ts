// What the server says against a form, for the kit, which knows no server.
import type { FormRefusal } from '#/kit/form.tsx'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { showToast } from '#/ui/toasts.ts'

/** Also a server that could not be asked: what was typed stays, and the form says why it was not sent. */
export function refusalOf(error: unknown): FormRefusal {
  return { message: failureText(error), fields: fieldFailures(error) }
}

/** What was asked for with one press, and did not happen. */
export const showFailure = (error: unknown): void => void showToast({ type: 'error', title: failureText(error) })
