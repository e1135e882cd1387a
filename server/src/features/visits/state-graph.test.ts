import { statuses } from '@soigne/contract/appointments'
import { describe, expect, it } from 'vitest'
import {
  allSteps,
  lives,
  type Party,
  payments,
  type Standing,
  stateOf,
  statusOf,
  stepFrom,
  type StepName,
  type VisitState,
} from './state-graph.ts'

const states: VisitState[] = ['held', 'awaiting', ...statuses]
const everybody: Party[] = ['client', 'institute', 'system']
const names = [...new Set(allSteps().map(({ name }) => name))]

/** Every pair of life and payment: its word on the wire, its state, and whether it is ever stored. */
const pairs: [life: Standing['life'], payment: Standing['payment'], word: string | null, state: VisitState, isStored: boolean][] = [
  ['held', 'none', null, 'held', true],
  ['held', 'awaiting', null, 'awaiting', true],
  ['held', 'failed', null, 'held', true],
  ['held', 'deposit_paid', null, 'held', false],
  ['held', 'paid', null, 'held', false],
  ['held', 'refunded', null, 'held', false],
  ['booked', 'none', 'pending', 'pending', true],
  ['booked', 'awaiting', 'pending', 'pending', true],
  ['booked', 'failed', 'pending', 'pending', true],
  ['booked', 'deposit_paid', 'deposit_paid', 'deposit_paid', true],
  ['booked', 'paid', 'completed', 'completed', true],
  ['booked', 'refunded', 'pending', 'pending', false],
  ['cancelled', 'none', 'cancelled', 'cancelled', true],
  ['cancelled', 'awaiting', 'cancelled', 'cancelled', true],
  ['cancelled', 'failed', 'cancelled', 'cancelled', true],
  ['cancelled', 'deposit_paid', 'cancelled', 'cancelled', true],
  ['cancelled', 'paid', 'cancelled', 'cancelled', true],
  ['cancelled', 'refunded', 'cancelled', 'cancelled', true],
]

describe('life and payment of a visit', () => {
  it('are all in the table', () => {
    expect(pairs.map(([life, payment]) => `${life} ${payment}`)).toEqual(lives.flatMap((life) => payments.map((one) => `${life} ${one}`)))
  })

  it.each(pairs)('[E-10] %s and %s is %s on the wire', (life, payment, word, state) => {
    expect([statusOf({ life, payment }), stateOf({ life, payment })]).toEqual([word, state])
  })
})

describe('the states of a visit', () => {
  it('are all reached, and every step leads to one of them', () => {
    const reached = new Set<string>(['held'])
    for (let round = 0; round < states.length; round++) for (const step of allSteps()) if (reached.has(step.from)) reached.add(step.to)
    expect([...reached].toSorted()).toEqual([...states, 'gone'].toSorted())
  })

  it('are left by no step once cancelled', () => {
    expect(allSteps().filter(({ from }) => from === 'cancelled')).toEqual([])
  })

  it('allow each person one outcome for each step', () => {
    for (const name of names)
      for (const from of states)
        for (const who of everybody) {
          const found = allSteps().filter((step) => step.name === name && step.from === from && step.by.includes(who))
          expect(found.length).toBeLessThanOrEqual(1)
          expect(stepFrom(name, from, who)).toEqual(
            found[0] ? { from: found[0].from, by: found[0].by, to: found[0].to, money: found[0].money } : null,
          )
        }
  })

  it.each<[StepName, VisitState, Party, string]>([
    ['confirm', 'held', 'client', 'pending'],
    ['begin_checkout', 'held', 'client', 'awaiting'],
    ['give_up_checkout', 'awaiting', 'client', 'held'],
    ['give_up_checkout', 'awaiting', 'system', 'held'],
    ['confirm_with_deposit', 'awaiting', 'system', 'deposit_paid'],
    ['confirm_with_card', 'awaiting', 'system', 'pending'],
    ['confirm_paid', 'awaiting', 'system', 'completed'],
    ['release', 'held', 'system', 'gone'],
    ['release', 'awaiting', 'client', 'gone'],
    ['pay', 'pending', 'institute', 'completed'],
    ['move', 'completed', 'client', 'completed'],
    ['cancel', 'pending', 'client', 'cancelled'],
    ['cancel', 'deposit_paid', 'institute', 'cancelled'],
    ['cancel', 'pending', 'system', 'cancelled'],
    ['move', 'pending', 'system', 'pending'],
  ])('%s from %s by the %s leads to %s', (name, from, who, to) => {
    expect(stepFrom(name, from, who)?.to).toBe(to)
  })

  it.each<[StepName, VisitState, Party]>([
    ['confirm', 'pending', 'client'],
    ['confirm', 'held', 'institute'],
    ['confirm', 'awaiting', 'client'],
    ['confirm_paid', 'held', 'system'],
    ['begin_checkout', 'awaiting', 'client'],
    ['give_up_checkout', 'held', 'client'],
    ['give_up_checkout', 'pending', 'client'],
    ['cancel', 'held', 'client'],
    ['cancel', 'cancelled', 'system'],
    ['move', 'held', 'client'],
    ['move', 'held', 'institute'],
    ['pay', 'held', 'client'],
    ['release', 'pending', 'client'],
  ])('%s from %s by the %s is no step', (name, from, who) => {
    expect(stepFrom(name, from, who)).toBeNull()
  })

  it('always give all money back when the institute or the system cancels something paid', () => {
    for (const step of allSteps())
      if (step.name === 'cancel' && !step.by.includes('client') && step.from !== 'pending') expect(step.money).toBe('refunded_in_full')
  })

  it('take or return money only where somebody has paid or pays', () => {
    for (const { name, money } of allSteps())
      if (name === 'move' || name === 'release' || name === 'confirm' || name === 'give_up_checkout') expect(money).toBe('none')
  })
})
