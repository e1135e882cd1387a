// Pictures on their way to the server, one after the other; what did not arrive says why and can be sent again.
import { useEffect, useRef, useState } from 'react'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import type { DraftPicture, SetupDraft } from '#/features/setup/draft/draft.ts'
import type { DraftChange } from '#/features/setup/draft/use-draft.ts'

export const mostPictures = 12

/** A file on its way, or one that did not arrive. */
export type Sending = {
  id: number
  file: Blob
  name: string
  preview: string
  problem: string | null
  of: 'gallery' | 'logo'
  instead: string | null
}

let lastId = 0

async function send(picture: Blob, of: Sending['of']): Promise<DraftPicture> {
  const { _id, url, width, height } = await dashboardApi.sendSetupPicture({ files: { picture }, body: { of } })
  return { id: _id, url, width, height }
}

/** Sends one after the other: each is opened by the server by itself. */
export function usePictureUpload({ draft, change }: { draft: SetupDraft; change: DraftChange }) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  const line = useRef<Promise<void>>(Promise.resolve())
  const forget = (id: number) => setSending((now) => now.filter((one) => one.id !== id))
  async function sendOne(one: Sending) {
    setSending((now) => now.map((each) => (each.id === one.id ? { ...each, problem: null } : each)))
    try {
      const sent = await send(one.file, one.of)
      const { pictures } = latest.current
      const isThere = pictures.some(({ id }) => id === one.instead)
      const next = isThere ? pictures.map((each) => (each.id === one.instead ? sent : each)) : [...pictures, sent].slice(0, mostPictures)
      const part = one.of === 'logo' ? { logo: sent } : { pictures: next }
      latest.current = { ...latest.current, ...part }
      change(part)
      forget(one.id)
      URL.revokeObjectURL(one.preview)
    } catch (error) {
      const problem = fieldFailures(error)['picture'] ?? failureText(error)
      setSending((now) => now.map((each) => (each.id === one.id ? { ...each, problem } : each)))
    }
  }
  const queue = (one: Sending) => (line.current = line.current.then(() => sendOne(one)))
  return {
    sending,
    forget,
    again: (one: Sending) => void queue(one),
    add(files: readonly { file: Blob; name: string }[], of: Sending['of'] = 'gallery', instead: string | null = null) {
      const made = files.map(({ file, name }): Sending => {
        lastId += 1
        return { id: lastId, file, name, preview: URL.createObjectURL(file), problem: null, of, instead }
      })
      setSending((now) => [...now, ...made])
      for (const one of made) void queue(one)
    },
  }
}
