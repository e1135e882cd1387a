// Publishing the draft: once, however often it is tapped, and My Salon next.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { paths } from '#/paths.ts'
import { ApiError, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { setPendingRedirect, useSessionActions } from '#/platform/session.tsx'
import { removeStored, storageKeys } from '#/platform/storage.ts'
import { useTranslation } from '#/platform/translation.ts'
import { showAlert } from '#/ui/alerts.ts'
import { newKey, type SetupDraft } from './draft/draft.ts'
import { useFailureWords } from './draft/failure-words.ts'
import { draftToSend } from './draft/send-draft.ts'
import { mondayOf } from '#/ui/calendar-days.ts'
import type { DraftChange } from './draft/use-draft.ts'

/** The same content is sent under the same key, so that the second tap has the first one's answer. */
function useKey() {
  const last = useRef({ text: '', key: '' })
  return (body: unknown): string => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: newKey() }
    return last.current.key
  }
}

/** Pictures that are gone are taken off, so that they can be sent again. */
function withoutGone(draft: SetupDraft, fields: Readonly<Record<string, string>>): Partial<SetupDraft> {
  const gone = new Set(Object.keys(fields))
  return {
    ...(gone.has('logo') && { logo: null }),
    ...(gone.has('pictures') && { pictures: [] }),
    ...([...gone].some((field) => field.startsWith('pictures.')) && {
      pictures: draft.pictures.filter((_, at) => !gone.has(`pictures.${at}`)),
    }),
    ...(gone.has('claims') && { claims: null }),
  }
}

export function usePublish({ draft, change, today }: { draft: SetupDraft; change: DraftChange; today: string }) {
  const { t } = useTranslation('setup')
  const queries = useQueryClient()
  const session = useSessionActions()
  const wordsOf = useFailureWords()
  const keyOf = useKey()
  const [busy, setBusy] = useState(false)
  // A second tap may come before the button shows that it is busy.
  const isSending = useRef(false)
  /** Holds of what was sent: once something is changed, it may be mended. */
  const [refused, setRefused] = useState<{ why: string; body: string } | null>(null)
  const bodyOf = (of: SetupDraft): string => JSON.stringify(draftToSend(of, mondayOf(today)))
  async function send() {
    const body = draftToSend(draft, mondayOf(today))
    if (!body || isSending.current) return
    isSending.current = true
    setBusy(true)
    setRefused(null)
    try {
      const { state, institute } = await dashboardApi.publishInstitute({ body, idempotencyKey: keyOf(body) })
      if (state === 'waiting' || !institute) {
        await queries.invalidateQueries({ queryKey: dashboardKeys.setupState })
        return
      }
      removeStored(storageKeys.setupDraft, storageKeys.skipRegistration)
      // The session learns of the institute next, and the way from here leads to it.
      setPendingRedirect(paths.mySalon)
      showAlert({ type: 'success', title: t('published.title', { name: institute.name }), message: t('published.text') })
      await session.refresh()
    } catch (error) {
      const fields = fieldFailures(error)
      const rest = error instanceof ApiError && error.status === 404 ? withoutGone(draft, fields) : {}
      change(rest)
      setRefused({ why: wordsOf(error) || (Object.values(fields)[0] ?? ''), body: bodyOf({ ...draft, ...rest }) })
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  const refusal = refused && refused.body === bodyOf(draft) ? refused.why : null
  return { busy, refusal, publish: () => void send() }
}
