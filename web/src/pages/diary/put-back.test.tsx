// What was changed is put back: asked with keys alone, or later, when another screen was quicker.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { ines, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

const camille = diaryVisit('v-camille', '16:40', '17:40')
const lunch = {
  _id: 'b-lunch',
  staffId: ines,
  resourceId: null,
  startsAt: at('15:00'),
  endsAt: at('15:40'),
  kind: 'break',
  note: 'Lunch',
} as const

function open(handlers: Parameters<typeof fakeServer>[0] = {}) {
  fakeServer({ me: () => owner, diary: () => diaryOf({ visits: [camille], blocked: [lunch] }), ...handlers })
  return renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
}
async function press(name: RegExp, ...keys: readonly (string | KeyboardEventInit)[]) {
  const block = await screen.findByRole('button', { name })
  block.focus()
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? block, typeof key === 'string' ? { key } : key)
  return block
}

describe('taken back after somebody else changed it', () => {
  it('a length says why it stays', async () => {
    let tries = 0
    open({
      resizeVisit: () =>
        tries++ === 0 ? { ...camille, version: 2 } : refused(409, { code: 'changed_meanwhile', message: 'Sofia moved it to 11:00.' }),
    })
    await press(/Camille Renaud/, ' ', { key: 'ArrowDown', shiftKey: true }, 'Enter')
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Sofia moved it to 11:00.')).toBeTruthy()
  })

  it('blocked time says why it stays', async () => {
    const taken = [{ kind: 'hold', id: 'h', startsAt: at('15:20'), endsAt: at('16:00'), customer: null }]
    let tries = 0
    open({
      moveBlockedTime: () =>
        tries++ === 0
          ? lunch
          : refused(409, { code: 'time_taken', message: 'Something else is in the diary at this time.', details: { taken } }),
    })
    await press(/^Lunch/, ' ', 'ArrowUp', 'Enter')
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Someone is holding 15:20 just now.')).toBeTruthy()
  })
})

describe('blocked time that was freed', () => {
  it('says why it is not blocked again, though its form is gone', async () => {
    const taken = [{ kind: 'visit', id: 'v-2', startsAt: at('15:00'), endsAt: at('15:40'), customer: 'Emma Caron' }]
    open({
      unblockTime: () => ({ message: 'done' }),
      blockTime: () => refused(409, { code: 'time_taken', message: 'Something else is in the diary at this time.', details: { taken } }),
    })
    fireEvent.click(await screen.findByRole('button', { name: /^Lunch/ }))
    fireEvent.click(await screen.findByRole('button', { name: 'Free this time' }))
    await screen.findByText('Time is free again')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText(/Emma Caron/)).toBeTruthy()
  })
})

describe('a client who is looked for in Arabic digits', () => {
  it('is found by the number, which begins the new record where nobody has it', async () => {
    const asked: (string | null)[] = []
    open({
      institute: () => nacre,
      customers: ({ query }) => {
        asked.push(query.get('search'))
        return { items: [], page: 1, pageSize: 10, total: 0, tags: [], timeZone: 'Europe/Paris', now: at('14:06') }
      },
    })
    await screen.findByRole('list', { name: 'Inès' })
    fireEvent.keyDown(document.body, { key: 'n' })
    fireEvent.change(await screen.findByRole('searchbox', { name: 'Client' }), { target: { value: '٠٦١٢٣٤' } })
    await waitFor(() => expect(asked).toContain('061234'))
    fireEvent.click(screen.getByRole('button', { name: 'New client' }))
    expect([screen.getByLabelText<HTMLInputElement>('Name').value, screen.getByLabelText<HTMLInputElement>('Phone').value]).toEqual([
      '',
      '٠٦١٢٣٤',
    ])
  })
})

describe('while a move is asked about', () => {
  it('no key leads elsewhere, and Escape leads back to the visit', async () => {
    const { place } = open()
    const block = await press(/Camille Renaud/, ' ', 'ArrowUp', 'Enter')
    await screen.findByRole('dialog', { name: 'Move Camille to 16:20?' })
    for (const key of ['ArrowRight', 'w', 'n']) fireEvent.keyDown(document.activeElement ?? document.body, { key })
    expect(place()).toBe(`${path}?day=${diaryDay}`)
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(block)
  })
})
