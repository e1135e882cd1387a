import { beforeAll, describe, expect, it } from 'vitest'
import type { VisitRows } from '#/rows/tables.ts'
import { buildDemo, type Demo } from './seed-demo.ts'

const at = Date.parse('2026-11-20T11:00:00Z')
let institutes: Demo['institutes']
beforeAll(async () => {
  institutes = (await buildDemo(at)).institutes
})

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

describe('the reviews of the demo', () => {
  it('[E-09] are where the figures of every institute come from', () => {
    for (const { institute, visits } of institutes) {
      const { rating_count: count, average_welcoming: welcoming, average_service_quality: quality } = institute.institute
      expect(count).toBe(visits.reviews.length)
      expect(count).toBeGreaterThanOrEqual(5)
      expect(welcoming).toBeCloseTo(mean(visits.reviews.map((one) => one.welcoming)), 2)
      expect(quality).toBeCloseTo(mean(visits.reviews.map((one) => one.service_quality)), 2)
    }
  })

  it('are of visits that were kept, one each, written after them and answered after that, all by now', () => {
    for (const { visits } of institutes) {
      const kept = new Map(visits.appointments.filter((one) => one.attendance === 'done').map((one) => [one.id, one]))
      expect(new Set(visits.reviews.map((one) => one.appointment_id)).size).toBe(visits.reviews.length)
      for (const review of visits.reviews) {
        const written = Date.parse(review.created_at)
        expect(written).toBeGreaterThan(Date.parse(kept.get(review.appointment_id)?.ends_at ?? '9999'))
        expect(written).toBeLessThanOrEqual(at)
        const answered = review.replied_at === null ? at : Date.parse(review.replied_at)
        expect([answered >= written, answered <= at, (review.reply === null) === (review.replied_at === null)]).toEqual([true, true, true])
      }
    }
  })

  it('say nothing twice of one institute, in the letters of their language, by a first name and an initial', () => {
    const written = ({ reviews }: VisitRows) => reviews.filter(({ text }) => text !== '')
    for (const { visits } of institutes) {
      const said = written(visits)
      expect(new Set(said.map(({ text }) => text)).size).toBe(said.length)
      for (const { text, language, author } of said) {
        expect([text, /\p{Script=Arabic}/u.test(text)]).toEqual([text, language === 'ar'])
        expect(author).toMatch(/^\S.* \p{L}\.$/u)
      }
    }
    const languages = institutes.flatMap(({ visits }) => written(visits).map(({ language }) => language))
    expect(new Set(languages)).toEqual(new Set(['en', 'fr', 'ar']))
  })
})
