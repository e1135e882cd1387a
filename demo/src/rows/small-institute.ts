// A small institute for tests and trials: everybody works the same hours every week, and performs all services but those that name others.
import { type InstituteFacts, instituteRow, openingRow, type WallRange } from './institute.ts'
import { resourceRow, type ServiceFacts, type ServiceRow, serviceRow } from './menu.ts'
import type { InstituteRows } from './tables.ts'
import { memberRow, memberServiceRow, rotaRow, rotaShiftRow } from './team.ts'

type Placed = 'id' | 'instituteId' | 'position'

export interface SmallInstituteFacts extends Omit<InstituteFacts, 'id'> {
  /** 1 is Monday. */
  weekdays: readonly number[]
  hours: WallRange
  members: number
  /** `performedBy` are places in the team; everybody when absent. */
  services: readonly (Omit<ServiceFacts, Placed> & { performedBy?: readonly number[] | undefined })[]
  resources: readonly { type: string; name: string }[]
}

/** How many ids it takes. */
export const idsOfSmallInstitute = ({
  members,
  services,
  resources,
}: Pick<SmallInstituteFacts, 'members' | 'services' | 'resources'>): number => 1 + services.length + 2 * members + resources.length

function teamRows(
  facts: SmallInstituteFacts,
  services: readonly ServiceRow[],
  instituteId: string,
  newId: () => string,
): Pick<InstituteRows, 'members' | 'memberServices' | 'rotas' | 'shifts'> {
  const shift = { ...facts.hours, breaks: [] }
  const members = Array.from({ length: facts.members }, (_, position) => {
    const id = newId()
    return memberRow({ id, instituteId, position, name: `Member ${position + 1}`, imageUrl: `/art/face/${id}.svg` })
  })
  const rotas = members.map(({ id }) => rotaRow({ id: newId(), instituteId, memberId: id }))
  return {
    members,
    rotas,
    shifts: rotas.flatMap(({ id }) => facts.weekdays.map((weekday) => rotaShiftRow({ rotaId: id, instituteId, week: 1, weekday, shift }))),
    memberServices: members.flatMap(({ id: memberId, position }) =>
      services
        .filter((_, at) => facts.services[at]?.performedBy?.includes(position) ?? true)
        .map(({ id: serviceId }) => memberServiceRow({ instituteId, memberId, serviceId })),
    ),
  }
}

export function smallInstitute(facts: SmallInstituteFacts, newId: () => string): InstituteRows {
  const instituteId = newId()
  const services = facts.services.map((service, position) => serviceRow({ ...service, id: newId(), instituteId, position }))
  return {
    institute: instituteRow({ ...facts, id: instituteId }),
    pictures: [],
    openingHours: facts.weekdays.map((weekday) => openingRow({ instituteId, weekday, ...facts.hours })),
    closures: [],
    services,
    prerequisites: [],
    ...teamRows(facts, services, instituteId, newId),
    overrides: [],
    absences: [],
    resources: facts.resources.map((resource, position) => resourceRow({ id: newId(), instituteId, position, ...resource })),
    resourceClosures: [],
  }
}
