/**
 * Visits at the client's home: the member is away from the way there until the way back is done, so travel is a buffer, an idle part is
 * no free time, and no room of the institute is taken.
 */
import { spanMinutes } from './free-time.ts'
import type { CartLine, InstituteDiary, MemberDiary, Performance, ServiceParts, ServiceRule } from './model.ts'

const unbroken = (parts: ServiceParts): ServiceParts => ({ activeMinutes: spanMinutes(parts), idleMinutes: 0, activeAfterMinutes: 0 })

const homeRule = (rule: ServiceRule, travelMinutes: number): ServiceRule => ({
  ...rule,
  parts: unbroken(rule.parts),
  bufferBeforeMinutes: rule.bufferBeforeMinutes + travelMinutes,
  bufferAfterMinutes: rule.bufferAfterMinutes + travelMinutes,
  resourceType: undefined,
  travelMinutes,
})

const homePerformance = ({ parts, ...own }: Performance): Performance => (parts === undefined ? own : { ...own, parts: unbroken(parts) })

/** The diary in which some services are done at home. */
function withHomeServices(diary: InstituteDiary, isAtHome: (rule: ServiceRule) => boolean): InstituteDiary {
  const ids = new Set([...diary.services.values()].filter(isAtHome).map(({ id }) => id))
  if (ids.size === 0) return diary
  const travel = diary.travelMinutes ?? 0
  const services = new Map([...diary.services].map(([id, rule]) => [id, ids.has(id) ? homeRule(rule, travel) : rule]))
  const members = diary.members.map((member): MemberDiary => {
    if (![...ids].some((id) => member.performs.get(id)?.parts !== undefined)) return member
    return { ...member, performs: new Map([...member.performs].map(([id, own]) => [id, ids.has(id) ? homePerformance(own) : own])) }
  })
  return { ...diary, services, members }
}

/** What is done nowhere else is done at home whoever asks: every diary begins so. */
export const withOnlyAtHome = (diary: InstituteDiary): InstituteDiary => withHomeServices(diary, ({ venue }) => venue === 'home')

/** The diary as a cart asks it: its lines that are at home are planned so. Those done nowhere else already are. */
export function diaryFor(diary: InstituteDiary, cart: readonly CartLine[]): InstituteDiary {
  if (!cart.some(({ atHome }) => atHome === true)) return diary
  const asked = new Set(cart.filter(({ atHome }) => atHome === true).map(({ serviceId }) => serviceId))
  return withHomeServices(diary, ({ id, venue }) => venue !== 'home' && asked.has(id))
}
