import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { addDays } from '#/platform/time.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { TimeChooser } from './time-chooser.tsx'

afterEach(cleanup)

const today = '2031-03-16'
const timesOn = (day: string, seats?: number) => [
  { startsAt: `${day}T09:00:00.000Z`, endsAt: `${day}T10:00:00.000Z`, ...(seats !== undefined && { seatsLeft: seats }) },
]

/** A chooser whose days have a time each, but for those of rest. */
function Chooser({ rest, seats }: { rest: readonly string[]; seats?: number | undefined }) {
  const [day, setDay] = useState<string | null>(today)
  return (
    <TimeChooser
      source={{
        key: ['a visit'],
        days: async (from, count) =>
          Array.from({ length: count }, (_, n) => addDays(from, n)).map((one) => ({
            day: one,
            times: rest.includes(one) ? [] : timesOn(one, seats),
            taken: [],
          })),
        month: async () => [],
        next: async () => null,
      }}
      timeZone="UTC"
      horizonDays={60}
      now={Date.parse(`${today}T08:00:00Z`)}
      day={day}
      at={null}
      onDay={setDay}
      onChoose={() => {}}
    />
  )
}
const open = (...rest: string[]) => {
  renderSite('/choose', { '/choose': <Chooser rest={rest} /> })
  return userEvent.setup()
}
const turn = async (user: ReturnType<typeof open>, to: string) => user.click((await screen.findAllByRole('button', { name: to }))[0]!)

test('a week that is turned to opens on its first day with room', async () => {
  const user = open('2031-03-23', '2031-03-24')
  await turn(user, 'Later days')
  expect(await screen.findByRole('button', { name: /^Tue 25 March 2031, 1 time/, pressed: true })).toBeTruthy()
  await turn(user, 'Earlier days')
  expect(await screen.findByRole('button', { name: /^Sun 16 March 2031, 1 time/, pressed: true })).toBeTruthy()
})

test('a day of rest that is chosen by itself stays on show', async () => {
  const user = open('2031-03-17')
  await user.click(await screen.findByRole('button', { name: 'Mon 17 March 2031, Closed' }))
  expect(await screen.findByRole('button', { name: 'Mon 17 March 2031, Closed', pressed: true })).toBeTruthy()
})

test('a week without any room stays on its first day', async () => {
  const user = open(...Array.from({ length: 7 }, (_, n) => addDays('2031-03-23', n)))
  await turn(user, 'Later days')
  expect(await screen.findByRole('button', { name: 'Sun 23 March 2031, Closed', pressed: true })).toBeTruthy()
})

test('a class says how many places are left, and of a day without one that there is none', async () => {
  renderSite('/choose', { '/choose': <Chooser rest={['2031-03-17']} seats={3} /> })
  expect(await screen.findByRole('radio', { name: /9:00\s*3 places left/ })).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Mon 17 March 2031, No class' })).toBeTruthy()
})
