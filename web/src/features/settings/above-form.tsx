// What the server says against a form, for the kit, which knows no server; and how what belongs to no field of it is shown.
import type { FormRefusal } from '#/kit/form.tsx'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { Notice } from '#/ui/notice.tsx'

/** Also a server that could not be asked: what was typed stays, and the form says why it was not sent. */
export function refusalOf(error: unknown): FormRefusal {
  return { message: failureText(error), fields: fieldFailures(error) }
}

export function AboveForm({ lines }: { lines: readonly string[] }) {
  return lines.length > 0 && <Notice tone="error" announce title={lines.join(' ')} />
}
