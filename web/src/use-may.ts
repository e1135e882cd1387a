// Whether one's own level at the institute allows something. Until it is known: no.
import type { Permission } from '@soigne/contract/access'
import { useQuery } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'

export function useMay(permission: Permission): boolean {
  const { data } = useQuery({
    queryKey: dashboardKeys.institute.permissions,
    queryFn: ({ signal }) => dashboardApi.ownPermissions({}, { signal }),
  })
  return data?.own.includes(permission) === true
}
