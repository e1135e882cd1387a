/**
 * Which service an institute leads with where none was asked for: its owner's choice, else what was booked most in the last 90 days, else
 * the first of its menu. What is done for children leads only where Kids are asked for; a consultation, or a test that another service
 * asks for beforehand, only where there is nothing else; what costs what is agreed on request never, since it is not booked online.
 */
import { foldedWords } from '#/platform/fold-text.ts'
import { type LoadedInstitute, performersOf, priceWith, type ServiceDetail } from './diary.ts'
import words from './leading-words.json' with { type: 'json' }

/** What leads before what is no treatment, and that before what is on request. */
type Tier = 0 | 1 | 2 | 3

/** Leads of one tier lie between one multiple of this and the next. */
export const leadsOfTier = 100_000

const named = new Map<string, boolean>()
/** Menus say the same again and again. */
function isNamed(text: string, kind: keyof typeof words): boolean {
  const key = `${kind} ${text}`
  let known = named.get(key)
  if (known === undefined) {
    if (named.size > 20_000) named.clear()
    named.set(key, (known = foldedWords(text).some((word) => words[kind].includes(word))))
  }
  return known
}

const isCalled = ({ name }: ServiceDetail, kind: keyof typeof words): boolean =>
  Object.values(name).some((text) => text !== undefined && isNamed(text, kind))

/** Services that others ask for beforehand. */
function testsOf({ diary }: LoadedInstitute): Set<string> {
  const tests = new Set<string>()
  for (const { prerequisites } of diary.services.values())
    for (const one of prerequisites) if (one.kind === 'prior_service') tests.add(one.serviceId)
  return tests
}

function tierOfService(loaded: LoadedInstitute, service: ServiceDetail, tests: ReadonlySet<string>): Tier {
  if (performersOf(loaded, service.id).every(({ id }) => priceWith(loaded, service.id, id, null) === null)) return 3
  if (service.isSignature) return 0
  // Where talking is the treatment it is no preparation for one.
  if (tests.has(service.id) || (service.category !== 'counseling' && isCalled(service, 'trial'))) return 2
  return service.audience === 'Kids' || isCalled(service, 'child') ? 1 : 0
}

/** A number for each service that somebody performs online: the lowest leads. */
export function leadsOf(loaded: LoadedInstitute): Map<string, number> {
  const tests = testsOf(loaded)
  const services = [...loaded.serviceDetails.values()]
    .filter(({ id }) => performersOf(loaded, id).length > 0)
    .map((service, position) => ({ service, position, tier: tierOfService(loaded, service, tests) }))
  const rank = ({ isSignature, bookedRank }: ServiceDetail): number => (isSignature ? 0 : (bookedRank ?? Infinity))
  services.sort((a, b) => {
    const [one, other] = [rank(a.service), rank(b.service)]
    return a.tier - b.tier || (one === other ? a.position - b.position : one - other)
  })
  return new Map(services.map(({ service, tier }, place) => [service.id, tier * leadsOfTier + place]))
}

/** Services that may lead, by tier; in each the first to lead first. */
export function leadingServices(loaded: LoadedInstitute, passes: (service: ServiceDetail) => boolean = () => true): string[][] {
  const tiers: string[][] = [[], [], []]
  for (const [id, lead] of leadsOf(loaded)) {
    const service = loaded.serviceDetails.get(id)
    if (service && passes(service)) tiers[Math.floor(lead / leadsOfTier)]?.push(id)
  }
  return tiers
}
