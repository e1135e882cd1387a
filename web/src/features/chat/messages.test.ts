import type { ChatMessage } from '@soigne/contract/chat'
import { describe, expect, it } from 'vitest'
import { leadsElsewhere, mergeMessages, readBy, stillUnsent, withStatus } from './messages.ts'

const message = (seq: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  _id: `m${seq}`,
  chatId: 'c',
  senderId: 'u',
  side: 'client',
  seq,
  clientId: `key-${seq}`,
  text: String(seq),
  media: null,
  visit: null,
  freeTime: null,
  status: 'sent',
  createdAt: '2026-11-23T10:00:00.000Z',
  ...more,
})
const seqs = (messages: readonly ChatMessage[]) => messages.map(({ seq }) => seq)

describe('messages of a conversation', () => {
  it('stand in order and once, in whatever order they come', () => {
    const kept = mergeMessages([message(3), message(1)], [message(2), message(3), message(4)])
    expect(seqs(kept)).toEqual([1, 2, 3, 4])
  })

  it('never go back: what was read stays read, whatever late answer says', () => {
    const [one] = mergeMessages([message(1, { status: 'read' })], [message(1, { status: 'sent' })])
    expect(one?.status).toBe('read')
  })

  it('[E-22] up to one that came further have come as far, those of the same side alone', () => {
    const known = [message(1), message(2, { side: 'institute' }), message(3), message(4)]
    expect(withStatus(known, { side: 'client', seq: 3, status: 'delivered' }).map(({ status }) => status)).toEqual([
      'delivered',
      'sent',
      'delivered',
      'sent',
    ])
  })

  it('[E-23] are read by the other side; those the reader wrote stay as they were', () => {
    const known = [message(1), message(2, { side: 'institute' })]
    expect(readBy(known, 'institute', 2).map(({ status }) => status)).toEqual(['read', 'sent'])
  })

  it('[E-22] are read up to where the other side had come, not what was written meanwhile', () => {
    expect(readBy([message(1), message(2)], 'institute', 1).map(({ status }) => status)).toEqual(['read', 'sent'])
  })

  it('on their way are gone from there once they have arrived', () => {
    const unsent = { clientId: 'key-2', text: 'x', file: null, appointmentId: null, freeTime: null, failure: null }
    expect(stillUnsent([unsent, { ...unsent, clientId: 'key-9' }], [message(2)]).map(({ clientId }) => clientId)).toEqual(['key-9'])
  })
})

describe('a text that leads elsewhere', () => {
  it.each([
    ['See https://example.org/pay', true],
    ['www.example.org', true],
    ['write to me@example.org', true],
    ['call +33 6 12 34 56 78', true],
    ['call 00 33 (0)6 12 34 56 78', true],
    ['06 12 34 56 78', true],
    ['06.12.34.56.78 ce soir', true],
    ['0612345678', true],
    ['٠٦١٢٣٤٥٦٧٨', true],
    ['+212 612-345678', true],
    ['paypal.me/salon', true],
    ['look at example.com', true],
    ['sur salon-nacre.fr, merci', true],
    ['At 15:30 on the 24th, 2 people, 120 €', false],
    ['10.30 or 11.45?', false],
    ['Oui.merci beaucoup', false],
    ['le 24.12.2026 à 9:00 ou le 31.12.2026', false],
    ['1 200,00 € le 05/12', false],
    ['Réf. 0612-3', false],
  ])('%s: %s', (text, expected) => {
    expect(leadsElsewhere(text)).toBe(expected)
  })
})
