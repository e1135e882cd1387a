// Which square of a picture is cut out.

export interface Crop {
  /** The middle of the square, in pixels of the picture. */
  x: number
  y: number
  /** 1: the largest square there is. */
  zoom: number
}
export interface Size {
  width: number
  height: number
}

export const mostZoom = 4

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

export const sideOf = ({ width, height }: Size, { zoom }: Crop): number => Math.min(width, height) / zoom

/** The same square, moved as little as it takes to lie within the picture. */
export function kept(size: Size, crop: Crop): Crop {
  const zoom = between(crop.zoom, 1, mostZoom)
  const half = sideOf(size, { ...crop, zoom }) / 2
  return { x: between(crop.x, half, size.width - half), y: between(crop.y, half, size.height - half), zoom }
}

export const middle = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 })
