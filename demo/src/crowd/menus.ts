// The menus of made-up institutes: services of the demo's menus with their own prices, lengths and buffers; and what they need.
import type { DemoContent, ServiceText } from '#/content/read-content.ts'
import type { Made } from '#/diaries/weeks.ts'
import type { Random } from '#/random.ts'
import { type PrerequisiteRow, prerequisiteRow, type ResourceRow, resourceRow, type ServiceRow, serviceRow } from '#/rows/menu.ts'
import { menuPrice } from './prices.ts'

/** How many of a hundred institutes are mostly of this kind, and what such an institute offers beside. */
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

function chooseEntries(categories: readonly string[], content: DemoContent, random: Random): Entry[] {
  const size = random.between(4, 10)
  const chosen: Entry[] = []
  categories.forEach((category, at) => {
    const all = Object.values(content.menus[category]?.services ?? {})
    const treatments = all.filter((text) => !text.isPatchTest && text.capacity === undefined)
    const share = at === 0 ? Math.ceil(size / categories.length) : Math.floor(size / categories.length)
    while (treatments.length > share) treatments.splice(random.between(0, treatments.length - 1), 1)
    const tests = treatments.some((text) => text.patchTest) ? all.filter((text) => text.isPatchTest) : []
    if (tests.length > 0 && treatments.length > 2) treatments.pop()
    chosen.push(...[...treatments, ...tests].map((text) => ({ category, text })))
  })
  return chosen
}

/** Some institutes take a little longer than others, or less; parts with an idle stretch stay as they are. */
function ownMinutes(text: ServiceText, pace: number): number {
  if (text.idleMinutes > 0 || text.activeMinutes < 30) return text.activeMinutes
  return Math.max(15, Math.round((text.activeMinutes * pace) / 5) * 5)
}

export interface MenuRequest extends Made {
  currency: string
  categories: readonly string[]
  priceLevel: number
}

export interface Menu {
  services: ServiceRow[]
  prerequisites: PrerequisiteRow[]
}

export function inventMenu(request: MenuRequest, content: DemoContent, random: Random): Menu {
  const entries = chooseEntries(request.categories, content, random)
  const pace = random.pick([0.75, 1, 1, 1, 1.15, 1.25])
  const hasResources = random.chance(0.5)
  const hasBuffers = random.chance(0.6)
  const services = entries.map(({ category, text }, position) => {
    const section = content.menus[category]?.sections[text.section]
    if (!section) throw new Error(`no section ${text.section} in ${category}`)
    return serviceRow({
      id: random.uuid(request.at),
      instituteId: request.instituteId,
      position,
      category,
      section,
      name: text.name,
      description: text.description,
      activeMinutes: ownMinutes(text, pace),
      idleMinutes: text.idleMinutes,
      activeAfterMinutes: text.activeAfterMinutes,
      bufferBeforeMinutes: hasBuffers ? text.bufferBeforeMinutes : 0,
      bufferAfterMinutes: hasBuffers ? text.bufferAfterMinutes : 0,
      isSequential: text.isSequential,
      priceKind: text.priceKind,
      priceAmount: text.euros === undefined ? null : menuPrice(text.euros, request.priceLevel, request.currency),
      audience: text.audience,
      latestStart: text.latestStart,
      noticeMinutes: random.chance(0.2) ? text.noticeMinutes : undefined,
      minimumAge: text.minimumAge,
      resourceType: hasResources || ['laser', 'machine', 'hammam'].includes(text.resourceType) ? text.resourceType : null,
    })
  })
  return { services, prerequisites: prerequisitesOf(entries, services) }
}

function prerequisitesOf(entries: readonly Entry[], services: readonly ServiceRow[]): PrerequisiteRow[] {
  return entries.flatMap(({ category, text }, at) => {
    const service = services[at]
    const test = services.find((_, other) => entries[other]?.category === category && entries[other]?.text.isPatchTest)
    if (!text.patchTest || !service || !test) return []
    return [prerequisiteRow({ instituteId: service.institute_id, serviceId: service.id, requiredServiceId: test.id })]
  })
}

function unitsOf(type: string, teamSize: number): number {
  if (type === 'chair') return teamSize
  if (type === 'room' || type === 'bed') return Math.max(1, teamSize - 1)
  return type === 'laser' || type === 'machine' ? 1 : Math.max(2, Math.ceil(teamSize / 3))
}

/** Chairs for everybody, a room fewer, and little of what is dear. */
export function inventResources(services: readonly ServiceRow[], teamSize: number, at: number, random: Random): ResourceRow[] {
  const instituteId = services[0]?.institute_id ?? ''
  const types = [...new Set(services.flatMap(({ resource_type: type }) => type ?? []))]
  return types
    .flatMap((type) =>
      Array.from({ length: unitsOf(type, teamSize) }, (_, unit) => ({
        type,
        name: `${type[0]?.toUpperCase()}${type.slice(1)} ${unit + 1}`,
      })),
    )
    .map(({ type, name }, position) => resourceRow({ id: random.uuid(at), instituteId, type, name, position }))
}
