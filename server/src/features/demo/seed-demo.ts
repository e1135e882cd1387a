// Fills an empty database with the demo: institutes, teams, five weeks of visits around today, three accounts.
import { refreshInstitutes } from '#/features/summary/service.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { readDemoContent } from './content.ts'
import { accountRows, demoAccounts, giveToClient, giveToOwner, type UserRow } from './demo-accounts.ts'
import { buildInstitute } from './institute-rows.ts'
import type { DemoInstitute, DemoVisits } from './rows.ts'
import { insertRows, isEmpty, refreshStatistics, removeInstitutesAndAccounts } from './store.ts'
import { buildVisits } from './visit-rows.ts'

export { demoAccounts, demoPassword } from './demo-accounts.ts'

export interface DemoCounts {
  institutes: number
  members: number
  services: number
  appointments: number
}

export interface Demo {
  users: UserRow[]
  institutes: { demo: DemoInstitute; visits: DemoVisits }[]
}

const ownersHouse = 'atelier-nacre'

/** The whole demo in memory, around the given instant (milliseconds since the epoch). The same instant gives the same demo but for the password's salt. */
export async function buildDemo(at: number): Promise<Demo> {
  const content = readDemoContent()
  const now = Temporal.Instant.fromEpochMilliseconds(at)
  const references = new Set<string>()
  const users = await accountRows(at)
  const institutes = content.cities.flatMap((city) =>
    city.institutes.map((text, position) => {
      const demo = buildInstitute(text, city, content, now, position)
      return { demo, visits: buildVisits(demo, content.people, now, references) }
    }),
  )
  const [client, owner] = users
  const house = institutes.find(({ demo }) => demo.institute.slug === ownersHouse)
  if (client) giveToClient(client, institutes, at)
  if (house && owner) giveToOwner(house.demo, owner)
  return { users, institutes }
}

async function write(db: Db, { users, institutes }: Demo, now: number): Promise<DemoCounts> {
  const of = <Row>(rows: (demo: DemoInstitute) => Row[]): Row[] => institutes.flatMap(({ demo }) => rows(demo))
  const visitsOf = <Row>(rows: (visits: DemoVisits) => Row[]): Row[] => institutes.flatMap(({ visits }) => rows(visits))
  const services = of((demo) => demo.services)
  const members = of((demo) => demo.members)
  const appointments = visitsOf((visits) => visits.appointments)
  await insertRows(db, 'users', users)
  await insertRows(
    db,
    'institutes',
    of((demo) => [demo.institute]),
  )
  await insertRows(
    db,
    'institute_pictures',
    of((demo) => demo.pictures),
  )
  await insertRows(
    db,
    'opening_hours',
    of((demo) => demo.openingHours),
  )
  await insertRows(
    db,
    'closures',
    of((demo) => demo.closures),
  )
  await insertRows(db, 'services', services)
  await insertRows(
    db,
    'service_prerequisites',
    of((demo) => demo.prerequisites),
  )
  await insertRows(db, 'team_members', members)
  await insertRows(
    db,
    'member_services',
    of((demo) => demo.memberServices),
  )
  await insertRows(
    db,
    'rotas',
    of((demo) => demo.rotas),
  )
  await insertRows(
    db,
    'rota_shifts',
    of((demo) => demo.shifts),
  )
  await insertRows(
    db,
    'shift_overrides',
    of((demo) => demo.overrides),
  )
  await insertRows(
    db,
    'absences',
    of((demo) => demo.absences),
  )
  await insertRows(
    db,
    'resources',
    of((demo) => demo.resources),
  )
  await insertRows(
    db,
    'resource_closures',
    of((demo) => demo.resourceClosures),
  )
  await insertRows(
    db,
    'customers',
    visitsOf((visits) => visits.customers),
  )
  await insertRows(db, 'appointments', appointments)
  await insertRows(
    db,
    'segments',
    visitsOf((visits) => visits.segments),
  )
  await insertRows(
    db,
    'occupations',
    visitsOf((visits) => visits.occupations),
  )
  await refreshInstitutes(
    db,
    institutes.map(({ demo }) => demo.institute.id),
    now,
  )
  return { institutes: institutes.length, members: members.length, services: services.length, appointments: appointments.length }
}

const bulkTables = [
  'institutes',
  'services',
  'team_members',
  'member_services',
  'rota_shifts',
  'customers',
  'appointments',
  'segments',
  'occupations',
] as const

/** Fills an empty database; null when somebody has been here before. */
export async function seedDemo(db: Db, { now }: { now: number }): Promise<DemoCounts | null> {
  if (!(await isEmpty(db))) return null
  const demo = await buildDemo(now)
  const counts = await inTransaction(db, (transaction) => write(transaction, demo, now))
  await refreshStatistics(db, bulkTables)
  return counts
}

/** Takes the demo away and makes it again around now; what other people made stays. */
export async function reseedDemo(db: Db, { now }: { now: number }): Promise<DemoCounts> {
  const demo = await buildDemo(now)
  const counts = await inTransaction(db, async (transaction) => {
    await removeInstitutesAndAccounts(
      transaction,
      demo.institutes.map((one) => one.demo.institute.slug),
      demoAccounts.map((account) => account.email),
    )
    return write(transaction, demo, now)
  })
  await refreshStatistics(db, bulkTables)
  return counts
}
