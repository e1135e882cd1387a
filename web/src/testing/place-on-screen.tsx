// Where the page on screen is: the router knows of another one before that is drawn, and what a test reads next is still the old one's.
import { useLayoutEffect } from 'react'
import { useLocation, type Location } from 'react-router'

export class PlaceOnScreen {
  private location: Location | null = null

  readonly tell = (location: Location): void => {
    this.location = location
  }

  readonly path = (): string => (this.location ? this.location.pathname + this.location.search : '')

  readonly address = (): string => (this.location ? this.path() + this.location.hash : '')
}

export function ReportPlace({ onPlace }: { onPlace: (location: Location) => void }) {
  const location = useLocation()
  useLayoutEffect(() => onPlace(location), [onPlace, location])
  return null
}
