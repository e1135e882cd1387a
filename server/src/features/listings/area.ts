// The area a file is of, and the day it shows: `andorra_ad_2021-04-14.ndjson` is andorra_ad on that day, a file without a date is of today.
import { basename } from 'node:path'

export interface AreaFile {
  path: string
  area: string
  /** `YYYY-MM-DD` */
  snapshot: string
}

const dated = /^(?<area>.+?)[_-](?<day>\d{4}-\d{2}-\d{2})$/

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

export function areaOfFile(path: string, today: string): AreaFile {
  const name = basename(path).replace(/\.[a-z]{1,8}$/i, '')
  const { area = name, day = today } = dated.exec(name)?.groups ?? {}
  return isDay(day) ? { path, area: area.slice(0, 200), snapshot: day } : { path, area: name.slice(0, 200), snapshot: today }
}

/** Older files first, so that newer ones have the last word. */
export const byAge = (files: readonly AreaFile[]): AreaFile[] =>
  files.toSorted((a, b) => (a.snapshot === b.snapshot ? 0 : a.snapshot < b.snapshot ? -1 : 1))
