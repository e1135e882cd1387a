// Writes a batch, and what a file no longer has: listings first, then the institutes they add up to.
import type { Instant } from '@soigne/contract/time'
import { refreshInstitutes } from '#/features/summary/service.ts'
import type { Db } from '#/platform/database.ts'
import type { Batch, BatchOptions, Understood } from './batch.ts'
import { type Combined, combine } from './combine.ts'
import type { ImportCounts } from './counts.ts'
import { cellOf } from './likeness.ts'
import { isNamedByTrade, slugsFor } from './slugs.ts'
import {
  hideUnlisted,
  insertInstitutes,
  markGone,
  moveSlugs,
  type NewListing,
  readListingsOfInstitutes,
  readInOtherLetters,
  showListed,
  takenSlugs,
  touchListings,
  updateInstitutes,
  writeHours,
  writeListings,
} from './store.ts'

type Scope = Pick<BatchOptions, 'source' | 'area' | 'run'>

function listingOf({ place, facts }: Understood, instituteId: string, { source, area, run }: Scope): NewListing {
  const { attribution, attributionUrl, licence, licenceUrl } = place.provenance
  return {
    institute_id: instituteId,
    source,
    source_id: place.sourceId,
    area,
    attribution,
    attribution_url: attributionUrl,
    licence,
    licence_url: licenceUrl,
    digest: `\\x${place.digest.toString('hex')}`,
    source_version: place.version,
    source_edited_at: place.editedAt,
    facts,
    cell: cellOf(facts),
    seen_in: run,
  }
}

/** The week of each institute as rows. */
const hourRows = (made: readonly { id: string; combined: Combined }[]) =>
  made.flatMap(({ id, combined }) => combined.hours.map((row) => ({ ...row, instituteId: id })))

/** Makes institutes for places nobody has listed; their ids in the order given. */
async function makeInstitutes(db: Db, fresh: readonly Understood[], { source }: Scope): Promise<string[]> {
  const candidates = fresh.map(({ place, facts }) => slugsFor({ source, sourceId: place.sourceId, ...facts }))
  const taken = await takenSlugs(db, candidates.flat())
  const rows = fresh.map(({ facts }, at) => {
    const slug = candidates[at]?.find((slug) => !taken.has(slug)) ?? ''
    taken.add(slug)
    return { slug, combined: combine({ source, facts }) }
  })
  const ids = await insertInstitutes(
    db,
    rows.map(({ slug, combined }) => ({ slug, ...combined.columns })),
  )
  const made = rows.map(({ slug, combined }) => ({ id: ids.get(slug) ?? '', combined }))
  await writeHours(db, [], hourRows(made))
  return made.map(({ id }) => id)
}

/** Adds up anew what the sources that still list an institute say of it; the institutes that took it. */
async function addUp(db: Db, instituteIds: readonly string[]): Promise<string[]> {
  if (instituteIds.length === 0) return []
  const listings = (await readListingsOfInstitutes(db, instituteIds)).filter(({ goneAt }) => goneAt === null)
  const made = [...Map.groupBy(listings, ({ instituteId }) => instituteId)].flatMap(([id, [first, ...others]]) =>
    first ? [{ id, combined: combine(first, ...others) }] : [],
  )
  const written = new Set(
    await updateInstitutes(
      db,
      made.map(({ id, combined }) => ({ id, ...combined.columns })),
    ),
  )
  await writeHours(db, [...written], hourRows(made.filter(({ id }) => written.has(id))))
  return [...written]
}

/** Institutes whose name is in other letters and whose address tells their trade alone are given one with their name; the old one still leads there. */
async function nameByName(db: Db, instituteIds: readonly string[], seen: readonly string[]): Promise<void> {
  const found = (await readInOtherLetters(db, { instituteIds, listingIds: seen })).flatMap((one) => {
    const candidates = slugsFor(one)
    return isNamedByTrade(one.slug, one.categories) && !candidates.includes(one.slug) ? [{ id: one.id, candidates }] : []
  })
  if (found.length === 0) return
  const taken = await takenSlugs(
    db,
    found.flatMap(({ candidates }) => candidates),
  )
  const moved = found.flatMap(({ id, candidates }) => {
    const slug = candidates.find((candidate) => !taken.has(candidate))
    if (slug !== undefined) taken.add(slug)
    return slug === undefined ? [] : [{ id, slug }]
  })
  await moveSlugs(db, moved)
}

/** Part of one transaction. */
export async function writeBatch(db: Db, { understood, seen }: Batch, scope: Scope, now: Instant): Promise<void> {
  if (seen.length > 0) {
    await touchListings(db, seen, scope)
    await nameByName(db, [], seen)
  }
  if (understood.length === 0) return
  const fresh = understood.filter(({ kind, sameAs, twinOf }) => kind === 'new' && sameAs === null && twinOf === null)
  const known = understood.filter((one) => !fresh.includes(one))
  const made = fresh.length > 0 ? await makeInstitutes(db, fresh, scope) : []
  const instituteOf = new Map<Understood, string>([
    ...fresh.map((one, at): [Understood, string] => [one, made[at] ?? '']),
    ...known.map((one): [Understood, string] => [one, one.stored?.instituteId ?? one.sameAs ?? '']),
  ])
  for (const one of known) if (one.twinOf) instituteOf.set(one, instituteOf.get(one.twinOf) ?? '')
  await writeListings(
    db,
    understood.map((one) => listingOf(one, instituteOf.get(one) ?? '', scope)),
  )
  const back = known.filter(({ kind }) => kind === 'back').map((one) => instituteOf.get(one) ?? '')
  if (back.length > 0) await showListed(db, back)
  const changed = await addUp(db, [...new Set(known.map((one) => instituteOf.get(one) ?? ''))])
  await nameByName(db, changed, [])
  await refreshInstitutes(db, [...made, ...changed], now)
}

/** Counted beside the writing, so that a transaction that is tried again does not count twice. */
export function countBatch({ understood }: Batch, counts: ImportCounts): void {
  for (const { kind, sameAs, twinOf } of understood) {
    if (kind !== 'new') counts.updated++
    else if (sameAs === null && twinOf === null) counts.taken++
    else counts.merged++
    if (kind === 'back') counts.notes['back'] = (counts.notes['back'] ?? 0) + 1
  }
}

/** Part of one transaction: what the newest file of an area no longer has is gone, and an institute that nobody lists any more is hidden. */
export async function takeAwayGone(db: Db, scope: Scope, now: Instant): Promise<number> {
  const gone = await markGone(db, scope)
  const institutes = [...new Set(gone.map(({ instituteId }) => instituteId))]
  if (institutes.length === 0) return 0
  await hideUnlisted(db, institutes)
  await addUp(db, institutes)
  await refreshInstitutes(db, institutes, now)
  return gone.length
}
