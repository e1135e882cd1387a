// The filter panel is open when the address says so: it can be linked to, and the back button closes it.
import { searchPath, type Filters } from '#/search-filters.ts'

const parameter = 'panel'
const open = 'filters'

export function isFilterPanelOpen(query: URLSearchParams): boolean {
  return query.get(parameter) === open
}

export function filterPanelPath(filters: Filters): string {
  const path = searchPath(filters, { page: filters.page ?? null })
  return `${path}${path.includes('?') ? '&' : '?'}${parameter}=${open}`
}
