import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { visitAt } from '#/testing/visits.ts'
import { NextVisit } from './next-visit.tsx'

const at = '2031-03-18T15:40:00.000Z'
const setNow = (now: string) => vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })
const [segment] = visitAt(at).segments

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('the visit that comes next', () => {
  it.each([
    ['2031-03-18T15:39:50Z', 'Now'],
    ['2031-03-18T15:20:00Z', 'In 20 minutes'],
    ['2031-03-18T12:40:00Z', 'In 3 hours'],
    ['2031-03-15T15:40:00Z', 'In 3 days'],
  ])('at %s it is said how soon: %s', (now, soon) => {
    setNow(now)
    renderPart(<NextVisit visit={visitAt(at)} />)
    expect(within(screen.getByRole('region', { name: 'Your next visit' })).getByText(soon)).toBeTruthy()
  })

  it.each([
    ['2031-03-18T08:00:00Z', 'Today at 16:40'],
    ['2031-03-17T08:00:00Z', 'Tomorrow at 16:40'],
    // It is the 18th in Paris already.
    ['2031-03-17T23:50:00Z', 'Today at 16:40'],
  ])('at %s its day reads %s', (now, when) => {
    setNow(now)
    renderPart(<NextVisit visit={visitAt(at)} />)
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(when)
  })

  it.each([
    [undefined, 1],
    [true as const, 0],
  ])('leads to the salon, not where the salon comes to its client: at home %s', (atHome, ways) => {
    setNow('2031-03-18T08:00:00Z')
    renderPart(<NextVisit visit={visitAt(at, { ...(atHome && { atHome }) })} />)
    expect(screen.getByRole('link', { name: 'See details' })).toBeTruthy()
    expect(screen.queryAllByRole('link', { name: 'Directions' })).toHaveLength(ways)
  })

  it('says what, with whom and where, each once', () => {
    setNow('2031-03-18T08:00:00Z')
    const visit = visitAt(at, {
      segments: [segment!, { ...segment!, serviceName: 'Hand massage' }, { ...segment!, serviceName: 'Hand massage', staffName: 'Maud' }],
    })
    renderPart(<NextVisit visit={visit} />)
    const text = screen.getByRole('region', { name: 'Your next visit' }).textContent
    expect(text).toContain('Gel manicure and Hand massage, 60 min')
    expect(text).toContain('with Inès and Maud at Atelier Nacre')
    // A number leads its street whichever way the page reads.
    expect(screen.getByText(visit.institute.address).dir).toBe('auto')
    expect(screen.getByRole('link', { name: 'See details' }).getAttribute('href')).toBe(`/appointment/${visit._id}`)
  })
})
