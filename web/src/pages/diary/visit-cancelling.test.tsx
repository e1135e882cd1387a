// The desk cancels a visit of which something was paid: what becomes of that is said before the click.
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { confirmStore } from '#/ui/confirms.ts'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()
afterEach(() => act(() => confirmStore.set([])))

const euros = (amount: number) => ({ amount, currency: 'EUR' })

async function ask(status: 'pending' | 'deposit_paid' | 'completed', handlers: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [diaryVisit('v1', '16:40', '18:00', { status })] }),
    diaryVisit: () => refused(404, { code: 'not_found', message: 'Not yet.' }),
    ...handlers,
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  fireEvent.click(await screen.findByRole('button', { name: /Camille Renaud/ }))
  const drawer = within(await screen.findByRole('dialog'))
  fireEvent.click(await drawer.findByRole('button', { name: 'Cancel' }))
  return { seen, question: within(await screen.findByRole('alertdialog', { name: 'Let this hour go?' })) }
}

it('of which a deposit was paid: what goes back to the client, and nothing is cancelled yet', async () => {
  const { seen, question } = await ask('deposit_paid', { visitCancellation: () => ({ refunded: euros(1500), sessions: 0 }) })
  expect(question.getByText('€15.00 goes back to the client, the way it was paid.')).toBeTruthy()
  expect(question.queryByText(/counter|session/)).toBeNull()
  expect(seen.some(({ name }) => name === 'cancelInstituteVisit')).toBe(false)
})

it('that was paid at the counter with a session: what a credit note gives back, and the session', async () => {
  const answer = { refunded: euros(0), atSalon: euros(6000), sessions: 1 }
  const { question } = await ask('completed', { visitCancellation: () => answer })
  expect(question.getByText(/€60\.00 was paid, at least in part at the counter\. None of it goes back by itself/)).toBeTruthy()
  expect(question.getByText('The session goes back to its package.')).toBeTruthy()
})

it('whose payment is disputed: nothing is sent back', async () => {
  const { question } = await ask('deposit_paid', { visitCancellation: () => ({ refunded: euros(0), atBank: euros(1500), sessions: 0 }) })
  expect(question.getByText('€15.00 isn’t sent back: the client disputed it, and their bank has taken it back.')).toBeTruthy()
  expect(question.queryByText(/goes back/)).toBeNull()
})

it('of which nothing was paid: nothing is looked up', async () => {
  const { seen, question } = await ask('pending')
  expect(question.queryByText(/goes back/)).toBeNull()
  expect(seen.some(({ name }) => name === 'visitCancellation')).toBe(false)
})
