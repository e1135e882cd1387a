// A record on the screen: every change answers with the whole of it.
import type { Customer } from '@soigne/contract/customers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { showFailure } from './refusal.ts'

export type RecordProps = { customer: Customer; onChanged: (customer: Customer) => void }

/** Keeps an answer that tells the whole record; the list is asked again when it is looked at. */
export function useKeptRecord(id: string) {
  const queries = useQueryClient()
  return (customer: Customer) => {
    queries.setQueryData(dashboardKeys.customers.one(id), customer)
    void queries.invalidateQueries({ queryKey: dashboardKeys.customers.all, refetchType: 'none' })
  }
}

/** One change of a record that is sent with a press; what the server says against it is shown. */
export function useRecordChange<Asked>(onChanged: RecordProps['onChanged'], send: (asked: Asked) => Promise<Customer>) {
  return useMutation({ mutationFn: send, onSuccess: onChanged, onError: showFailure })
}
