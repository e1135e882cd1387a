// Pictures on their way to the server, one after the other; what did not arrive says why and can be sent again.
import { useEffect, useRef, useState } from 'react'
import { ApiError, failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import type { DraftPicture } from '#/features/setup/draft/draft.ts'
import type { DraftChange } from '#/features/setup/draft/use-draft.ts'

export const mostPictures = 12

/** A file on its way, or one that did not arrive. */
export type Sending = {
  id: number
  file: Blob
  name: string
  preview: string
  /** What the server says; empty where the line was cut. */
  problem: string | null
  of: 'gallery' | 'logo'
  instead: string | null
}

let lastId = 0

async function send(picture: Blob, of: Sending['of']): Promise<DraftPicture> {
  const { _id, url, width, height } = await dashboardApi.sendSetupPicture({ files: { picture }, body: { of } })
  return { id: _id, url, width, height }
}

/** In the place of the one it was cut from, or at the end. */
function withSent(pictures: readonly DraftPicture[], sent: DraftPicture, instead: string | null): DraftPicture[] {
  const isThere = pictures.some(({ id }) => id === instead)
  return isThere ? pictures.map((each) => (each.id === instead ? sent : each)) : [...pictures, sent].slice(0, mostPictures)
}

/** The browser asks before a page is left whose pictures have not arrived: the files are nowhere else. */
function useAskBeforeLeaving(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isWaiting])
}

/** Sends one after the other: each is opened by the server by itself. What is on its way stays so on every step. */
export function usePictureUpload(change: DraftChange) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const line = useRef<Promise<void>>(Promise.resolve())
  useAskBeforeLeaving(sending.length > 0)
  const forget = (id: number) => setSending((now) => now.filter((one) => one.id !== id))
  const tell = (id: number, problem: string | null) =>
    setSending((now) => now.map((each) => (each.id === id ? { ...each, problem } : each)))
  async function sendOne(one: Sending) {
    try {
      const sent = await send(one.file, one.of)
      change(({ pictures }) => (one.of === 'logo' ? { logo: sent } : { pictures: withSent(pictures, sent, one.instead) }))
      forget(one.id)
      URL.revokeObjectURL(one.preview)
    } catch (error) {
      tell(one.id, fieldFailures(error)['picture'] ?? (error instanceof ApiError ? failureText(error) : ''))
    }
  }
  const queue = (one: Sending) => (line.current = line.current.then(() => sendOne(one)))
  return {
    sending,
    forget,
    again(one: Sending) {
      tell(one.id, null)
      void queue(one)
    },
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

export type PictureUpload = ReturnType<typeof usePictureUpload>
