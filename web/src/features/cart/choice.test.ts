import { describe, expect, it } from 'vitest'
import { gelManicure, handMassage, ines, maud, nacre } from '#/testing/institutes.ts'
import { choiceParams, readChoice, toggleService } from './choice.ts'

const read = (query: string) => readChoice(new URLSearchParams(query), nacre)
const both = `service=${gelManicure}&service=${handMassage}`

describe('what is chosen, in the address', () => {
  it('keeps services in the order they were chosen and passes over unknown and doubled ones', () => {
    const { items } = read(`service=${handMassage}&service=nothing&service=${gelManicure}&service=${handMassage}`)
    expect(items.map(({ serviceId }) => serviceId)).toEqual([handMassage, gelManicure])
  })

  it('gives one member to all who can be asked, and several by position', () => {
    expect(read(`${both}&staff=${ines}`).items.map(({ staffId }) => staffId)).toEqual([ines, ines])
    expect(read(`${both}&staff=${maud}&staff=any`).items.map(({ staffId }) => staffId)).toEqual([maud, null])
    expect(read(`${both}&staff=any&staff=${maud}`).items.map(({ staffId }) => staffId)).toEqual([null, null])
  })

  it.each([
    ['', 'services'],
    ['at=2026-11-20T15:40:00Z', 'services'],
    [both, 'professional'],
    [`${both}&staff=any`, 'time'],
    [`${both}&at=2026-11-20T15:40:00Z`, 'confirm'],
    [`${both}&staff=any&at=2026-11-20T15:40:00Z&step=time`, 'time'],
    [`${both}&step=confirm`, 'professional'],
    [`${both}&step=elsewhere`, 'professional'],
  ])('an address with %s stands at the step %s', (query, step) => {
    expect(read(query).step).toBe(step)
  })

  it('a member keeps their service where one before it is gone', () => {
    const { items, gone, step } = read(`service=nothing&${both}&staff=${ines}&staff=${maud}&staff=any`)
    expect(items.map(({ staffId }) => staffId)).toEqual([maud, null])
    expect([gone, step]).toEqual([{ services: 1, person: false }, 'time'])
  })

  it('who does none of it any more is asked for anew, never passed over: neither a time nor anyone stands in', () => {
    const choice = read(`${both}&staff=somebody&at=2026-11-20T15:40:00Z`)
    expect(choice).toMatchObject({ gone: { services: 0, person: true }, step: 'professional', at: null, staffAnswered: false })
    expect(read(`${both}&staff=any&staff=${maud}&step=time`).step).toBe('professional')
    expect(read(`${both}&staff=${maud}`)).toMatchObject({ gone: { services: 0, person: false }, step: 'time' })
  })

  it('a time that has begun is none, and that is known', () => {
    const readAt = (now: string) => readChoice(new URLSearchParams(`${both}&staff=any&at=2026-11-20T15:40:00Z`), nacre, Date.parse(now))
    expect(readAt('2026-11-20T15:40:00Z')).toMatchObject({ at: null, isTimeOver: true, step: 'time' })
    expect(readAt('2026-11-20T15:39:59Z')).toMatchObject({ at: '2026-11-20T15:40:00.000Z', isTimeOver: false, step: 'confirm' })
  })

  it('what is on the menu no more is the one that took its place', () => {
    const [first] = nacre.services
    const replaced = { ...nacre, successors: { old: first?._id ?? '' } }
    const { items, gone } = readChoice(new URLSearchParams('service=old'), replaced)
    expect([items.map(({ serviceId }) => serviceId), gone.services]).toEqual([[first?._id], 0])
  })

  it('what took the place of another is named beside it, unless it is called the same', () => {
    const [first] = nacre.services
    const replacedBy = (formerNames: Record<string, string>) =>
      readChoice(new URLSearchParams('service=old&service=old'), { ...nacre, successors: { old: first?._id ?? '' }, formerNames }).replaced
    expect(replacedBy({ old: 'Shellac' })).toEqual([{ former: 'Shellac', now: 'Gel manicure' }])
    expect(replacedBy({ old: 'Gel manicure' })).toEqual([])
    expect(read(both).replaced).toEqual([])
  })

  it('a time for more than there is now is let go, and services that are all gone are chosen anew', () => {
    expect(read(`service=nothing&service=${gelManicure}&staff=any&at=2026-11-20T15:40:00Z`)).toMatchObject({ at: null, step: 'time' })
    expect(read('service=nothing&staff=any')).toMatchObject({ gone: { services: 1, person: false }, step: 'services' })
    expect(read(`service=${gelManicure}&service=${gelManicure}`).gone.services).toBe(0)
  })

  it('reads back what it wrote', () => {
    const choice = read(`${both}&staff=${maud}&staff=any&day=2026-11-24&at=2026-11-24T15:40:00Z`)
    expect(readChoice(choiceParams(choice), nacre)).toEqual(choice)
  })

  it('passes over days and times that are none', () => {
    const { day, at } = read(`${both}&day=2026-99-99&at=soon`)
    expect([day, at]).toEqual([null, null])
  })

  it('adding a service lets the chosen time go, since it was for another visit', () => {
    const choice = toggleService(read(`service=${gelManicure}&at=2026-11-24T15:40:00Z`), handMassage)
    expect(choice.items).toHaveLength(2)
    expect(choice.at).toBeNull()
    expect(toggleService(choice, gelManicure).items.map(({ serviceId }) => serviceId)).toEqual([handMassage])
  })

  it('offers nothing of a place that takes no bookings', () => {
    expect(readChoice(new URLSearchParams(both), { ...nacre, claimed: false }).items).toEqual([])
  })

  it('a class is booked by itself: it replaces what was chosen before, and is replaced by what is chosen after', () => {
    const services = nacre.services.map((service) => (service._id === handMassage ? { ...service, capacity: 8 } : service))
    const studio = { ...nacre, services }
    const chosen = (query: string) => readChoice(new URLSearchParams(query), studio).items.map(({ serviceId }) => serviceId)
    expect(chosen(`service=${gelManicure}&service=${handMassage}`)).toEqual([handMassage])
    expect(chosen(`service=${handMassage}&service=${gelManicure}`)).toEqual([gelManicure])
  })
})
