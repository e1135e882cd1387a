// What the server says against a form, for the kit, which knows no server.
import type { FormRefusal } from '#/kit/form.tsx'
import { failureText, fieldFailures } from '#/platform/api-error.ts'

/** Also a server that could not be asked: what was typed stays, and the form says why it was not sent. */
export function refusalOf(error: unknown): FormRefusal {
  return { message: failureText(error), fields: fieldFailures(error) }
}
