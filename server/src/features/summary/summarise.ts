// One institute as the rows of the summary. Pure, so that whoever loads institutes in bulk can do it in workers.
import type { LoadedInstitute } from '#/features/availability/service.ts'
import { addDays } from '@soigne/scheduling/days'
import type { EpochMinute } from '@soigne/scheduling/model'
import { dayMs, type Instant, minuteOf } from '@soigne/contract/time'
import { type BookableService, classesOf } from './classes.ts'
import { type Cover, coverFrom, type DaysOfCover, daysWithin, hexOf, startBits } from './starts.ts'
import { instituteWords, serviceWords } from './words.ts'

export interface FreeTimeRow extends Cover {
  instituteId: string
  classes: string
  /** Hexadecimal with a leading x, as PostgreSQL reads bit strings. */
  near: string
  /** Only where gaps are hidden. */
  nearAll: string | null
  far: string
  coarse: boolean
}

export type BookableServiceRow = BookableService & { instituteId: string; words: string }

export interface InstituteSummary {
  instituteId: string
  /** Text of a tsvector. */
  words: string
  vocabulary: string[]
  services: BookableServiceRow[]
  /** Null for an institute that cannot be booked. */
  freeTime: FreeTimeRow | null
}

/** From when to when a diary has to be loaded for a summary made now, in milliseconds since the epoch. */
export const summaryStretch = (now: Instant, horizonDays: number): { from: Date; to: Date } => ({
  from: new Date(now - dayMs),
  to: new Date(now + (horizonDays + 20) * dayMs),
})

/** Bits of some days in their place in the row of a cover. */
function rowOf(cover: Cover, asked: DaysOfCover, bits: Uint8Array): Uint8Array {
  const row = new Uint8Array(cover.nearCount)
  row.set(bits, asked.nearFrom - cover.nearFrom)
  return row
}

function freeTimeOf(loaded: LoadedInstitute, now: EpochMinute, classes: ReturnType<typeof classesOf>): FreeTimeRow {
  const { diary } = loaded
  const cover = coverFrom(diary, now)
  const asked = daysWithin(diary, cover, cover.firstDay, addDays(cover.firstDay, cover.dayCount - 1))
  if (!asked) throw new Error('a cover without days')
  const bits = startBits(diary, classes.examples, asked)
  const hidden = bits.flatMap(({ nearAll }) => nearAll ?? [])
  return {
    instituteId: loaded.institute.id,
    classes: classes.key,
    ...cover,
    near: hexOf(bits.map(({ near }) => rowOf(cover, asked, near))),
    nearAll: diary.rules.gaps === 'hide' ? hexOf(hidden.map((row) => rowOf(cover, asked, row))) : null,
    far: hexOf(bits.flatMap(({ far }) => far)),
    coarse: bits.some(({ offBins }) => offBins),
  }
}

/** The summary of an institute whose diary is loaded for `summaryStretch`. `now` in milliseconds since the epoch. */
export function summaryOf(loaded: LoadedInstitute, now: Instant): InstituteSummary {
  const { institute, serviceDetails } = loaded
  const { vector, words } = instituteWords(loaded)
  const bookable = institute.claimed && institute.state === 'published'
  const classes = bookable ? classesOf(loaded) : null
  const services = (classes?.services ?? []).flatMap((service) => {
    const detail = serviceDetails.get(service.serviceId)
    return detail ? [{ ...service, instituteId: institute.id, words: serviceWords(detail) }] : []
  })
  return {
    instituteId: institute.id,
    words: vector,
    vocabulary: words,
    services,
    freeTime: classes && classes.examples.length > 0 ? freeTimeOf(loaded, minuteOf(now), classes) : null,
  }
}
