/** The till at the end of a day: what should be in it, what was counted, and why they differ. A closed day never changes. */
import type { TillDay } from '@soigne/contract/sales'
import { type Instant, minuteOf } from '@soigne/contract/time'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { type Requester, keyOf } from '#/features/booking/service.ts'
import { instituteOf } from '#/features/sales/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { closingOf, insertClosing, takenOn } from './closing-store.ts'

type TakeScope = InstituteScope<'sales.take'>

async function here(db: Db, scope: TakeScope, now: Instant): Promise<{ today: string; currency: string }> {
  const institute = await instituteOf(db, scope)
  if (!institute) throw refuse('not_found')
  return { today: dayOf(institute.timeZone, minuteOf(now)), currency: institute.currency }
}

async function dayForWire(db: Db, scope: TakeScope, day: string, currency: string): Promise<TillDay> {
  const taken = await takenOn(db, scope, day)
  const closing = await closingOf(db, scope, day)
  return {
    day,
    currency,
    ...taken,
    closing: closing && {
      float: closing.float,
      counted: closing.counted,
      difference: closing.counted - closing.float - closing.cash,
      reason: closing.reason,
      closedAt: closing.closedAt,
      by: closing.by,
    },
  }
}

export async function tillDayOf(context: AppContext, scope: TakeScope, day: string | undefined): Promise<TillDay> {
  const { db } = context.database
  const { today, currency } = await here(db, scope, context.clock.now())
  return dayForWire(db, scope, day ?? today, currency)
}

interface Asked {
  day: string
  float: number
  counted: number
  reason?: string | undefined
}
/** @throws till_closed when it is closed already, wrong_state for a day to come, reason_needed where what was counted is not what should be there */
export async function closeTill(context: AppContext, who: Requester<TakeScope>, asked: Asked): Promise<TillDay> {
  const { scope } = who
  const { instituteId } = scope
  const { day, float, counted, reason = null } = asked
  const key = keyOf(who, { call: 'closeTill', ...asked })
  return changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
    const { today, currency } = await here(unit.db, scope, unit.now)
    if (day > today) throw refuse('wrong_state')
    const { cash, terminal, tips, kept, refunded } = await takenOn(unit.db, scope, day)
    const difference = counted - float - cash
    if (difference !== 0 && !reason) throw refuse('reason_needed', { difference })
    if (!(await insertClosing(unit, scope, { day, currency, float, cash, counted, terminal, tips, kept, refunded, reason })))
      throw refuse('till_closed', { day })
    unit.record('till.closed', null, { day, amount: counted, currency })
    return dayForWire(unit.db, scope, day, currency)
  })
}
