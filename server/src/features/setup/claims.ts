/** Claims of listed institutes: made in the wizard with all that it tells, decided by an operator with `npm run admin`. */
import type { SetupDraft } from '@soigne/contract/setup'
import type { Locale } from '@soigne/contract/wire'
import { lockDiaries } from '#/features/availability/service.ts'
import { keepWaiting, releaseWaiting } from '#/features/files/service.ts'
import { refreshInstitutes } from '#/features/summary/service.ts'
import { publicScope, type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Database, type Db, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import {
  decideClaim,
  isClaimable,
  type OpenClaim,
  openClaims,
  otherClaims,
  ownClaim,
  putClaim,
  removeClaim,
  type TakenClaim,
} from './claims-store.ts'
import { instituteColumns, rowsOfDraft } from './draft-rows.ts'
import { givePictures } from './pictures.ts'
import { checkProfessional } from './standing.ts'
import { takeListed, writeRows } from './store.ts'

/** Operators decide at a shell. */
const system = systemScope('npm run admin')

const picturesOf = ({ pictures, logo }: SetupDraft): string[] => [...pictures, ...(logo === null ? [] : [logo])]

/** Part of a publishing. @throws not_found where nobody can claim it or a picture is gone, claim_waiting */
export async function makeClaim(
  { clock }: AppContext,
  transaction: Db,
  scope: SelfScope<true>,
  { draft, locale, instituteId }: { draft: SetupDraft; locale: Locale; instituteId: string },
): Promise<void> {
  const now = clock.now()
  if (!(await isClaimable(transaction, publicScope, instituteId))) throw refuse('not_found', { fields: { claims: 'invalid' } })
  if (!(await keepWaiting(transaction, scope.userId, picturesOf(draft)))) throw refuse('not_found', { fields: { pictures: 'invalid' } })
  const id = await putClaim(transaction, scope, { instituteId, draft: { draft, locale }, now: new Date(now) })
  if (id === null) throw refuse('claim_waiting')
  const payload = { userId: scope.userId }
  await recordEvents(transaction, [{ kind: 'claim.made', instituteId, subjectId: id, actor: scope.actor, payload, at: instantText(now) }])
}

/** Does nothing where there is none. @throws forbidden */
export async function withdrawClaim({ database, clock }: AppContext, scope: SelfScope<true>): Promise<void> {
  await inTransaction(database.db, async (transaction) => {
    await checkProfessional(transaction, scope)
    const claim = await ownClaim(transaction, scope)
    if (!claim || !(await removeClaim(transaction, scope))) return
    await releaseWaiting(transaction, scope.userId, picturesOf(claim.draft.draft))
    const payload = { userId: scope.userId }
    const at = instantText(clock.now())
    await recordEvents(transaction, [
      { kind: 'claim.withdrawn', instituteId: claim.instituteId, subjectId: claim.id, actor: scope.actor, payload, at },
    ])
  })
}

export const waitingClaims = (db: Database): Promise<OpenClaim[]> => openClaims(db, system)

/** The listed institute is theirs, with what they told; null when it is not to be had any more. */
async function handOver(transaction: Db, { userId, instituteId, draft: { draft, locale } }: TakenClaim, now: number): Promise<boolean> {
  await lockDiaries(transaction, [instituteId])
  const columns = instituteColumns(draft, locale)
  if (!(await takeListed(transaction, system, { instituteId, ownerId: userId, columns }))) return false
  const { pictures, logo } = await givePictures(transaction, { ownerId: userId, instituteId, pictures: draft.pictures, logo: draft.logo })
  const rows = rowsOfDraft(draft, { instituteId, ownerId: userId, locale, pictures })
  await writeRows(transaction, system, { instituteId, ownerId: userId, rows, logo })
  await refreshInstitutes(transaction, [instituteId], now)
  return true
}

interface Decision {
  id: string
  decision: 'accepted' | 'refused'
  now: number
}

async function decideWithin(transaction: Db, { id, decision, now }: Decision): Promise<TakenClaim | null> {
  const claim = await decideClaim(transaction, system, { id, state: decision, now: new Date(now) })
  if (!claim) return null
  const { userId, instituteId, draft } = claim
  if (decision === 'refused') await releaseWaiting(transaction, userId, picturesOf(draft.draft))
  const payload = { userId, decision }
  await recordEvents(transaction, [
    { kind: 'claim.decided', instituteId, subjectId: id, actor: system.actor, payload, at: instantText(now) },
  ])
  return claim
}

/** What became of it: the institute is the claimant's, the claim is refused, there is none that waits, or the institute is somebody's already. */
export const decideOnClaim = (db: Database, { id, decision, now }: Decision): Promise<'done' | 'unknown' | 'taken'> =>
  inTransaction(db, async (transaction) => {
    const claim = await decideWithin(transaction, { id, decision, now })
    if (!claim) return 'unknown'
    if (decision === 'refused') return 'done'
    if (!(await handOver(transaction, claim, now))) throw new NotToBeHad()
    for (const other of await otherClaims(transaction, system, claim.instituteId))
      await decideWithin(transaction, { id: other, decision: 'refused', now })
    return 'done' as const
  }).catch((error: unknown) => {
    if (error instanceof NotToBeHad) return 'taken'
    throw error
  })

/** Takes everything of the transaction back. */
class NotToBeHad extends Error {}
