// What is wrong and belongs to no field.
import { Notice } from '#/ui/notice.tsx'

export function AboveForm({ lines }: { lines: readonly string[] }) {
  return lines.length > 0 && <Notice tone="error" announce title={lines.join(' ')} />
}
