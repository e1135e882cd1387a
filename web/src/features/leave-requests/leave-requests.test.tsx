import type { OpenLeaveRequest, OwnLeaveRequest } from '@soigne/contract/leave-requests'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { OpenRequests } from './open-requests.tsx'
import { OwnTimeOff } from './own-time-off.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

const days = { kind: 'on_holiday', fromDay: '2030-11-24', toDay: '2030-11-26', note: null, askedAt: '2030-11-20T11:00:00Z' } as const
const ownOf = (_id: string, more: Partial<OwnLeaveRequest> = {}): OwnLeaveRequest => ({
  _id,
  ...days,
  state: 'asked',
  reason: null,
  answeredBy: null,
  ...more,
})
const visit = { _id: 'v1', kind: 'visit', startsAt: '2030-11-24T14:00:00Z', endsAt: '2030-11-24T15:00:00Z', customer: 'Ana' } as const
const open: OpenLeaveRequest = { _id: 'r1', staffId: 'm1', name: 'Karim', imageUrl: '/art/face/a.svg', ...days, appointments: [visit] }

function ownCard(items: OwnLeaveRequest[], more: Parameters<typeof fakeServer>[0] = {}, isMember = true) {
  const seen = fakeServer({
    me: () => owner,
    ownLeaveRequests: () => ({ items, isMember, today: '2030-11-20', timeZone: 'Europe/Paris' }),
    ...more,
  })
  renderPart(<OwnTimeOff />, { at: '/mysalon' })
  return seen
}
function openList(more: Parameters<typeof fakeServer>[0] = {}, staffId?: string) {
  const seen = fakeServer({ me: () => owner, leaveRequests: () => ({ items: [open], timeZone: 'Europe/Paris' }), ...more })
  renderPart(<OpenRequests {...(staffId !== undefined && { staffId })} />, { at: '/mysalon/staff' })
  return seen
}

describe('one’s own time off', () => {
  it('shows what became of each request, and takes an open one back', async () => {
    const declined = ownOf('r2', {
      fromDay: '2030-12-01',
      toDay: '2030-12-01',
      state: 'declined',
      reason: 'Two are away.',
      answeredBy: 'Odile',
    })
    const seen = ownCard([declined, ownOf('r1')], { withdrawLeaveRequest: () => ({ message: 'Taken back.' }) })
    const rows = within(await screen.findByRole('region', { name: 'Your time off' })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Sun 1 Dec 2030.*Two are away\. Odile.*Declined$/),
      expect.stringMatching(/^Sun 24 Nov 2030 to Tue 26 Nov 2030.*No answer yet.*Take back/),
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Take back' }))
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'confirm' }))
    await waitFor(() => expect(seen.find(({ name }) => name === 'withdrawLeaveRequest')?.params).toEqual({ id: 'r1' }))
  })

  it('asks for days, and loses nothing when that is refused', async () => {
    let isRefused = true
    const seen = ownCard([], {
      askForLeave: () =>
        isRefused ? refused(409, { code: 'leave_overlaps', message: 'Some of these days are asked for or off already.' }) : { _id: 'r1' },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Ask for time off' }))
    await userEvent.type(screen.getByLabelText('Anything they should know'), 'Wedding')
    await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('Some of these days are asked for or off already.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Anything they should know').value).toBe('Wedding')
    isRefused = false
    await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(seen.findLast(({ name }) => name === 'askForLeave')?.body).toEqual({
      kind: 'on_holiday',
      fromDay: '2030-11-20',
      toDay: '2030-11-20',
      note: 'Wedding',
    })
  })

  it('has what is wrong with a day at that day', async () => {
    ownCard([], {
      askForLeave: () =>
        refused(400, {
          code: 'bad_input',
          message: 'Please check what you typed.',
          details: { fields: { fromDay: 'This day has passed.' } },
        }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Ask for time off' }))
    await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('This day has passed.')).toBeTruthy()
    expect(screen.queryByText('Please check what you typed.')).toBeNull()
  })

  it('shows a few requests, and all of them to who asks for more', async () => {
    ownCard(['1', '2', '3', '4', '5', '6'].map((id) => ownOf(id, { state: 'agreed' })))
    const rows = async () => within(await screen.findByRole('region', { name: 'Your time off' })).getAllByRole('listitem')
    expect(await rows()).toHaveLength(4)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 6 requests' }))
    expect(await rows()).toHaveLength(6)
  })

  it('is not there for who is no member of the team', async () => {
    const seen = ownCard([], {}, false)
    await waitFor(() => expect(seen.some(({ name }) => name === 'ownLeaveRequests')).toBe(true))
    expect(screen.queryByRole('heading')).toBeNull()
  })
})

describe('requests that wait', () => {
  it('name the visits they would hit before somebody agrees', async () => {
    const seen = openList({ answerLeaveRequest: () => ({ appointments: [visit] }) })
    const list = await screen.findByRole('region', { name: '1 request for time off' })
    expect(list.textContent).toContain('1 visit falls on these days:')
    expect(list.textContent).toContain('15:00 Ana')
    await userEvent.click(screen.getByRole('button', { name: 'Agree to the time off of Karim' }))
    expect(await screen.findByText('1 visit now needs another time or a colleague.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'answerLeaveRequest')?.body).toEqual({ answer: 'agreed' })
  })

  it('are declined with a reason; who comes second reads who answered', async () => {
    const seen = openList({
      answerLeaveRequest: () => refused(409, { code: 'request_answered', message: 'Odile answered this request a moment ago.' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Decline the time off of Karim' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Decline' }))
    expect(within(dialog).getByText('Give a short reason.')).toBeTruthy()
    expect(seen.some(({ name }) => name === 'answerLeaveRequest')).toBe(false)
    await userEvent.type(within(dialog).getByLabelText('Reason'), 'Two are away.')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Decline' }))
    expect(await screen.findByText('Odile answered this request a moment ago.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'answerLeaveRequest')?.body).toEqual({ answer: 'declined', reason: 'Two are away.' })
  })

  it('of a member are those of that member', async () => {
    const seen = openList({}, 'm2')
    await waitFor(() => expect(seen.some(({ name }) => name === 'leaveRequests')).toBe(true))
    expect(screen.queryByRole('heading')).toBeNull()
  })
})
