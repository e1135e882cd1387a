/** People of institutes and operators of the site: who works where, at which level. */
import type { Memberships } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { institutesOf, isOperator } from './store.ts'

export const memberships = ({ database: { prepared: db } }: Pick<AppContext, 'database'>): Memberships => ({
  institutesOf: (scope) => institutesOf(db, scope),
  isOperator: (scope) => isOperator(db, scope),
})
