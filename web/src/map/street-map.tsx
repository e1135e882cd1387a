// Streets from the style the operator names, drawn by MapLibre. Loaded only when that style has answered.
import sheetUrl from 'maplibre-gl/dist/maplibre-gl.css?url'
import * as maplibre from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { Protocol } from 'pmtiles'
import { useMemo } from 'react'
import { AttributionControl, Map as MapView, Marker } from 'react-map-gl/maplibre'
import { crowdedPins } from './crowded-pins.ts'
import { MapPinButton } from './map-pin.tsx'
import type { MapSurfaceProps } from './map-props.ts'

maplibre.setWorkerUrl(workerUrl)
maplibre.addProtocol('pmtiles', new Protocol().tile)

export type StreetMapProps = MapSurfaceProps & { styleUrl: string; onFailure: () => void }

export function StreetMap(props: StreetMapProps) {
  const { view, size, onView, pins, selected, highlighted, onSelect, onHighlight, fixed, styleUrl, onFailure } = props
  const crowded = useMemo(() => crowdedPins(pins, view, size), [pins, view, size])
  return (
    <>
      {/* The map's own sheet comes with the map, not with every page. */}
      <link rel="stylesheet" href={sheetUrl} precedence="map" />
      <MapView
        mapLib={maplibre}
        mapStyle={styleUrl}
        latitude={view.lat}
        longitude={view.lon}
        zoom={view.zoom}
        interactive={!fixed}
        cooperativeGestures={!fixed}
        attributionControl={false}
        dragRotate={false}
        pitchWithRotate={false}
        style={{ position: 'absolute', inset: 0 }}
        onMove={({ viewState }) => onView({ lat: viewState.latitude, lon: viewState.longitude, zoom: viewState.zoom })}
        onError={({ error }) => {
          // Single tiles may be missing; without its style there is nothing to see.
          if (/style|webgl/i.test(error.message)) onFailure()
        }}
      >
        <AttributionControl compact position="top-right" />
        {pins.map((pin) => (
          <Marker
            key={pin.id}
            latitude={pin.point.lat}
            longitude={pin.point.lon}
            anchor="bottom"
            offset={[0, -5]}
            style={{ zIndex: pin.id === selected ? 3 : pin.id === highlighted ? 2 : 1 }}
          >
            <MapPinButton
              pin={pin}
              selected={pin.id === selected}
              highlighted={pin.id === highlighted}
              crowded={crowded.has(pin.id)}
              onSelect={onSelect}
              onHighlight={onHighlight}
            />
          </Marker>
        ))}
      </MapView>
    </>
  )
}
