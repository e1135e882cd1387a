// Summaries made from the diaries as they are now.
import { loadDiaries } from '#/features/availability/service.ts'
import type { Db } from '#/platform/database.ts'
import { longestHorizon } from './store.ts'
import { type InstituteSummary, summaryOf, summaryStretch } from './summarise.ts'

/** The summaries of institutes as they have to be now, from their diaries; unknown ids are missing. */
export async function summariesOf(db: Db, instituteIds: readonly string[], now: number): Promise<InstituteSummary[]> {
  const horizon = await longestHorizon(db, instituteIds)
  const loaded = await loadDiaries(db, { instituteIds, ...summaryStretch(now, horizon), now: new Date(now), withLapsed: true })
  return [...loaded.values()].map((one) => summaryOf(one, now))
}
