/** Group sessions looked at seat by seat and minute by minute. */
import type { EpochMinute, GroupSession, MemberDiary, Offer, VisitPlan } from '#/model.ts'
import { isGone, lookAt, maySit, type OracleQuestion, type World } from './oracle-world.ts'

/** What a client may book of one start. */
export interface SeatsAt {
  readonly offer: Offer
  readonly plan: VisitPlan
}

/** The seats of every start of a day, by start, in order of time. */
export function seatsOfDay(question: OracleQuestion): ReadonlyMap<EpochMinute, SeatsAt> {
  const found = new Map<EpochMinute, SeatsAt>()
  const { diary, cart, day } = question
  const [line] = cart
  if (line === undefined || cart.length !== 1) return found
  const world = lookAt(question)
  for (const moment of world.moments) {
    if (moment.day !== day || !maySit(world, moment)) continue
    let best: { session: GroupSession; member: MemberDiary; free: number } | undefined
    let seatsLeft = 0
    for (const member of diary.members.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))) {
      for (const session of (diary.sessions ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        if (session.from !== moment.at || session.memberId !== member.id || session.serviceId !== line.serviceId) continue
        if (line.memberId !== undefined && line.memberId !== member.id) continue
        if (!member.performs.has(session.serviceId) || !isGiven(world, session, member)) continue
        let free = 0
        for (let seat = 1; seat <= session.seats; seat++) if (seat > session.taken) free++
        seatsLeft += free
        if (free > (best?.free ?? 0)) best = { session, member, free }
      }
    }
    if (best !== undefined)
      found.set(moment.at, { offer: offerOf(best.session, seatsLeft), plan: planOf(world, best.session, best.member) })
  }
  return found
}

const offerOf = ({ from, to }: GroupSession, seatsLeft: number): Offer => ({ startsAt: from, endsAt: to, strandedMinutes: 0, seatsLeft })

function isGiven(world: World, session: GroupSession, member: MemberDiary): boolean {
  const { closures, resources, services } = world.question.diary
  const type = services.get(session.serviceId)?.resourceType
  const room = resources.find(({ id }) => id === session.resourceId)
  const gone = [...closures, ...member.absences, ...(room?.type === type ? (room?.closures ?? []) : [])]
  for (let at = session.from; at < session.to; at++) if (isGone(world, gone, at)) return false
  return true
}

function planOf({ question }: World, session: GroupSession, member: MemberDiary): VisitPlan {
  const { serviceId, memberId, resourceId, from: startsAt, to: endsAt, id: sessionId } = session
  const parts = member.performs.get(serviceId)!.parts ?? question.diary.services.get(serviceId)!.parts
  const room = resourceId === undefined ? {} : { resourceId }
  return {
    startsAt,
    endsAt,
    segments: [{ line: 0, serviceId, memberId, startsAt, endsAt, parts, ...room }],
    occupations: [],
    strandedMinutes: 0,
    sessionId,
  }
}
