/** The way to a place, on a map anyone can open. */
export function directionsUrl({ lat, lon }: { lat: number; lon: number }): string {
  return `https://www.openstreetmap.org/directions?to=${lat},${lon}`
}
