/** Putting the address of a visit at home right. Its time stays: the way there is a setting of the institute and does not hang on the place. docs/decisions/116. */
import type { HomeAddressInput } from '@soigne/contract/appointments'
import type { Instant } from '@soigne/contract/time'
import { checkColumn, checkSeen, type ChangeScope, isBookingUntold, visitShown } from '#/features/appointments/service.ts'
import { checkCorrected, correctHome, type Home, homeForPerformer, homeOf, ownHome, reachOf } from '#/features/at-home/service.ts'
import { keyOf, type Requester } from '#/features/booking/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  findVisit,
  isAtHome,
  partyOf,
  type SegmentRow,
  segmentsOf,
  type ShownVisit,
  stateOf,
  stepFrom,
  wayBeginsAt,
} from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'

interface CorrectionAsked {
  id: string
  home: HomeAddressInput
  /** Of the visit as it was seen. */
  version?: number | undefined
}

async function visitOf(db: Db, scope: ChangeScope, id: string, lock: boolean): Promise<AppointmentRow> {
  const row = await findVisit(db, scope, { id, lock })
  if (!row || row.life === 'held') throw refuse('not_found')
  return row
}

/** Somebody who stands before the wrong door phones: the institute may until the visit is over. */
function checkStep(scope: ChangeScope, row: AppointmentRow, segments: readonly SegmentRow[], now: Instant): void {
  const by = partyOf(scope.actor)
  const isOver = parseInstant(by === 'client' ? row.startsAt : row.endsAt) <= now
  if (!isAtHome(row) || !stepFrom('correct_home', stateOf(row), by) || isOver) throw refuse('wrong_state')
  if (by === 'client' && wayBeginsAt(row, segments) <= now) throw refuse('too_late', { phone: row.institutePhone })
}

/** Whether it is where whoever asks can read that it is. To anybody else any address is another one: they cannot try out which it is. */
async function isSame({ db, now }: Unit, scope: ChangeScope, id: string, home: Home): Promise<boolean> {
  const known = scope.kind === 'self' ? await ownHome(db, scope, id) : await homeForPerformer(db, scope, id, new Date(now))
  return known !== null && known.line === home.line && known.postalCode === home.postalCode && known.city === home.city
}

/** @throws wrong_state for a visit that is over, cancelled or not at home; too_late, outside_radius for its client; bad_input for a town nobody knows */
export async function correctHomeOf<T>(
  context: AppContext,
  who: Requester<ChangeScope>,
  { id, home: typed, version }: CorrectionAsked,
  present: (visit: ShownVisit, now: Instant, db: Db) => T | Promise<T>,
): Promise<T> {
  const { scope, locale } = who
  const { instituteId } = await visitOf(context.database.prepared, scope, id, false)
  const key = keyOf(who, { call: 'correct home', id, home: typed })
  return changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
    const row = await visitOf(unit.db, scope, id, true)
    await checkSeen(unit.db, scope, row, version)
    const segments = (await segmentsOf(unit.db, scope, [id])).get(id) ?? []
    checkColumn(scope, segments)
    checkStep(scope, row, segments, unit.now)
    const reach = await reachOf(unit, id)
    const home = await homeOf(unit.db, reach, typed, locale)
    if (scope.kind === 'self') checkCorrected(reach, home)
    if (await isSame(unit, scope, id, home)) unit.nothingChanged()
    else {
      await correctHome(unit, id, home)
      const { startsAt, endsAt } = row
      unit.record('visit.readdressed', id, { startsAt, endsAt, ...((await isBookingUntold(unit, id)) && { toldLater: true }) })
    }
    return present(await visitShown(unit.db, scope, id), unit.now, unit.db)
  })
}
