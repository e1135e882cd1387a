import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { LostWork } from '#/platform/process-pool.ts'
import { cuts, pinned } from '#/testing/pin-print-faces.ts'
import { openPrinter, type Printer, type PrinterOptions } from './printer.ts'
import type { Sheet } from './sheet.ts'

const sheet: Sheet = {
  locale: 'en',
  title: 'Invoice 1',
  day: '2026-11-20',
  heading: 'Invoice',
  number: '1',
  seller: { name: 'Atelier', below: [] },
  facts: [],
  heads: { name: 'Description', staff: '', quantity: '', rate: '', amount: '' },
  lines: [{ name: 'Cut', staff: '', quantity: '1', rate: '20%', amount: '€1.00' }],
  payments: null,
  rates: { title: '', heads: [], rows: [] },
  totals: { net: ['', ''], vat: ['', ''], total: ['', '€1.00'], left: null },
  thanks: null,
  legal: '',
  seal: '',
}
const opened: Printer[] = []
afterEach(() => opened.splice(0).forEach((printer) => printer.close()))
function open(options: Partial<PrinterOptions> = {}): Printer {
  const printer = openPrinter({ limitMs: 200_000, ...options })
  opened.push(printer)
  return printer
}
const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-'
const lost = (reason: string): unknown => expect.objectContaining({ reason, constructor: LostWork })

it('a process that is killed is replaced, whether it was at work or not', async () => {
  const printer = open()
  expect(isPdf(await printer.print(sheet))).toBe(true)
  const first = printer.pid() ?? 0
  process.kill(first, 'SIGKILL')
  expect(isPdf(await printer.print(sheet))).toBe(true)
  const second = printer.pid() ?? 0
  expect(second).not.toBe(first)
  const atWork = printer.print(sheet)
  await Promise.resolve()
  process.kill(second, 'SIGKILL')
  expect(isPdf(await atWork)).toBe(true)
})

it('a process is renewed after so many documents', async () => {
  const printer = open({ documents: 2 })
  await printer.print(sheet)
  const first = printer.pid()
  expect(first).toBeDefined()
  await printer.print(sheet)
  expect(printer.pid()).toBeUndefined()
  expect(isPdf(await printer.print(sheet))).toBe(true)
  expect(printer.pid()).not.toBe(first)
})

it('what is too slow, too much, or comes after the end is refused; what cannot be drawn is a failure of ours', async () => {
  await expect(open({ limitMs: 1 }).print(sheet)).rejects.toEqual(lost('slow'))
  await expect(open({ waiting: 0 }).print(sheet)).rejects.toEqual(lost('full'))
  const printer = open()
  await expect(printer.print({ ...sheet, day: 'never' })).rejects.toThrow('could not be printed')
  expect(isPdf(await printer.print(sheet))).toBe(true)
  printer.close()
  await expect(printer.print(sheet)).rejects.toEqual(lost('closed'))
})

it('the faces are those of the screens, cut and renamed', async () => {
  for (const cut of cuts)
    expect([cut.to, (await pinned(cut)).equals(readFileSync(join(import.meta.dirname, 'faces', cut.to)))]).toEqual([cut.to, true])
})
