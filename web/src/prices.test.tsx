import type { Service } from '@soigne/contract/institutes'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { gelManicure, maud, nacre } from '#/testing/institutes.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { isBookable, priceAtDesk, priceOfService, priceOfVisit, sumOfPrices, usePriceText, type PriceRange } from './prices.ts'

afterEach(cleanup)
const euros = (amount: number) => ({ amount: Math.round(amount * 100), currency: 'EUR' })
const gel = nacre.services.find(({ _id }) => _id === gelManicure) as Service
const asked: Service = { ...gel, price: null, priceKind: 'on_request', performers: [] }

describe('the price of a service', () => {
  it('is the person’s own, and with anyone lies between the least and the most of the team', () => {
    expect(priceOfService(gel, maud)).toEqual({ least: euros(44), most: euros(44) })
    expect(priceOfService(gel, null)).toEqual({ least: euros(38), most: euros(44) })
  })

  it('is never that of who is had by name alone where anyone was asked for, but at the desk', () => {
    const performers = gel.performers.map((one) => (one.staffId === maud ? { ...one, onlyByName: true as const } : one))
    expect(priceOfService({ ...gel, performers }, null)).toEqual({ least: euros(38), most: euros(38) })
    expect(priceOfService({ ...gel, performers }, maud)).toEqual({ least: euros(44), most: euros(44) })
    expect(priceAtDesk({ ...gel, performers }, null)).toEqual({ least: euros(38), most: euros(44) })
  })

  it('is the menu’s where nobody can be booked online', () => {
    expect(priceOfService({ ...gel, performers: [] }, null)).toEqual({ least: euros(38), most: euros(38) })
  })

  it('is open above where it only begins there, whoever does it', () => {
    expect(priceOfService({ ...gel, priceKind: 'from' }, maud)).toEqual({ least: euros(44), most: null })
    expect(priceOfService({ ...gel, priceKind: 'from' }, null)).toEqual({ least: euros(38), most: null })
  })

  it('on request is none, and cannot be booked even where somebody performs it', () => {
    expect(priceOfService(asked, null)).toEqual({ least: null, most: null })
    expect(isBookable(nacre, gel)).toBe(true)
    expect(isBookable(nacre, { ...asked, performers: gel.performers })).toBe(false)
  })
})

describe('prices added up', () => {
  it('are open above as soon as one of them is, and none where all are on request', () => {
    const fixed: PriceRange = { least: euros(14), most: euros(14) }
    expect(sumOfPrices([fixed, priceOfService(gel, null)])).toEqual({ least: euros(52), most: euros(58) })
    expect(sumOfPrices([fixed, priceOfService(asked, null)])).toEqual({ least: euros(14), most: null })
    expect(sumOfPrices([priceOfService(asked, null)])).toEqual({ least: null, most: null })
  })

  it('of a visit are what was agreed, never a nothing that nobody agreed to', () => {
    const segment = { serviceId: 's', serviceName: '', staffId: '', staffName: '', staffImageUrl: '', startsAt: '', endsAt: '' }
    const none = { ...segment, price: null, priceKind: 'on_request' as const }
    expect(priceOfVisit({ segments: [none], total: euros(0) })).toEqual({ least: null, most: null })
    expect(priceOfVisit({ segments: [none, { ...segment, price: euros(20) }], total: euros(20) })).toEqual({ least: euros(20), most: null })
    // An answer of the release before says no kind.
    expect(priceOfVisit({ segments: [{ ...segment, price: euros(20) }], total: euros(20) })).toEqual({ least: euros(20), most: euros(20) })
  })
})

describe('a price in words', () => {
  function Words({ price }: { price: PriceRange }) {
    return <output>{usePriceText()(price)}</output>
  }
  it.each<[PriceRange, RegExp]>([
    [{ least: euros(38), most: euros(38) }, /^€38$/],
    [{ least: euros(38), most: euros(44.5) }, /^€38\.00\s–\s€44\.50$/],
    [{ least: euros(38), most: null }, /^from €38$/],
    [{ least: null, most: null }, /^on request$/],
  ])('%o', (price, words) => {
    renderPart(<Words price={price} />)
    expect(screen.getByRole('status').textContent).toMatch(words)
  })
})
