// Signing out, with the failure shown when the server could not be told.
import { useCallback } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { paths } from '#/paths.ts'
import { showToast } from '#/ui/toasts.ts'

export function useLogout(): () => void {
  const { close } = useSessionActions()
  return useCallback(() => {
    close(paths.home).catch((error: unknown) => showToast({ type: 'error', title: failureText(error) }))
  }, [close])
}
