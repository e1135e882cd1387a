// Reading the menu, and what is done to it at once: switching, ordering, putting back.
import type { Menu, MenuService } from '@soigne/contract/services'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { showToast } from '#/ui/toasts.ts'

export const useMenu = () => useQuery({ queryKey: dashboardKeys.menu, queryFn: ({ signal }) => dashboardApi.services({}, { signal }) })

const sayFailure = (error: unknown) => void showToast({ type: 'error', title: failureText(error) })

/** A call writes all of a service: what another screen has changed since this one was read stays. */
async function asItStands(service: MenuService): Promise<MenuService> {
  const { items } = await dashboardApi.services({})
  return items.find(({ _id }) => _id === service._id) ?? service
}

/** Writes a service as it is, with these changes. */
export function useServiceChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ service, to }: { service: MenuService; to: Partial<MenuService>; said: string }) =>
      dashboardApi.changeService({ params: { id: service._id }, body: { ...(await asItStands(service)), ...to } }),
    onSuccess: (saved, { said }) => {
      queries.setQueryData<Menu>(
        dashboardKeys.menu,
        (menu) => menu && { ...menu, items: menu.items.map((one) => (one._id === saved._id ? saved : one)) },
      )
      showToast({ type: 'success', title: said })
    },
    onError: sayFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKeys.menu }),
  })
}

/** Puts the menu in another order; on screen at once. */
export function useMenuOrder() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (serviceIds: string[]) => dashboardApi.orderServices({ body: { serviceIds } }),
    onMutate: async (ids) => {
      await queries.cancelQueries({ queryKey: dashboardKeys.menu })
      const before = queries.getQueryData<Menu>(dashboardKeys.menu)
      const place = new Map(ids.map((id, at) => [id, at]))
      queries.setQueryData<Menu>(
        dashboardKeys.menu,
        (menu) =>
          menu && {
            ...menu,
            items: menu.items.toSorted((one, other) => (place.get(one._id) ?? ids.length) - (place.get(other._id) ?? ids.length)),
          },
      )
      return before
    },
    onError: (error, _ids, before) => {
      queries.setQueryData(dashboardKeys.menu, before)
      sayFailure(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: dashboardKeys.menu }),
  })
}
