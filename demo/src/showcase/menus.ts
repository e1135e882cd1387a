// The menu of one institute, its patch tests, and the chairs, rooms and machines it needs.
import type { DemoContent, InstituteText, ServiceText } from '#/content/read-content.ts'
import { type Random, randomFrom } from '#/random.ts'
import { type PrerequisiteRow, prerequisiteRow, type ResourceRow, resourceRow, type ServiceRow, serviceRow } from '#/rows/menu.ts'
import { localPrice } from './prices.ts'

interface MenuEntry {
  category: string
  key: string
  text: ServiceText
}

/** How many services an institute shows when it works in this many categories. */
const servicesPerCategory = (categories: number): number => (categories === 1 ? 11 : 7)

function entriesOf(category: string, content: DemoContent): MenuEntry[] {
  const menu = content.menus[category]
  if (!menu) throw new Error(`no menu for ${category}`)
  return Object.entries(menu.services).map(([key, text]) => ({ category, key, text }))
}

/** The sections of a category one after the other, as a printed menu has them; the sort keeps the order within each. */
function inSectionOrder(entries: MenuEntry[], content: DemoContent): MenuEntry[] {
  const place = ({ category, text }: MenuEntry): number => Object.keys(content.menus[category]?.sections ?? {}).indexOf(text.section)
  const categories = [...new Set(entries.map((entry) => entry.category))]
  return categories.flatMap((category) => entries.filter((entry) => entry.category === category).sort((a, b) => place(a) - place(b)))
}

/** Drops services here and there so that no two menus of a category are the same; the order of the card stays. */
function chooseEntries(institute: InstituteText, content: DemoContent, random: Random): MenuEntry[] {
  const chosen: MenuEntry[] = []
  for (const category of institute.categories) {
    const all = entriesOf(category, content)
    if (institute.menu) {
      chosen.push(...all.filter((entry) => institute.menu?.includes(entry.key)))
      continue
    }
    const classes = all.filter((entry) => entry.text.capacity !== undefined)
    const treatments = all.filter((entry) => !entry.text.isPatchTest && entry.text.capacity === undefined)
    const target = servicesPerCategory(institute.categories.length)
    while (treatments.length + classes.length > target) treatments.splice(random.between(1, treatments.length - 1), 1)
    if (treatments.some((entry) => entry.text.patchTest)) treatments.push(...all.filter((entry) => entry.text.isPatchTest))
    chosen.push(...treatments, ...classes)
  }
  return inSectionOrder(chosen, content)
}

function entryRow(
  entry: MenuEntry,
  position: number,
  institute: InstituteText,
  content: DemoContent,
  place: { id: string; instituteId: string; currency: string },
): ServiceRow {
  const { text } = entry
  const section = content.menus[entry.category]?.sections[text.section]
  if (!section) throw new Error(`no section ${text.section} in ${entry.category}`)
  return serviceRow({
    ...text,
    id: place.id,
    instituteId: place.instituteId,
    position,
    category: entry.category,
    section,
    priceAmount: text.euros === undefined ? null : localPrice(text.euros, institute.priceLevel, place.currency),
  })
}

/** Half of the owners have said what they are known for. */
function chooseSignature(services: readonly ServiceRow[], slug: string): void {
  const isTreatment = ({ name }: ServiceRow): boolean => !/consultation|assessment/i.test(name.en ?? '')
  const known = services.find((row) => row.audience !== 'Kids' && row.price_amount !== null && row.active_minutes >= 40 && isTreatment(row))
  if (known && (slug === 'atelier-nacre' || randomFrom(`signature ${slug}`).chance(0.5))) known.is_signature = true
}

export interface MenuRows {
  services: ServiceRow[]
  prerequisites: PrerequisiteRow[]
}

export function menuRows(
  institute: InstituteText,
  content: DemoContent,
  random: Random,
  made: { instituteId: string; currency: string; at: number },
): MenuRows {
  const entries = chooseEntries(institute, content, random)
  const services = entries.map((entry, position) =>
    entryRow(entry, position, institute, content, { id: random.uuid(made.at), instituteId: made.instituteId, currency: made.currency }),
  )
  chooseSignature(services, institute.slug)
  const prerequisites: PrerequisiteRow[] = []
  entries.forEach((entry, index) => {
    const service = services[index]
    const test = services.find((_, at) => entries[at]?.category === entry.category && entries[at]?.text.isPatchTest)
    if (!entry.text.patchTest || !service || !test) return
    prerequisites.push(prerequisiteRow({ instituteId: made.instituteId, serviceId: service.id, requiredServiceId: test.id }))
  })
  return { services, prerequisites }
}

const resourceNames: Readonly<Record<string, { en: string; fr: string }>> = {
  chair: { en: 'Chair', fr: 'Fauteuil' },
  room: { en: 'Room', fr: 'Cabine' },
  bed: { en: 'Bed', fr: 'Lit' },
  bath: { en: 'Foot bath', fr: 'Bain de pieds' },
  hammam: { en: 'Hammam', fr: 'Hammam' },
  machine: { en: 'Machine', fr: 'Appareil' },
  laser: { en: 'Laser', fr: 'Laser' },
  studio: { en: 'Studio', fr: 'Salle' },
}

/** Chairs for everybody, rooms for all but one, and few of what is dear. */
function unitsOf(type: string, teamSize: number): number {
  if (type === 'chair') return teamSize
  if (type === 'room') return Math.max(1, teamSize - 1)
  return type === 'laser' || type === 'machine' ? 1 : 2
}

export function resourceRows(
  services: readonly ServiceRow[],
  teamSize: number,
  countryCode: string,
  random: Random,
  made: { instituteId: string; at: number },
): ResourceRow[] {
  const types = [...new Set(services.flatMap((service) => service.resource_type ?? []))]
  const speaks = countryCode === 'GB' ? 'en' : 'fr'
  const rows: ResourceRow[] = []
  for (const type of types) {
    const units = unitsOf(type, teamSize)
    for (let unit = 1; unit <= units; unit++) {
      const word = resourceNames[type]?.[speaks] ?? type
      const name = units === 1 ? word : `${word} ${unit}`
      rows.push(resourceRow({ id: random.uuid(made.at), instituteId: made.instituteId, type, name, position: rows.length }))
    }
  }
  return rows
}
