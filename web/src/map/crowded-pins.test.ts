import { describe, expect, it } from 'vitest'
import { crowdedPins } from './crowded-pins.ts'
import type { MapPin } from './map-pin.tsx'

const size = { width: 500, height: 600 }
const near = { lat: 45.76, lon: 4.84, zoom: 15 }
const far = { ...near, zoom: 9 }

function pin(id: string, lon: number, change: Partial<MapPin> = {}): MapPin {
  return { id, point: { lat: 45.76, lon }, text: '14:20', label: id, tone: 'soon', quarter: null, city: 'Lyon', ...change }
}

const neighbours = [pin('first', 4.84), pin('second', 4.845)]

describe('pins that lie on each other', () => {
  it('keep their words where there is room, and only the first does where there is none', () => {
    expect([...crowdedPins(neighbours, near, size)]).toEqual([])
    expect([...crowdedPins(neighbours, far, size)]).toEqual(['second'])
  })

  it('a nearer time keeps its words before a later one', () => {
    const [first, second] = neighbours as [MapPin, MapPin]
    expect([...crowdedPins([{ ...first, tone: 'later' }, second], far, size)]).toEqual(['first'])
  })

  it('one without words takes no room', () => {
    const [first, second] = neighbours as [MapPin, MapPin]
    expect([...crowdedPins([{ ...first, text: '', tone: 'none' }, second], far, size)]).toEqual([])
  })
})
