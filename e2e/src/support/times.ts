/** Institutes of the demo and their free times, read and taken through the API. */
import { randomUUID } from 'node:crypto'
import { expect, type APIRequestContext } from '@playwright/test'
import type { Appointment, Hold } from '@soigne/contract/appointments'
import type { Institute } from '@soigne/contract/institutes'
import { bearer, type Account } from './accounts.ts'
import { chance } from './chance.ts'
import { journeyNow } from './journey-clock.ts'

export async function institute(request: APIRequestContext, slug: string): Promise<Institute> {
  const answer = await request.get(`/api/v1/client/institutes/${slug}`)
  expect(answer.status()).toBe(200)
  return (await answer.json()) as Institute
}

export function serviceIds({ services }: Institute, names: readonly string[]): string[] {
  return names.map((name) => {
    const found = services.find((service) => service.name === name)
    if (!found) throw new Error(`no service called ${name}`)
    return found._id
  })
}

type FreeDay = { day: string; times: { startsAt: string; endsAt: string }[] }

export function dayAhead(days: number): string {
  return new Date(journeyNow() + days * 86_400_000).toISOString().slice(0, 10)
}

export async function freeDays(
  request: APIRequestContext,
  instituteId: string,
  service: readonly string[],
  from: string,
  days = 7,
): Promise<FreeDay[]> {
  const query = new URLSearchParams([...service.map((id) => ['service', id]), ['from', from], ['days', String(days)]])
  const answer = await request.get(`/api/v1/client/institutes/${instituteId}/availability?${query}`)
  expect(answer.status()).toBe(200)
  return ((await answer.json()) as { days: FreeDay[] }).days
}

export type Opening = { institute: Institute; service: string[]; day: string; startsAt: string; endsAt: string }

/** A free start that hardly any other journey takes: somewhere in the weeks from the third to the last that can be booked. */
export async function freeOpening(request: APIRequestContext, slug: string, names: readonly string[]): Promise<Opening> {
  const found = await institute(request, slug)
  const service = serviceIds(found, names)
  const furthest = Math.max(15, Math.min(60, found.rules.horizonDays - 8))
  const random = chance()
  const days = await freeDays(request, found._id, service, dayAhead(14 + random.whole(furthest - 14)))
  const open = days.filter(({ times }) => times.length > 3)
  const day = open[random.whole(open.length)]
  // Not the last: a start after it has to stay free for the nearest times.
  const time = day?.times[random.whole(day.times.length - 1)]
  if (!day || !time) throw new Error(`${slug} has no free day`)
  return { institute: found, service, day: day.day, ...time }
}

type HoldRequest = Pick<Opening, 'institute' | 'service' | 'startsAt'>

export async function hold(request: APIRequestContext, { token }: Pick<Account, 'token'>, wanted: HoldRequest): Promise<Hold> {
  const services = wanted.service.map((serviceId) => ({ serviceId, staffId: 'any' }))
  const answer = await request.post('/api/v1/secure/appointments/holds', {
    headers: { ...bearer(token), 'idempotency-key': randomUUID() },
    data: { instituteId: wanted.institute._id, services, startsAt: wanted.startsAt },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Hold
}

/** Holds and confirms. */
export async function book(request: APIRequestContext, account: Pick<Account, 'token'>, wanted: HoldRequest): Promise<Appointment> {
  const held = await hold(request, account, wanted)
  const answer = await request.post('/api/v1/secure/appointments', {
    headers: { ...bearer(account.token), 'idempotency-key': randomUUID() },
    data: { holdId: held._id },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Appointment
}

export async function liveHolds(request: APIRequestContext, { token }: Pick<Account, 'token'>): Promise<Hold[]> {
  const answer = await request.get('/api/v1/secure/appointments/holds', { headers: bearer(token) })
  return ((await answer.json()) as { items: Hold[] }).items
}

/** The booking's address with everything chosen already. */
export function bookingAddress({ institute: { slug }, service, startsAt }: HoldRequest, step?: 'time'): string {
  const choice = new URLSearchParams([...service.map((id) => ['service', id]), ['staff', 'any'], ['at', startsAt]])
  if (step) choice.set('step', step)
  return `/salon/${slug}/book?${choice}`
}

/** How the product writes the institute's time of an instant: "16:40", "9:40". */
export function clock(startsAt: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(new Date(startsAt)).replace(/^0/, '')
}
