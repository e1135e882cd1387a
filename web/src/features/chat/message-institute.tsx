// Opens the conversation with an institute, by way of sign-in where that is needed.
import type { Institute } from '@soigne/contract/institutes'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { chatPath, loginPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { placeText } from '#/platform/return-location.ts'
import { useSession } from '#/platform/session.tsx'
import { queryKeys } from '#/query-keys.ts'
import { Button, type ButtonLook } from '#/ui/button.tsx'
import { showToast } from '#/ui/toasts.ts'

/** `isShort`: in a small window the icon stands alone. */
export type MessageInstituteProps = ButtonLook & { institute: Pick<Institute, '_id'>; label: string; isShort?: boolean }

export function MessageInstitute({ institute, label, isShort = false, ...look }: MessageInstituteProps) {
  const navigate = useNavigate()
  const session = useSession()
  const queries = useQueryClient()
  const place = placeText(useLocation())
  const [isOpening, setIsOpening] = useState(false)
  async function open() {
    setIsOpening(true)
    try {
      const chat = await api.openChat({ body: { instituteId: institute._id } })
      queries.setQueryData(queryKeys.chats.one(chat._id), chat)
      await navigate(chatPath('client', chat._id))
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    }
    setIsOpening(false)
  }
  return (
    <Button
      variant="outline"
      icon="message"
      {...look}
      loading={isOpening}
      aria-label={label}
      onClick={() => (session.kind === 'guest' ? void navigate(loginPath(place)) : void open())}
    >
      <span className={isShort ? 'desktop-only' : undefined}>{label}</span>
    </Button>
  )
}
