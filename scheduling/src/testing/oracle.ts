/**
 * The rules of time written down a second time, as plainly as possible: every placement of every service is tried.
 * It shares the model with the engine and nothing else.
 */
import type {
  CartLine,
  EpochMinute,
  InstituteDiary,
  MemberDiary,
  Offer,
  ResourceDiary,
  ServiceParts,
  ServiceRule,
  Span,
  VisitPlan,
} from '#/model.ts'
import { joinTaken, permutationsOf } from './oracle-lists.ts'
import { isOnGrid, lookAt, mayStart, openingMinuteOf, type OracleQuestion, type World } from './oracle-world.ts'
import type { Moment } from './timeline.ts'

interface Placed {
  readonly line: number
  readonly rule: ServiceRule
  readonly member: MemberDiary
  readonly parts: ServiceParts
  readonly at: EpochMinute
  readonly end: EpochMinute
  readonly unit: ResourceDiary | undefined
}

/** The plans of every start the institute offers on a day, by start, in order of time. */
export function plansOfDay(question: OracleQuestion): ReadonlyMap<EpochMinute, VisitPlan> {
  const world = lookAt(question)
  const { diary, day } = question
  const plans = new Map<EpochMinute, VisitPlan>()
  for (const moment of world.moments) {
    if (moment.day !== day || !diary.members.some((member) => isOnGrid(world, member, moment))) continue
    if (!mayStart(world, moment)) continue
    const plan = planAt(world, moment)
    if (plan !== undefined) plans.set(moment.at, plan)
  }
  if (diary.rules.gaps !== 'hide' || question.forInstitute === true) return plans
  const clean = [...plans].filter(([, plan]) => plan.strandedMinutes === 0)
  return clean.length > 0 ? new Map(clean) : plans
}

/** What the engine should offer on a day. */
export function offersOf(plans: ReadonlyMap<EpochMinute, VisitPlan>): readonly Offer[] {
  return [...plans.values()].map(({ startsAt, endsAt, strandedMinutes }) => ({ startsAt, endsAt, strandedMinutes }))
}

function planAt(world: World, moment: Moment): VisitPlan | undefined {
  const { diary, cart } = world.question
  const places = cart.map((_, place) => place)
  const orders = diary.rules.serviceOrder === 'best' && cart.length <= 5 ? permutationsOf(places) : [places]
  let best: readonly Placed[] | undefined
  for (const order of orders) {
    const placed = placeRest(world, moment, order, [])
    if (placed === undefined) continue
    if (best === undefined || endOf(placed) < endOf(best)) best = placed
  }
  return best === undefined ? undefined : planOf(world, moment, best)
}

function endOf(placed: readonly Placed[]): EpochMinute {
  return Math.max(...placed.map(({ end }) => end))
}

/** Who goes to a client needs no room, and the way there and back lies around the visit. */
function ruleOf({ services, travelMinutes = 0 }: InstituteDiary, { serviceId, atHome }: CartLine): ServiceRule {
  const rule = services.get(serviceId)!
  if (atHome !== true) return rule
  const { bufferBeforeMinutes: before, bufferAfterMinutes: after } = rule
  const buffers = { bufferBeforeMinutes: before + travelMinutes, bufferAfterMinutes: after + travelMinutes }
  return { ...rule, ...buffers, resourceType: undefined, travelMinutes }
}

/** Nobody leaves a client's home while a colour works. */
function partsOf({ atHome }: CartLine, parts: ServiceParts): ServiceParts {
  const { activeMinutes, idleMinutes, activeAfterMinutes } = parts
  if (atHome !== true) return parts
  return { activeMinutes: activeMinutes + idleMinutes + activeAfterMinutes, idleMinutes: 0, activeAfterMinutes: 0 }
}

function placeRest(world: World, moment: Moment, order: readonly number[], placed: readonly Placed[]): readonly Placed[] | undefined {
  const { diary, cart, forInstitute } = world.question
  const line = order[placed.length]
  if (line === undefined) return placed
  const asked = cart[line]!
  const { serviceId, memberId } = asked
  const rule = ruleOf(diary, asked)
  for (const at of startsAfter(world, moment, placed)) {
    for (const member of world.ranked) {
      const performs = member.performs.get(serviceId)
      if (performs === undefined || (memberId !== undefined && memberId !== member.id)) continue
      if (!member.bookableOnline && forInstitute !== true) continue
      if (performs.onlyByName === true && memberId === undefined && forInstitute !== true) continue
      const parts = partsOf(asked, performs.parts ?? rule.parts)
      const end = at + parts.activeMinutes + parts.idleMinutes + parts.activeAfterMinutes
      const segment = { line, rule, member, parts, at, end, unit: undefined }
      if (placed.length === 0 && !isOnGrid(world, member, moment)) continue
      if (!fits(world, segment, placed)) continue
      for (const unit of unitsFor(world, segment, placed)) {
        const whole = placeRest(world, moment, order, [...placed, { ...segment, unit }])
        if (whole !== undefined) return whole
      }
    }
  }
  return undefined
}

function startsAfter({ question }: World, moment: Moment, placed: readonly Placed[]): readonly EpochMinute[] {
  const previous = placed.at(-1)
  if (previous === undefined) return [moment.at]
  const nested = new Set<EpochMinute>()
  for (const { at, parts } of placed) {
    const from = at + parts.activeMinutes
    for (let start = from; start < from + parts.idleMinutes; start += 5) if (start >= previous.at) nested.add(start)
  }
  const waits: EpochMinute[] = []
  for (let wait = 0; wait <= question.diary.rules.maxWaitMinutes; wait += 5) waits.push(endOf(placed) + wait)
  return [...[...nested].sort((a, b) => a - b), ...waits]
}

