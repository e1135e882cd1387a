// What keeps a change of a class from being sent, and what is lost when it is refused: nothing.
import type { DiarySession } from '@soigne/contract/diary'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { at, diaryDay, diaryOf, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, handMassage, ines, maud, nacre } from '#/testing/institutes.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { CancelSession, MoveSession, ResizeSession } from './session-changes.tsx'
import { SessionForm } from './session-form.tsx'

resetDiaryPage()

const session: DiarySession = {
  _id: 's-1',
  serviceId: gelManicure,
  serviceName: 'Workshop',
  staffId: ines,
  resourceId: null,
  startsAt: at('15:00'),
  endsAt: at('16:00'),
  capacity: 12,
  booked: 2,
  held: 0,
}
const answer = { ...session, timeZone: 'Europe/Paris', staffName: 'Inès' }
const fits = (conflict: string | null = null) => ({ startsAt: at('15:00'), endsAt: at('16:00'), conflict })
const planOf = (...items: ReturnType<typeof fits>[]) => ({ timeZone: 'Europe/Paris', rooms: [], items })
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const press = async (name: string) => userEvent.click(await button(name))
const diary = diaryOf({ sessions: [session] })

describe('a change of a class', () => {
  it('of its seats is sent when it is one, and says what was wrong besides the seats', async () => {
    const onDone = vi.fn()
    const seen = fakeServer({ resizeGroupSession: () => refused(404, { code: 'not_found', message: 'This class is gone.' }) })
    renderPart(<ResizeSession {...{ session, diary, onDone }} />)
    await press('Save')
    expect([seen, onDone.mock.calls.length]).toEqual([[], 1])
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Seats' })
    await userEvent.clear(field)
    await userEvent.tab()
    expect((await button('Save')).disabled).toBe(true)
    await userEvent.type(field, '20')
    await userEvent.tab()
    await press('Save')
    expect(await screen.findByText('This class is gone.')).toBeTruthy()
    expect([field.value, seen[0]?.body, onDone.mock.calls.length]).toEqual(['20', { capacity: 20 }, 1])
  })

  it('to where it is already asks nothing; to somebody else it is sent with them alone', async () => {
    const onDone = vi.fn()
    const seen = fakeServer({ planGroupSessions: () => planOf(fits()), moveGroupSession: () => answer })
    renderPart(<MoveSession {...{ session, diary, onDone }} />)
    expect((await button('Move to 15:00')).disabled).toBe(true)
    expect(seen).toEqual([])
    await userEvent.click(screen.getByRole('radio', { name: 'Maud' }))
    await waitFor(async () => expect((await button('Move to 15:00')).disabled).toBe(false))
    await press('Move to 15:00')
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(seen.find(({ name }) => name === 'moveGroupSession')).toMatchObject({
      params: { id: 's-1' },
      body: { startsAt: at('15:00'), staffId: maud },
    })
  })

  it('that cannot be checked is not offered, and says why', async () => {
    fakeServer({ planGroupSessions: () => refused(503, { code: 'unavailable', message: 'A part of us is away.' }) })
    renderPart(<MoveSession {...{ session, diary, onDone: () => {} }} />)
    await userEvent.click(await screen.findByRole('radio', { name: 'Maud' }))
    expect(await screen.findByText('A part of us is away.')).toBeTruthy()
    expect((await button('Move to 15:00')).disabled).toBe(true)
  })

  it('to none wants no reason where nobody booked; else a refusal keeps the one that was typed', async () => {
    const onCancelled = vi.fn()
    const seen = fakeServer({ cancelGroupSession: () => refused(409, { code: 'wrong_state', message: 'It has begun.' }) })
    const { unmount } = renderPart(<CancelSession {...{ session, diary, visits: [], onCancelled, onDone: () => {} }} />)
    await userEvent.type(await screen.findByRole('textbox', { name: 'Why?' }), ' The heating is off ')
    await press('Cancel the class')
    expect(await screen.findByText('It has begun.')).toBeTruthy()
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Why?' }).value).toBe(' The heating is off ')
    expect([seen[0]?.body, onCancelled.mock.calls.length]).toEqual([{ reason: 'The heating is off' }, 0])
    unmount()
    const again = fakeServer({ cancelGroupSession: () => ({ message: 'ok' }) })
    renderPart(<CancelSession {...{ session: { ...session, booked: 0 }, diary, visits: [], onCancelled, onDone: () => {} }} />)
    expect(await screen.findByText('Nobody has booked. The time is free again.')).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
    await press('Cancel the class')
    await waitFor(() => expect(onCancelled).toHaveBeenCalledOnce())
    expect(again[0]?.body).toEqual({})
  })
})

describe('a new class', () => {
  const [manicure, massage] = nacre.services.filter(({ _id }) => _id === gelManicure || _id === handMassage)
  const classes = [
    { ...manicure, name: 'Workshop', capacity: 12 },
    { ...massage, name: 'Circle', capacity: 6 },
  ] as typeof nacre.services
  function open(handlers: Parameters<typeof fakeServer>[0], members = diary.members) {
    const seen = fakeServer(handlers)
    const onDraw = vi.fn()
    renderPart(
      <SessionForm
        draft={{ day: diaryDay, minute: 900, staffId: maud }}
        diary={{ ...diary, members }}
        classes={classes}
        Frame={({ head, foot, children }) => (
          <div>
            {head}
            {children}
            {foot}
          </div>
        )}
        onDraw={onDraw}
        onClose={() => {}}
      />,
    )
    return { onDraw, plans: () => seen.filter(({ name }) => name === 'planGroupSessions').map(({ query }) => Object.fromEntries(query)) }
  }

  it('is for whoever it was begun with; another class takes its own seats and somebody who gives it', async () => {
    const { plans, onDraw } = open({ planGroupSessions: () => planOf(fits()) })
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Maud' })).checked).toBe(true)
    await waitFor(() => expect(onDraw).toHaveBeenLastCalledWith({ startsAt: at('15:00'), endsAt: at('16:00'), staffId: maud }))
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Class' }), 'Circle')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Seats' }).value).toBe('6')
    expect(screen.queryByRole('radio', { name: 'Maud' })).toBeNull()
    await waitFor(() => expect(plans().at(-1)).toMatchObject({ serviceId: handMassage, staffId: ines, startsAt: at('15:00'), times: '1' }))
  })

  it('that does not fit is not opened, and says why', async () => {
    open({ planGroupSessions: () => planOf(fits('Maud is away that day.')) })
    expect(await screen.findByText('Maud is away that day.')).toBeTruthy()
    expect((await button('Open class')).disabled).toBe(true)
  })

  it('that nobody gives says so, and asks for no plan', async () => {
    const { plans } = open({}, [])
    expect(await screen.findByText('Nobody in the team gives this class yet.')).toBeTruthy()
    expect((await button('Open class')).disabled).toBe(true)
    expect(plans()).toEqual([])
  })
})
