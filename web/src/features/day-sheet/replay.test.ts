// Sending what waited: in order, once, and nothing lost.
import { expect, it } from 'vitest'
import { ApiError } from '#/platform/api-error.ts'
import { at } from '#/testing/diary.ts'
import { ines } from '#/testing/institutes.ts'
import { parseInstant } from '#/platform/time.ts'
import type { AttendanceChange, DeskChange, MoveChange, WalkInChange } from './changes.ts'
import { decided, replay } from './replay.ts'

const kept = (id: string, time: string) => ({
  id,
  owner: 'u.i',
  madeAt: at(time),
  key: `key-${id}`,
  keyedAt: at(time),
  isTried: false,
  refusal: null,
  name: 'Camille',
})
const walkIn = (id: string, time: string): WalkInChange => ({
  ...kept(id, time),
  kind: 'walkIn',
  startsAt: at('11:00'),
  endsAt: at('11:40'),
  staffId: ines,
  service: { _id: 's', name: 'Cut' },
})
const step = (id: string, time: string, visitId: string, was: 'expected' | 'arrived'): AttendanceChange => ({
  ...kept(id, time),
  kind: 'attendance',
  visitId,
  version: 3,
  was,
  attendance: was === 'expected' ? 'arrived' : 'in_service',
})
const move = (id: string, time: string, visitId: string): MoveChange => ({
  ...kept(id, time),
  kind: 'move',
  visitId,
  version: 3,
  startsAt: at('16:00'),
  from: { startsAt: at('14:00'), endsAt: at('15:00'), staffId: ines, services: ['s'] },
})

/** A device with changes, and a server that answers as told; both know what happened. */
function desk(changes: DeskChange[], answer: (change: DeskChange) => { _id: string; version: number }, now = at('11:30')) {
  const entries = new Map(changes.map((change) => [change.id, change]))
  const sent: DeskChange[] = []
  const ports = {
    list: async () => [...entries.values()],
    put: async (change: DeskChange) => void entries.set(change.id, change),
    remove: async ({ id }: DeskChange) => void entries.delete(id),
    send: async (change: DeskChange) => {
      sent.push(change)
      return answer(change)
    },
    now: () => parseInstant(now),
  }
  return { ports, sent, left: () => [...entries.values()] }
}

const taken = () => {
  throw new ApiError(409, { code: 'slot_taken', message: 'Taken by Lucie' })
}

it('sends in the order things were done, and hands version and id on to what follows about the same visit', async () => {
  const { ports, sent, left } = desk(
    [move('c', '11:04', 'v'), step('b', '11:02', 'desk-a', 'expected'), walkIn('a', '11:00'), step('d', '11:06', 'v', 'expected')],
    (change) => (change.kind === 'walkIn' ? { _id: 'new', version: 1 } : { _id: change.visitId, version: change.version + 1 }),
  )
  expect(await replay(ports)).toBe(true)
  expect(sent.map(({ id, key }) => [id, key])).toEqual([
    ['a', 'key-a'],
    ['b', 'key-b'],
    ['c', 'key-c'],
    ['d', 'key-d'],
  ])
  expect(sent[1]).toMatchObject({ visitId: 'new', version: 1 })
  expect(sent[3]).toMatchObject({ visitId: 'v', version: 4 })
  expect(left()).toEqual([])
})

it('does not take a version for its own that somebody else raised', async () => {
  const { ports, sent } = desk([step('a', '11:00', 'v', 'expected'), move('b', '11:02', 'v')], () => ({ _id: 'v', version: 9 }))
  await replay(ports)
  expect(sent[1]).toMatchObject({ version: 3 })
})

it('keeps what was refused with why; what hangs on it waits, and the rest goes on', async () => {
  const { ports, sent, left } = desk(
    [walkIn('a', '11:00'), step('b', '11:02', 'desk-a', 'expected'), step('c', '11:04', 'v', 'expected')],
    (change) => (change.kind === 'walkIn' ? taken() : { _id: 'v', version: 4 }),
  )
  expect(await replay(ports)).toBe(true)
  expect(sent.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(left().map(({ id, refusal }) => [id, refusal])).toEqual([
    ['a', { code: 'slot_taken', message: 'Taken by Lucie' }],
    ['b', null],
  ])
})

it('stops where the server is not reached, and sends the same under the same key later', async () => {
  let isDown = true
  const { ports, sent, left } = desk([walkIn('a', '11:00'), walkIn('b', '11:01')], ({ id }) => {
    if (isDown) throw new TypeError('no connection')
    return { _id: id, version: 1 }
  })
  expect(await replay(ports)).toBe(false)
  expect(left()).toHaveLength(2)
  isDown = false
  expect(await replay(ports)).toBe(true)
  expect(sent.map(({ key }) => key)).toEqual(['key-a', 'key-a', 'key-b'])
})

it('asks about what is so old that its key may be forgotten, and sends it once somebody said so', async () => {
  const { ports, sent, left } = desk([walkIn('a', '11:00')], () => ({ _id: 'new', version: 1 }), at('08:00', '2026-11-27'))
  await replay(ports)
  expect(sent).toEqual([])
  const [old] = left()
  expect(old?.refusal).toEqual({ code: 'too_old', message: '' })
  const chosen = decided(old ?? walkIn('a', '11:00'), {}, ports.now())
  expect(chosen.key).not.toBe('key-a')
  await ports.put(chosen)
  await replay(ports)
  expect(sent).toHaveLength(1)
  expect(left()).toEqual([])
})
