// One cache of answers for each visit; nothing is fetched again by itself unless a query asks for it.
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // What cannot be sent now says so at once; nothing is sent later behind somebody's back.
      mutations: { networkMode: 'always' },
      queries: {
        // The worker may know the answer from before.
        networkMode: 'offlineFirst',
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        // A refusal stays a refusal; only a failed connection is tried once more.
        retry: (failures, error) => failures < 1 && !(error instanceof ApiError),
      },
    },
  })
}
