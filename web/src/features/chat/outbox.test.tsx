/** What waits for a connection, through the end of the page. */
import { act, cleanup, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ChatMessage } from '@soigne/contract/chat'
import { minuteMs } from '@soigne/contract/time'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { UnsentItem } from './message-item.tsx'

const id = '019b2a00-0000-7000-8000-000000000001'
const userId = '019b2a00-0000-7000-8000-00000000000a'

/** What a browser keeps, whatever page is open. */
function fakeCaches() {
  const kept = new Map<string, Response>()
  const cache = {
    put: async (address: string, response: Response) => void kept.set(address, response),
    match: async (address: string) => kept.get(address)?.clone(),
    delete: async (address: string) => kept.delete(address),
  }
  vi.stubGlobal('caches', { open: async () => cache })
  return kept
}
/** The module as a page that was opened anew has it. */
async function openPage() {
  vi.resetModules()
  return import('./outbox.ts')
}

let sessions = 0
const state = { isCut: true, line: Promise.resolve(), asked: 0, cuts: 0, refuses: '', cutOnce: '' }
const sent: { text: string; file: string }[] = []
beforeEach(() => {
  localStorage.clear()
  // Pages of the tests before hear of the line, too.
  localStorage.setItem('AuthToken', `t${sessions++}`)
  Object.assign(state, { isCut: true, line: Promise.resolve(), asked: 0, cuts: 0, refuses: '', cutOnce: '' })
  sent.length = 0
  fakeServer({
    async sendMessage({ body }) {
      state.asked++
      await state.line
      if (state.isCut) {
        state.cuts++
        throw new TypeError('Failed to fetch')
      }
      const given = body instanceof FormData ? Object.fromEntries(body) : (body as Record<string, string>)
      if (given['text'] === state.cutOnce) {
        state.cutOnce = ''
        throw new TypeError('Failed to fetch')
      }
      if (given['text'] === state.refuses) return refused(403, { code: 'forbidden', message: 'No.' })
      const { file } = given
      sent.push({ text: String(given['text'] ?? ''), file: file instanceof File ? `${file.name} ${file.type} ${file.size}` : '' })
      return {} as ChatMessage
    },
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('two texts and a picture wait with the page closed, and go out once, in order, whatever page is opened next', async () => {
  const kept = fakeCaches()
  const before = await openPage()
  const { result } = renderHook(() => before.useOutbox({ id, userId, known: [], onSent: () => {} }))
  result.current.write({ text: 'First' })
  result.current.write({ file: new File([new Uint8Array(300)], 'coupe d’hiver.png', { type: 'image/png' }) })
  result.current.write({ text: 'Last' })
  await waitFor(() => expect(kept.size).toBe(1))
  expect(sent).toEqual([])
  cleanup()

  state.isCut = false
  const after = await openPage()
  after.resumeAll(userId)
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent).toEqual([
    { text: 'First', file: '' },
    { text: '', file: 'coupe d’hiver.png image/png 300' },
    { text: 'Last', file: '' },
  ])
  await waitFor(() => expect(kept.size).toBe(0))
  const later = await openPage()
  later.resumeAll(userId)
  const { result: shown } = renderHook(() => later.useOutbox({ id, userId, known: [], onSent: () => {} }))
  expect(shown.current.unsent).toEqual([])
})

it('what waits goes out with the next line, also where the page shows something else by then', async () => {
  const page = await openPage()
  const { result } = renderHook(() => page.useOutbox({ id, userId, known: [], onSent: () => {} }))
  result.current.write({ text: 'From the tunnel' })
  await waitFor(() => expect(result.current.unsent.map(({ failure }) => failure)).toEqual(['']))
  cleanup()
  state.isCut = false
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(sent.map(({ text }) => text)).toEqual(['From the tunnel']))
})

it('what waits is tried again while the server is away, less and less often', async () => {
  const page = await openPage()
  const { result } = renderHook(() => page.useOutbox({ id, userId, known: [], onSent: () => {} }))
  vi.useFakeTimers()
  result.current.write({ text: 'Later' })
  await act(() => vi.advanceTimersByTimeAsync(29_000))
  state.isCut = false
  await act(() => vi.advanceTimersByTimeAsync(900))
  expect(sent).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(sent.map(({ text }) => text)).toEqual(['Later'])
})

it('what waits with no line at all is not tried again before there is one', async () => {
  const page = await openPage()
  const { result } = renderHook(() => page.useOutbox({ id, userId, known: [], onSent: () => {} }))
  vi.useFakeTimers()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  result.current.write({ text: 'From the tunnel' })
  await act(() => vi.advanceTimersByTimeAsync(10 * minuteMs))
  expect(state.asked).toBe(1)
})

it('after one has gone out the next that fails is tried again as soon as the first was', async () => {
  const page = await openPage()
  const { result } = renderHook(() => page.useOutbox({ id, userId, known: [], onSent: () => {} }))
  vi.useFakeTimers()
  for (const text of ['One', 'Two']) {
    state.isCut = true
    result.current.write({ text })
    await act(() => vi.advanceTimersByTimeAsync(5000))
    state.isCut = false
    await act(() => vi.advanceTimersByTimeAsync(5100))
    expect(sent.at(-1)?.text).toBe(text)
  }
})

it('nothing overtakes what waits for the line; what is refused for good holds nothing up', async () => {
  Object.assign(state, { isCut: false, cutOnce: 'First', refuses: 'Refused' })
  const page = await openPage()
  const { result } = renderHook(() => page.useOutbox({ id, userId, known: [], onSent: () => {} }))
  const failures = () => result.current.unsent.map(({ text, failure }) => `${text}: ${failure}`)
  for (const text of ['First', 'Refused', 'Last']) result.current.write({ text })
  await waitFor(() => expect(failures()[0]).toBe('First: '))
  expect(sent).toEqual([])
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(sent.map(({ text }) => text)).toEqual(['First', 'Last']))
  await waitFor(() => expect(failures()).toEqual(['Refused: No.']))
})

it('where the browser keeps nothing the texts wait, and the page goes on', async () => {
  const before = await openPage()
  const { result } = renderHook(() => before.useOutbox({ id, userId, known: [], onSent: () => {} }))
  result.current.write({ file: new File(['x'], 'a.png', { type: 'image/png' }) })
  result.current.write({ text: 'Hello' })
  await waitFor(() => expect(result.current.unsent.map(({ failure }) => failure)).toContain(''))
  cleanup()
  state.isCut = false
  const after = await openPage()
  after.resumeAll(userId)
  await waitFor(() => expect(sent).toEqual([{ text: 'Hello', file: '' }]))
})

it('what one person has left is sent by no other, and is forgotten with the next who signs in', async () => {
  const before = await openPage()
  const { result } = renderHook(() => before.useOutbox({ id, userId, known: [], onSent: () => {} }))
  result.current.write({ text: 'From the first' })
  await waitFor(() => expect(result.current.unsent.map(({ failure }) => failure)).toContain(''))
  before.keepDraft({ id, userId }, 'Half a word')
  const elsewhere = '019b2a00-0000-7000-8000-000000000002'
  before.keepDraft({ id: elsewhere, userId }, 'Half another')
  cleanup()

  state.isCut = false
  localStorage.setItem('AuthToken', 'of another')
  const other = '019b2a00-0000-7000-8000-00000000000b'
  // A line that comes back, before anything of the second is open.
  dispatchEvent(new Event('online'))
  expect([before.draftOf({ id, userId: other }), before.draftOf({ id: elsewhere, userId: other })]).toEqual(['', ''])
  // The same page, and one that is opened anew.
  for (const { useOutbox, resumeAll, draftOf } of [before, await openPage()]) {
    resumeAll(other)
    const { result: shown } = renderHook(() => useOutbox({ id, userId: other, known: [], onSent: () => {} }))
    expect([shown.current.unsent, draftOf({ id, userId: other })]).toEqual([[], ''])
    shown.current.write({ text: 'From the second' })
    await waitFor(() => expect(shown.current.unsent).toEqual([]))
    cleanup()
  }
  expect(sent.map(({ text }) => text)).toEqual(['From the second', 'From the second'])
  for (const words of ['From the first', 'Half a']) expect(localStorage.getItem('unsentMessages') ?? '').not.toContain(words)
})

it('what fails after the next person has signed in is not kept among what is theirs', async () => {
  const page = await openPage()
  const { result } = renderHook(() => page.useOutbox({ id, userId, known: [], onSent: () => {} }))
  let cut = (): void => {}
  state.line = new Promise((resolve) => (cut = resolve))
  result.current.write({ text: 'From the first' })
  await waitFor(() => expect(state.asked).toBe(1))
  localStorage.setItem('AuthToken', 'of another')
  localStorage.removeItem('unsentMessages')
  cut()
  await waitFor(() => expect(state.cuts).toBe(1))
  state.isCut = false
  const [elsewhere, other] = ['019b2a00-0000-7000-8000-000000000002', '019b2a00-0000-7000-8000-00000000000b']
  const { result: shown } = renderHook(() => page.useOutbox({ id: elsewhere, userId: other, known: [], onSent: () => {} }))
  shown.current.write({ text: 'From the second' })
  await waitFor(() => expect(sent.map(({ text }) => text)).toEqual(['From the second']))
  expect(localStorage.getItem('unsentMessages') ?? '').not.toContain('From the first')
})

it('whoever signed out leaves nothing that was on its way', async () => {
  const page = await openPage()
  const { result } = renderHook(() => page.useOutbox({ id, userId, known: [], onSent: () => {} }))
  let open = (): void => {}
  state.line = new Promise((resolve) => (open = resolve))
  result.current.write({ text: 'On its way' })
  await waitFor(() => expect(state.asked).toBe(1))
  localStorage.removeItem('AuthToken')
  localStorage.removeItem('unsentMessages')
  open()
  await waitFor(() => expect(result.current.unsent).toEqual([]))
  page.keepDraft({ id, userId }, 'Half a word')
  expect(localStorage.getItem('unsentMessages')).toBeNull()
})

it('a picture on its way is shown as it is, a document by its name', () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: File) => `blob:${file.name}`, revokeObjectURL: () => {} }))
  const of = (file: File) => ({ clientId: file.name, text: '', file, appointmentId: null, freeTime: null, failure: null })
  const show = (file: File) => renderPart(<UnsentItem unsent={of(file)} onRetry={() => {}} onDrop={() => {}} />)
  show(new File(['x'], 'cut.png', { type: 'image/png' }))
  expect(screen.getByRole('img', { name: 'Picture' }).getAttribute('src')).toBe('blob:cut.png')
  expect(screen.queryByText('cut.png')).toBeNull()
  cleanup()
  show(new File(['x'], 'list.pdf', { type: 'application/pdf' }))
  expect(screen.getByText('list.pdf')).toBeTruthy()
})
