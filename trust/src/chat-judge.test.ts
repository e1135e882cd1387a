import { expect, it } from 'vitest'
import { judgeChat, type Side, type Told } from './chat-judge.ts'

const stored: Told[] = [
  { seq: 1, clientId: 'a1' },
  { seq: 2, clientId: 'b1' },
  { seq: 3, clientId: 'a2' },
]
const seen = (messages: readonly Told[] = stored): Map<number, string> => new Map(messages.map(({ seq, clientId }) => [seq, clientId]))
const side = (name: string, acknowledged: string[], more: Partial<Side> = {}): Side => ({
  name,
  acknowledged,
  screen: seen(),
  doubled: [],
  ...more,
})
const other = side('b', ['b1'])

it('a conversation is good when everything acknowledged is there once, in order, on both screens', () => {
  expect(judgeChat('x', stored, [side('a', ['a1', 'a2']), other])).toEqual([])
  // What was written and never acknowledged may be there or not.
  expect(judgeChat('x', stored, [side('a', ['a1']), other])).toEqual([])
})

it.each([
  ['lost', judgeChat('x', stored, [side('a', ['a1', 'a2', 'a3']), other])],
  [
    'there twice',
    judgeChat(
      'x',
      [...stored, { seq: 4, clientId: 'a2' }],
      [side('a', ['a1', 'a2'], { screen: seen([...stored, { seq: 4, clientId: 'a2' }]) })],
    ),
  ],
  ['out of order', judgeChat('x', stored, [side('a', ['a2', 'a1']), other])],
  ['not seen by the other side', judgeChat('x', stored, [side('a', ['a1']), { ...other, screen: seen(stored.slice(0, 2)) }])],
  ['another one on a screen', judgeChat('x', stored, [side('a', ['a1'], { screen: new Map([...seen(), [2, 'b9']]) })])],
  ['seen and not there', judgeChat('x', stored, [side('a', ['a1'], { screen: new Map([...seen(), [4, 'a9']]) })])],
  ['told twice over one connection', judgeChat('x', stored, [side('a', ['a1'], { doubled: ['b1'] })])],
  [
    'in a place after an empty one',
    judgeChat(
      'x',
      [stored[0] as Told, { seq: 3, clientId: 'a2' }],
      [
        side('a', ['a1', 'a2'], {
          screen: new Map([
            [1, 'a1'],
            [3, 'a2'],
          ]),
        }),
      ],
    ),
  ],
])('a message %s is told of', (_what, found) => {
  expect(found).toHaveLength(1)
})
