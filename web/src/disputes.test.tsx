import type { Dispute } from '@soigne/contract/payments'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { Disputes } from './disputes.tsx'

afterEach(cleanup)

const dispute = (more: Partial<Dispute> = {}): Dispute => ({
  _id: 'd1',
  saleId: 'v1',
  client: 'Camille Renaud',
  amount: { amount: 1500, currency: 'EUR' },
  method: 'card',
  state: 'open',
  why: 'not_received',
  openedAt: '2031-03-18T14:21:00.000Z',
  answerBy: '2031-03-25T14:21:00.000Z',
  endedAt: null,
  ...more,
})
const card = (name: string) => within(screen.getByRole('region', { name }))

it('tells who disputes how much and why, until when to answer, and leads to the sale', async () => {
  renderPart(<Disputes disputes={[dispute()]} timeZone="Europe/Paris" leads />)
  await screen.findByText('Their bank has taken the money back until it decides.')
  const shown = card('1 payment is disputed')
  expect(shown.getByRole('link', { name: '€15.00 from Camille Renaud' }).getAttribute('href')).toBe('/mysalon/invoices/v1')
  expect(shown.getByText('They say they did not get what they paid for.')).toBeTruthy()
  expect(shown.getByText(/^You can answer through your payment provider until .*25.*15:21/)).toBeTruthy()
})

it('tells what the bank decided, and of a payment without a client or a reason', async () => {
  const over = { answerBy: null, endedAt: '2031-03-28T09:00:00.000Z' }
  const disputes = [
    dispute({ ...over, _id: 'd2', state: 'won' }),
    dispute({ ...over, state: 'lost', why: null, client: null, saleId: null }),
  ]
  renderPart(<Disputes disputes={disputes} timeZone="Europe/Paris" />)
  expect(await screen.findByText(/^The bank decided for you: the money is back/)).toBeTruthy()
  const shown = card('2 payments are disputed')
  expect(shown.getByText('€15.00 from a client')).toBeTruthy()
  expect(shown.getByText('The bank gave no reason.')).toBeTruthy()
  expect(shown.getByText(/^The bank decided for the client/)).toBeTruthy()
  expect(shown.queryByRole('link')).toBeNull()
})
