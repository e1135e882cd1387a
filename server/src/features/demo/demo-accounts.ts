// The three people of the demo and the visits of its client.
import { hash } from '@node-rs/argon2'
import { randomFrom } from './random.ts'
import type { AppointmentRow, CustomerRow, DemoInstitute, DemoVisits } from './rows.ts'

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

export interface UserRow {
  id: string
  email: string
  password_hash: string
  role: string
  first_name: string
  last_name: string
  phone: string | null
  birthday: string | null
  locale: string
  email_verified_at: string | null
  terms_accepted_at: string
  created_at: string
}

export async function accountRows(now: number): Promise<UserRow[]> {
  const at = new Date(now).toISOString()
  return Promise.all(
    demoAccounts.map(async (account) => ({
      id: randomFrom(`account ${account.email}`).uuid(now),
      email: account.email,
      password_hash: await hash(account.password),
      role: account.role,
      first_name: account.firstName,
      last_name: account.lastName,
      phone: null,
      birthday: account.role === 'isClient' ? '1991-04-12' : '1974-09-03',
      locale: 'en',
      email_verified_at: account.verified ? at : null,
      terms_accepted_at: at,
      created_at: at,
    })),
  )
}

/** The house of the mockups belongs to the demo's professional, who also works there. */
export function giveToOwner(demo: DemoInstitute, owner: UserRow): void {
  demo.institute.owner_id = owner.id
  const founder = demo.members.find((member) => member.name === owner.first_name)
  if (founder) founder.user_id = owner.id
}

interface Wish {
  slug: string
  /** Hours from now in which the visit starts. */ from: number
  to: number
}

/** Two ahead in Nails and Hair, more next week, some behind. */
const wishes: readonly Wish[] = [
  { slug: 'atelier-nacre', from: 4, to: 72 },
  { slug: 'boucle-et-fils', from: 26, to: 170 },
  { slug: 'maison-verveine', from: 170, to: 340 },
  { slug: 'peau-neuve', from: 340, to: 640 },
  { slug: 'sourcil', from: -168, to: -30 },
  { slug: 'pas-a-pas', from: -168, to: -50 },
  { slug: 'atelier-nacre', from: -168, to: -70 },
]

const hour = 3_600_000

const overlaps = (one: AppointmentRow, other: AppointmentRow): boolean => one.starts_at < other.ends_at && other.starts_at < one.ends_at

/** Makes some of the generated visits the demo client's own: the first of each wish that no earlier one overlaps. */
export function giveToClient(
  client: UserRow,
  institutes: readonly { demo: DemoInstitute; visits: DemoVisits }[],
  now: number,
): AppointmentRow[] {
  const mine: AppointmentRow[] = []
  for (const wish of wishes) {
    const found = institutes.find(({ demo }) => demo.institute.slug === wish.slug)
    const visit = found?.visits.appointments
      .filter(
        (one) =>
          one.status !== 'cancelled' &&
          one.attendance !== 'no_show' &&
          one.cart.every((line) => !found.demo.prerequisites.some((row) => row.required_service_id === line.serviceId)),
      )
      .filter((one) => Date.parse(one.starts_at) >= now + wish.from * hour && Date.parse(one.starts_at) <= now + wish.to * hour)
      .sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
      .find((one) => !mine.some((other) => overlaps(one, other)))
    if (!found || !visit) continue
    const known = found.visits.customers.find((customer) => customer.user_id === client.id)
    const customer: CustomerRow = known ?? {
      id: randomFrom(`customer ${client.email} ${wish.slug}`).uuid(now),
      institute_id: found.demo.institute.id,
      user_id: client.id,
      first_name: client.first_name,
      last_name: client.last_name,
      email: client.email,
      phone: client.phone,
      birthday: client.birthday,
      notes: '',
      created_at: visit.created_at,
    }
    if (!known) found.visits.customers.push(customer)
    visit.user_id = client.id
    visit.customer_id = customer.id
    mine.push(visit)
  }
  return mine
}
