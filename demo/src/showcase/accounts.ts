// The three people of the demo and the visits of its client.
import { hourMs, type Instant } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/rows/instants.ts'
import { hash } from '@node-rs/argon2'
import { randomFrom } from '#/random.ts'
import { customerRow, type UserRow, userRow } from '#/rows/people.ts'
import type { InstituteRows, VisitRows } from '#/rows/tables.ts'
import type { AppointmentRow } from '#/rows/visits.ts'

/** The password of every demo account; printed by `npm start`. */
export const demoPassword = 'belle-heure-1640'

export interface DemoAccount {
  label: string
  email: string
  password: string
  role: 'isClient' | 'isPro'
  firstName: string
  lastName: string
  verified: boolean
}

export const demoAccounts: readonly [client: DemoAccount, pro: DemoAccount, unverified: DemoAccount] = [
  {
    label: 'client',
    email: 'client@soigne.test',
    password: demoPassword,
    role: 'isClient',
    firstName: 'Camille',
    lastName: 'Roussel',
    verified: true,
  },
  {
    label: 'salon',
    email: 'pro@soigne.test',
    password: demoPassword,
    role: 'isPro',
    firstName: 'Odile',
    lastName: 'Marchand',
    verified: true,
  },
  {
    label: 'new',
    email: 'new@soigne.test',
    password: demoPassword,
    role: 'isClient',
    firstName: 'Nadia',
    lastName: 'Karim',
    verified: false,
  },
]

export async function accountRows(now: Instant): Promise<UserRow[]> {
  return Promise.all(
    demoAccounts.map(async ({ password, ...account }) =>
      userRow({
        ...account,
        id: randomFrom(`account ${account.email}`).uuid(now),
        passwordHash: await hash(password),
        birthday: account.role === 'isClient' ? '1991-04-12' : '1974-09-03',
        createdAt: instantText(now),
      }),
    ),
  )
}

/** The institute of the mockups belongs to the demo's professional, who also works there. */
export function giveToOwner({ institute, members }: InstituteRows, owner: UserRow): void {
  institute.owner_id = owner.id
  const founder = members.find((member) => member.name === owner.first_name)
  if (founder) founder.user_id = owner.id
}

interface OwnVisit {
  slug: string
  /** Hours from now in which the visit starts. */ from: number
  to: number
}

/** Two ahead in Nails and Hair, more next week, some behind. */
const ownVisits: readonly OwnVisit[] = [
  { slug: 'atelier-nacre', from: 4, to: 72 },
  { slug: 'boucle-et-fils', from: 26, to: 170 },
  { slug: 'maison-verveine', from: 170, to: 340 },
  { slug: 'peau-neuve', from: 340, to: 640 },
  { slug: 'sourcil', from: -168, to: -30 },
  { slug: 'pas-a-pas', from: -168, to: -50 },
  { slug: 'atelier-nacre', from: -168, to: -70 },
]

const overlaps = (one: AppointmentRow, other: AppointmentRow): boolean => one.starts_at < other.ends_at && other.starts_at < one.ends_at

/** Makes some of the generated visits the demo client's own: of each kind the first that no earlier one overlaps. */
export function giveToClient(
  client: UserRow,
  institutes: readonly { institute: InstituteRows; visits: VisitRows }[],
  now: Instant,
): AppointmentRow[] {
  const mine: AppointmentRow[] = []
  for (const { slug, from, to } of ownVisits) {
    const found = institutes.find(({ institute }) => institute.institute.slug === slug)
    const visit = found?.visits.appointments
      .filter(
        (one) =>
          one.life !== 'cancelled' &&
          one.attendance !== 'no_show' &&
          one.cart.every((line) => !found.institute.prerequisites.some((row) => row.required_service_id === line.serviceId)),
      )
      .filter((one) => parseInstant(one.starts_at) >= now + from * hourMs && parseInstant(one.starts_at) <= now + to * hourMs)
      .sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
      .find((one) => !mine.some((other) => overlaps(one, other)))
    if (!found || !visit) continue
    const known = found.visits.customers.find((customer) => customer.user_id === client.id)
    const customer =
      known ??
      customerRow({
        id: randomFrom(`customer ${client.email} ${slug}`).uuid(now),
        instituteId: found.institute.institute.id,
        user: client,
        firstName: client.first_name,
        lastName: client.last_name,
        createdAt: visit.created_at,
      })
    if (!known) found.visits.customers.push(customer)
    visit.user_id = client.id
    visit.customer_id = customer.id
    mine.push(visit)
  }
  return mine
}
