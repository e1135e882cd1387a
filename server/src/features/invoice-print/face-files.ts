import { join } from 'node:path'

/** Where a face of the printed documents is, such as `display-latin`. */
export const faceFile = (name: string): string => join(import.meta.dirname, 'faces', `${name}.ttf`)
