/** Who may do what: the levels of people of an institute, and the operators of the site. */
import type { Permission } from '@soigne/contract/access'
import type { Grants } from '#/platform/access.ts'

const staff = ['diary.own'] as const satisfies readonly Permission[]
const reception = [
  ...staff,
  'diary.read',
  'diary.change',
  'customers.read',
  'customers.change',
  'messages.answer',
  'sales.take',
] as const satisfies readonly Permission[]
const manager = [
  ...reception,
  'diary.overbook',
  'sales.read',
  'sales.refund',
  'payouts.read',
  'services.change',
  'team.change',
  'reviews.answer',
  'institute.change',
] as const satisfies readonly Permission[]
const owner = [
  ...manager,
  'people.change',
  'customers.health',
  'customers.export',
  'institute.export',
  'payments.connect',
] as const satisfies readonly Permission[]

export const grants = {
  levels: { owner, manager, reception, staff },
  operators: ['institutes.decide', 'reviews.decide'],
} as const satisfies Grants

/** Level of a person at an institute, highest first. */
export type Level = keyof typeof grants.levels