function everyMinute(from: EpochMinute, to: EpochMinute, holds: (at: EpochMinute) => boolean): boolean {
  for (let at = from; at < to; at++) if (!holds(at)) return false
  return true
}

function activeParts({ at, end, parts }: Placed): readonly Span[] {
  const first = { from: at, to: at + parts.activeMinutes }
  return parts.activeAfterMinutes > 0 ? [first, { from: end - parts.activeAfterMinutes, to: end }] : [first]
}

function fits(world: World, segment: Placed, placed: readonly Placed[]): boolean {
  const { rule, member, at, end } = segment
  const works = world.works.get(member.id)!
  const busy = world.busy.get(member.id)!
  const active = activeParts(segment)
  if (rule.latestStart !== undefined && openingMinuteOf(world, at) > rule.latestStart) return false
  if (!everyMinute(at, end, (minute) => world.open.has(minute))) return false
  for (const part of active) {
    if (!everyMinute(part.from, part.to, (minute) => works.has(minute) && !busy.has(minute))) return false
    for (const other of placed.flatMap(activeParts)) if (part.from < other.to && other.from < part.to) return false
  }
  const lastEnd = active.at(-1)!.to
  const gone = world.gone.get(member.id)!
  const isClear = (minute: EpochMinute): boolean => !busy.has(minute) && !gone.has(minute)
  if (!everyMinute(at - rule.bufferBeforeMinutes, at, isClear)) return false
  if (!everyMinute(lastEnd, lastEnd + rule.bufferAfterMinutes, isClear)) return false
  if (placed.length === 0 || at >= endOf(placed)) return true
  if (rule.isSequential === true) return false
  return placed.some((one) => {
    const from = one.at + one.parts.activeMinutes
    return from <= at && end <= from + one.parts.idleMinutes
  })
}

function unitsFor(world: World, segment: Placed, placed: readonly Placed[]): readonly (ResourceDiary | undefined)[] {
  const { rule, at, end } = segment
  if (rule.resourceType === undefined) return [undefined]
  const before = placed.filter((one) => one.rule.resourceType === rule.resourceType).at(-1)?.unit
  return world.question.diary.resources
    .filter((unit) => unit.type === rule.resourceType)
    .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
    .toSorted((a, b) => Number(b === before) - Number(a === before))
    .filter((unit) => {
      const busy = world.busy.get(unit.id)!
      const buffered = everyMinute(at - rule.bufferBeforeMinutes, end + rule.bufferAfterMinutes, (minute) => !busy.has(minute))
      const open = everyMinute(at, end, (minute) => world.unitOpen.get(unit.id)!.has(minute))
      return buffered && open && !placed.some((one) => one.unit === unit && one.at < end && at < one.end)
    })
}

function planOf(world: World, moment: Moment, placed: readonly Placed[]): VisitPlan {
  const taken = placed.flatMap((one) => {
    const active = activeParts(one)
    const { bufferBeforeMinutes: before, bufferAfterMinutes: after } = one.rule
    const own = active.map((part, i) => ({
      subject: 'member' as const,
      id: one.member.id,
      from: part.from - (i === 0 ? before : 0),
      to: part.to + (i === active.length - 1 ? after : 0),
    }))
    if (one.unit === undefined) return own
    return [...own, { subject: 'resource' as const, id: one.unit.id, from: one.at - before, to: one.end + after }]
  })
  const members = [...new Set(placed.map(({ member }) => member))]
  const stranded = members.map((member) => {
    const own = taken.filter(({ subject, id }) => subject === 'member' && id === member.id)
    return strandedOf(world, member, Math.min(...own.map(({ from }) => from)), Math.max(...own.map(({ to }) => to)))
  })
  return {
    startsAt: moment.at,
    endsAt: endOf(placed),
    segments: placed.map(({ line, rule, member, at, end, parts, unit }) => ({
      line,
      serviceId: rule.id,
      memberId: member.id,
      startsAt: at,
      endsAt: end,
      parts,
      ...(unit === undefined ? {} : { resourceId: unit.id }),
      ...(rule.travelMinutes === undefined ? {} : { travelMinutes: rule.travelMinutes }),
    })),
    occupations: joinTaken(taken),
    strandedMinutes: world.question.diary.rules.gaps === 'off' ? 0 : stranded.reduce((sum, one) => sum + one, 0),
  }
}

function strandedOf(world: World, member: MemberDiary, from: EpochMinute, to: EpochMinute): number {
  const { diary, cart } = world.question
  const spans = [...member.performs].flatMap(([id, { parts: own }]) => {
    if (!diary.services.has(id)) return []
    const rule = ruleOf(diary, cart.find(({ serviceId }) => serviceId === id) ?? { serviceId: id })
    const { activeMinutes, idleMinutes, activeAfterMinutes } = own ?? rule.parts
    return [rule.bufferBeforeMinutes + activeMinutes + idleMinutes + activeAfterMinutes + rule.bufferAfterMinutes]
  })
  const sellable = (at: EpochMinute): boolean =>
    world.works.get(member.id)!.has(at) && world.open.has(at) && !world.busy.get(member.id)!.has(at)
  let before = 0
  while (sellable(from - before - 1)) before++
  let after = 0
  while (sellable(to + after)) after++
  const shortest = Math.min(...spans)
  return (before < shortest ? before : 0) + (after < shortest ? after : 0)
}
