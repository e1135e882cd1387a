// happy-dom tells of a selection while it is being made, browsers afterwards: a part of a date that answers by putting
// the selection back would be told without end.
import { beforeEach, vi } from 'vitest'

export function keepSelectionStill(): void {
  beforeEach(() => {
    vi.spyOn(Selection.prototype, 'collapse').mockImplementation(() => undefined)
  })
}
