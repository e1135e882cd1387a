// Opens the conversation with an institute, by way of sign-in where that is needed.
import type { Institute } from '@soigne/contract/institutes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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
  const open = useMutation({
    mutationFn: () => api.openChat({ body: { instituteId: institute._id } }),
    onSuccess(chat) {
      queries.setQueryData(queryKeys.chats.one(chat._id), chat)
      void navigate(chatPath('client', chat._id))
    },
    onError: (error) => void showToast({ type: 'error', title: failureText(error) }),
  })
  return (
    <Button
      variant="outline"
      icon="message"
      {...look}
      loading={open.isPending}
      aria-label={label}
      onClick={() => (session.kind === 'guest' ? void navigate(loginPath(place)) : open.mutate())}
    >
      <span className={isShort ? 'desktop-only' : undefined}>{label}</span>
    </Button>
  )
}
