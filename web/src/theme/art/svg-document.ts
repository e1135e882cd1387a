// The sheet a picture is glued to: a whole SVG file, or markup to be set into a page.
import { shadowDefinition } from './shapes.ts'

export function svgDocument(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">${shadowDefinition}${content}</svg>`
}
