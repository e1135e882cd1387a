/** A visit as an iCalendar file. */
import type { Locale } from '@soigne/contract/wire'
import { type AppointmentRow, calendarOfVisits, type SegmentRow } from '#/features/visits/service.ts'

export const calendarFile = (row: AppointmentRow, segments: SegmentRow[], locale: Locale, publicUrl: string): string =>
  calendarOfVisits([{ row, segments }], locale, publicUrl, 'saved')
