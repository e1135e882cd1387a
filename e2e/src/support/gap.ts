/** A member of an institute of one's own with two hours free between two visits tomorrow, where starts that leave gaps are hidden. */
import { randomUUID } from 'node:crypto'
import { expect, type APIRequestContext } from '@playwright/test'
import { type Account, bearer, newAccount } from './accounts.ts'
import { type OwnInstitute, ownInstitute } from './own-institute.ts'
import { dayAhead, freeDays } from './times.ts'

export type MadeGap = OwnInstitute & { cut: string; nora: string; day: string; startsAt: string }

async function bookWith(request: APIRequestContext, client: Account, made: Omit<MadeGap, 'startsAt'>, startsAt: string): Promise<void> {
  const headers = () => ({ ...bearer(client.token), 'idempotency-key': randomUUID() })
  const held = await request.post('/api/v1/secure/appointments/holds', {
    headers: headers(),
    data: { instituteId: made._id, services: [{ serviceId: made.cut, staffId: made.nora }], startsAt },
  })
  expect(held.status(), await held.text()).toBe(201)
  const { _id } = (await held.json()) as { _id: string }
  const booked = await request.post('/api/v1/secure/appointments', { headers: headers(), data: { holdId: _id } })
  expect(booked.status(), await booked.text()).toBe(201)
}

export async function madeGap(request: APIRequestContext, name: string): Promise<MadeGap> {
  const found = await ownInstitute(request, name)
  const headers = bearer(found.owner.token)
  const settings = await request.get('/api/v1/secure/mysalon/institute', { headers })
  const { rules } = (await settings.json()) as { rules: object }
  const changed = await request.put('/api/v1/secure/mysalon/institute', { headers, data: { rules: { ...rules, gapPolicy: 'hide' } } })
  expect(changed.status(), await changed.text()).toBe(200)
  const cut = found.services.find((one) => one.name === 'Cut')?._id ?? ''
  const nora = found.team.find((one) => one.name === 'Nora')?._id ?? ''
  const day = dayAhead(1)
  const made = { ...found, cut, nora, day }
  const [free] = await freeDays(request, found._id, [cut], day, 1)
  const first = Date.parse(free?.times[0]?.startsAt ?? '')
  const after = (minutes: number): string => new Date(first + minutes * 60_000).toISOString()
  const client = await newAccount(request)
  // The first hour and twenty minutes stay free, then a visit of forty, two hours, and another visit.
  await bookWith(request, client, made, after(80))
  await bookWith(request, client, made, after(240))
  return { ...made, startsAt: after(120) }
}
