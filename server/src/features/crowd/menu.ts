// The menus of made-up institutes: services of the demo's menus with their own prices, lengths and buffers; and what they need.
import { type Random, type readDemoContent, type ServiceText } from '#/features/demo/service.ts'
import { menuPrice } from './prices.ts'
import type { CrowdServiceRow } from './rows.ts'
import type { PrerequisiteRow, ResourceRow } from '#/features/demo/service.ts'

export type Content = ReturnType<typeof readDemoContent>

/** How many of a hundred institutes are mostly of this kind, and what such a house offers beside. */
const kinds: Readonly<Record<string, { share: number; beside: readonly string[] }>> = {
  hair: { share: 25, beside: ['barbering', 'makeup', 'nails', 'eyebrows'] },
  barbering: { share: 13, beside: ['hair', 'skincare'] },
  nails: { share: 13, beside: ['eyebrows', 'hair-removal', 'makeup'] },
  massage: { share: 10, beside: ['body', 'skincare'] },
  skincare: { share: 9, beside: ['hair-removal', 'massage', 'eyebrows', 'fillers'] },
  'hair-removal': { share: 6, beside: ['skincare', 'eyebrows', 'nails'] },
  eyebrows: { share: 5, beside: ['makeup', 'hair-removal', 'nails'] },
  makeup: { share: 4, beside: ['hair', 'eyebrows'] },
  fitness: { share: 4, beside: ['massage', 'counseling'] },
  body: { share: 3, beside: ['massage', 'skincare'] },
  medical: { share: 3, beside: ['fillers', 'massage'] },
  tatto: { share: 2, beside: ['makeup'] },
  fillers: { share: 2, beside: ['skincare', 'medical'] },
  counseling: { share: 1, beside: ['massage'] },
}

export function inventCategories(random: Random): [string, ...string[]] {
  let at = random.next() * 100
  let first = 'hair'
  for (const [kind, { share }] of Object.entries(kinds)) {
    first = kind
    if ((at -= share) < 0) break
  }
  const beside = [...(kinds[first]?.beside ?? [])]
  const more = random.chance(0.6) ? 0 : random.chance(0.7) ? 1 : 2
  const found: [string, ...string[]] = [first]
  for (let count = 0; count < more && beside.length > 0; count++) found.push(...beside.splice(random.between(0, beside.length - 1), 1))
  return found
}

interface Entry {
  category: string
  text: ServiceText
}

function chooseEntries(categories: readonly string[], content: Content, random: Random): Entry[] {
  const size = random.between(4, 10)
  const chosen: Entry[] = []
  categories.forEach((category, at) => {
    const all = Object.values(content.menus[category]?.services ?? {})
    const treatments = all.filter((text) => !text.isPatchTest)
    const share = at === 0 ? Math.ceil(size / categories.length) : Math.floor(size / categories.length)
    while (treatments.length > share) treatments.splice(random.between(0, treatments.length - 1), 1)
    const tests = treatments.some((text) => text.patchTest) ? all.filter((text) => text.isPatchTest) : []
    if (tests.length > 0 && treatments.length > 2) treatments.pop()
    chosen.push(...[...treatments, ...tests].map((text) => ({ category, text })))
  })
  return chosen
}

/** Some houses take a little longer than others, or less; parts with an idle stretch stay as they are. */
function ownMinutes(text: ServiceText, pace: number): number {
  if (text.idleMinutes > 0 || text.activeMinutes < 30) return text.activeMinutes
  return Math.max(15, Math.round((text.activeMinutes * pace) / 5) * 5)
}

export interface MenuWish {
  instituteId: string
  currency: string
  categories: readonly string[]
  priceLevel: number
  at: number
}

export interface Menu {
  services: CrowdServiceRow[]
  prerequisites: PrerequisiteRow[]
}

export function inventMenu(wish: MenuWish, content: Content, random: Random): Menu {
  const entries = chooseEntries(wish.categories, content, random)
  const pace = random.pick([0.75, 1, 1, 1, 1.15, 1.25])
  const hasResources = random.chance(0.5)
  const hasBuffers = random.chance(0.6)
  const services = entries.map(({ category, text }, position): CrowdServiceRow => {
    const section = content.menus[category]?.sections[text.section]
    if (!section) throw new Error(`no section ${text.section} in ${category}`)
    return {
      id: random.uuid(wish.at),
      institute_id: wish.instituteId,
      position,
      category,
      section,
      name: text.name,
      description: text.description,
      active_minutes: ownMinutes(text, pace),
      idle_minutes: text.idleMinutes,
      active_after_minutes: text.activeAfterMinutes,
      buffer_before_minutes: hasBuffers ? text.bufferBeforeMinutes : 0,
      buffer_after_minutes: hasBuffers ? text.bufferAfterMinutes : 0,
      price_kind: text.priceKind,
      price_amount: text.euros === undefined ? null : menuPrice(text.euros, wish.priceLevel, wish.currency),
      audience: text.audience,
      latest_start: text.latestStart ?? null,
      notice_minutes: random.chance(0.2) ? (text.noticeMinutes ?? null) : null,
      minimum_age: text.minimumAge ?? null,
      resource_type: hasResources || ['laser', 'machine', 'hammam'].includes(text.resourceType) ? text.resourceType : null,
      active: true,
    }
  })
  return { services, prerequisites: prerequisitesOf(entries, services) }
}

function prerequisitesOf(entries: readonly Entry[], services: readonly CrowdServiceRow[]): PrerequisiteRow[] {
  return entries.flatMap(({ category, text }, at) => {
    const service = services[at]
    const test = services.find((_, other) => entries[other]?.category === category && entries[other]?.text.isPatchTest)
    if (!text.patchTest || !service || !test) return []
    return [{ service_id: service.id, institute_id: service.institute_id, required_service_id: test.id, min_hours: 48, max_months: 6 }]
  })
}

function unitsOf(type: string, teamSize: number): number {
  if (type === 'chair') return teamSize
  if (type === 'room' || type === 'bed') return Math.max(1, teamSize - 1)
  return type === 'laser' || type === 'machine' ? 1 : Math.max(2, Math.ceil(teamSize / 3))
}

/** Chairs for everybody, a room fewer, and little of what is dear. */
export function inventResources(services: readonly CrowdServiceRow[], teamSize: number, at: number, random: Random): ResourceRow[] {
  const instituteId = services[0]?.institute_id ?? ''
  const types = [...new Set(services.flatMap(({ resource_type: type }) => type ?? []))]
  return types
    .flatMap((type) =>
      Array.from({ length: unitsOf(type, teamSize) }, (_, unit) => ({
        type,
        name: `${type[0]?.toUpperCase()}${type.slice(1)} ${unit + 1}`,
      })),
    )
    .map(({ type, name }, position) => ({ id: random.uuid(at), institute_id: instituteId, type, name, position, active: true }))
}
