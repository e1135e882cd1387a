// A place for Email Confirmation inside a page that is open to all but has a step that needs a confirmed email.
import { createContext, useContext, type ReactNode } from 'react'

const EmailGateContext = createContext<ReactNode>(null)

/** The layout hangs the screen in; pages only say where it stands. */
export const EmailGateProvider = EmailGateContext

export function EmailGate(): ReactNode {
  return useContext(EmailGateContext)
}
