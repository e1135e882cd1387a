// Where the page on screen is: the router knows of another one before that is drawn, and what a test reads next is still the old one's.
import { useLayoutEffect } from 'react'
import { useLocation, type Location } from 'react-router'

export class PlaceOnScreen {
  location: Location | null = null

  readonly path = (): string => (this.location ? this.location.pathname + this.location.search : '')

  readonly address = (): string => (this.location ? this.path() + this.location.hash : '')
}

export function ReportPlace({ to }: { to: PlaceOnScreen }) {
  const location = useLocation()
  useLayoutEffect(() => {
    to.location = location
  }, [to, location])
  return null
}
