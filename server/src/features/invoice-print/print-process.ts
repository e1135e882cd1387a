/** The process that draws documents: alone, after everybody else who wants a processor, and knowing nothing but the sheet it is sent. */
import { setPriority } from 'node:os'
import { drawCard } from './card-drawing.ts'
import { draw } from './drawing.ts'
import type { PrintAnswer, Printable } from './printer.ts'

try {
  setPriority(5)
} catch {
  // A machine that knows no priorities.
}
// A terminal's Ctrl-C reaches every process of its group; the server lets go of this one.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (sheet: Printable) => {
  const drawn = 'code' in sheet ? drawCard(sheet) : draw(sheet)
  drawn
    .then(
      (pdf): PrintAnswer => ({ pdf }),
      (error: unknown): PrintAnswer => ({ error: String(error) }),
    )
    .then((answer) => process.send?.(answer))
    .catch(() => process.exit(1))
})
