// Summaries made from the diaries as they are now.
import type { Instant } from '@soigne/contract/time'
import { loadDiaries, lockDiaries } from '#/features/availability/service.ts'
import type { Db } from '#/platform/database.ts'
import { lockSummaries, longestHorizon, takeMarks, writeSummaries } from './store.ts'
import { type InstituteSummary, summaryOf, summaryStretch } from './summarise.ts'

const chunk = 100

/** The summaries of institutes as they have to be now, from their diaries; unknown ids are missing. */
export async function summariesOf(db: Db, instituteIds: readonly string[], now: Instant): Promise<InstituteSummary[]> {
  const horizon = await longestHorizon(db, instituteIds)
  const loaded = await loadDiaries(db, { instituteIds, ...summaryStretch(now, horizon), now: new Date(now), withLapsed: true })
  return [...loaded.values()].map((one) => summaryOf(one, now))
}

/**
 * Writes the summaries of institutes anew, whatever changed. Part of the transaction of the change, and its last locks: those of the diaries
 * first, since what a summary covers raises their versions.
 */
export async function refreshInstitutes(db: Db, instituteIds: readonly string[], now: Instant): Promise<void> {
  await lockDiaries(db, instituteIds)
  for (let at = 0; at < instituteIds.length; at += chunk) {
    const ids = instituteIds.slice(at, at + chunk)
    await lockSummaries(db, ids)
    await takeMarks(db, ids)
    await writeSummaries(db, await summariesOf(db, ids, now))
  }
}
