// One place on a map that stays where it is, drawn only when it comes near the window.
import { Suspense } from 'react'
import { lazily } from '#/ui/lazily.tsx'
import { WhenNear } from '#/ui/when-near.tsx'
import type { Point } from './mercator.ts'

const InstituteMap = lazily(async () => (await import('./institute-map.tsx')).InstituteMap)

export type PlaceMapProps = { id: string; name: string; location: Point; quarter: string | null; city: string }

export function PlaceMap({ id, name, location, quarter, city }: PlaceMapProps) {
  return (
    <WhenNear>
      <Suspense>
        <InstituteMap
          fixed
          label={name}
          pins={[{ id, point: location, text: name, label: name, tone: 'soon', quarter, city }]}
          selected={id}
        />
      </Suspense>
    </WhenNear>
  )
}
