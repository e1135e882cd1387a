// What the calendar asks of the page of its own institute: the menu, and where the salon is.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { api } from '#/platform/api.ts'

const ownInstitute = (slug: string) =>
  queryOptions({
    queryKey: dashboardKeys.diary.menu(slug),
    queryFn: ({ signal }) => api.institute({ params: { slug } }, { signal }),
    staleTime: 300_000,
  })
export const useMenu = (slug: string) => useQuery({ ...ownInstitute(slug), select: ({ services }) => services })
export const useLocation = (slug: string) => useQuery({ ...ownInstitute(slug), select: ({ location }) => location }).data
