// Signing out, with the failure shown when the server could not be told.
import { createContext, use, useCallback } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { paths } from '#/paths.ts'
import { showToast } from '#/ui/toasts.ts'

/** What is to be asked before somebody is signed out; it goes on by calling what it is given. */
export const LogoutQuestion = createContext<(logout: () => void) => void>((logout) => logout())

export function useLogout(): () => void {
  const { close } = useSessionActions()
  const ask = use(LogoutQuestion)
  return useCallback(() => {
    ask(() => void close(paths.home).catch((error: unknown) => showToast({ type: 'error', title: failureText(error) })))
  }, [close, ask])
}
