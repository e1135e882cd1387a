// Rows of reviews, and the averages of an institute that follow from them.
import type { Ratings } from './institute.ts'

export interface ReviewFacts {
  id: string
  appointmentId: string
  instituteId: string
  author: string
  language: 'en' | 'fr' | 'ar'
  welcoming: number
  hygiene: number
  atmosphere: number
  serviceQuality: number
  text?: string
  /** Instants. */
  createdAt: string
  reply?: { text: string; at: string } | null
}

export type ReviewRow = ReturnType<typeof reviewRow>
export const reviewRow = (facts: ReviewFacts) => ({
  id: facts.id,
  appointment_id: facts.appointmentId,
  institute_id: facts.instituteId,
  author: facts.author,
  language: facts.language,
  welcoming: facts.welcoming,
  hygiene: facts.hygiene,
  atmosphere: facts.atmosphere,
  service_quality: facts.serviceQuality,
  text: facts.text ?? '',
  created_at: facts.createdAt,
  reply: facts.reply?.text ?? null,
  replied_at: facts.reply?.at ?? null,
})

/** First name and initial, as the product shows who wrote. */
export const shownName = (firstName: string, lastName: string): string => [firstName, lastName && `${lastName[0] ?? ''}.`].join(' ').trim()

/** What the database would keep: the means with two digits, half up. */
export function ratingsOfRows(rows: readonly ReviewRow[]): Ratings | undefined {
  const count = rows.length
  if (count === 0) return undefined
  const mean = (of: (row: ReviewRow) => number): number => Math.round((rows.reduce((sum, row) => sum + of(row), 0) * 100) / count) / 100
  return {
    count,
    welcoming: mean((row) => row.welcoming),
    hygiene: mean((row) => row.hygiene),
    atmosphere: mean((row) => row.atmosphere),
    serviceQuality: mean((row) => row.service_quality),
  }
}
