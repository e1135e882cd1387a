// Where a message is written: Enter sends, Shift with Enter breaks the line; what is typed is kept until it is sent.
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { largestMedia, longestMessage, typingMs } from '#/contract/limits.ts'
import { askLive } from '#/platform/live-socket.ts'
import { useTranslation } from '#/platform/translation.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import { showToast } from '#/ui/toasts.ts'
import { type Draft, draftOf, keepDraft } from './outbox.ts'
import styles from './composer.module.css'

/** A little before the sign before it ends. */
const typingAgainMs = typingMs - 150
const megabyte = 1_000_000

/** Says that somebody is typing, for as long as they are. */
function useTypingSign(chatId: string): () => void {
  const said = useRef(0)
  return () => {
    const now = performance.now()
    if (now - said.current < typingAgainMs) return
    said.current = now
    void askLive('typing', { chatId })
  }
}

/** Chooses pictures or documents; each becomes a message of its own. */
function Attach({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation('chat')
  const input = useRef<HTMLInputElement>(null)
  function attach(chosen: FileList | null) {
    for (const one of chosen ?? []) {
      if (one.size > largestMedia)
        showToast({ type: 'error', title: t('tooLarge', { name: one.name, megabytes: largestMedia / megabyte }) })
      else onFile(one)
    }
    if (input.current) input.current.value = ''
  }
  return (
    <>
      <IconButton icon="attach" iconSize={22} label={t('attach')} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/jpeg,image/png,image/webp,application/pdf"
        aria-label={t('attach')}
        onChange={({ target }) => attach(target.files)}
      />
    </>
  )
}

export type ComposerProps = {
  chatId: string
  userId: string
  partner: string
  /** What else can be sent from here, beside files. */
  more: ReactNode
  onWrite: (message: Draft) => void
}

export function Composer({ chatId, userId, partner, more, onWrite }: ComposerProps) {
  const { t } = useTranslation('chat')
  const of = { id: chatId, userId }
  const [text, setText] = useState(() => draftOf(of))
  const field = useRef<HTMLTextAreaElement>(null)
  const sayTyping = useTypingSign(chatId)
  useEffect(() => {
    const element = field.current
    if (!element) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight + 2}px`
  }, [text])
  function change(next: string) {
    setText(next)
    keepDraft(of, next)
    if (next.trim()) sayTyping()
  }
  function send(event?: FormEvent) {
    event?.preventDefault()
    const message = text.trim()
    if (!message) return field.current?.focus()
    onWrite({ text: message })
    change('')
    field.current?.focus()
  }
  function press(event: KeyboardEvent) {
    // A word that is still being composed is finished with Enter, not sent.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form className={styles.composer} onSubmit={send}>
      <Attach onFile={(file) => onWrite({ file })} />
      {more}
      <textarea
        ref={field}
        rows={1}
        className={styles.field}
        value={text}
        dir={text ? 'auto' : undefined}
        maxLength={longestMessage}
        enterKeyHint="send"
        aria-label={t('writeTo', { name: partner })}
        placeholder={t('writeTo', { name: partner })}
        onChange={({ target }) => change(target.value)}
        onKeyDown={press}
      />
      <IconButton icon="send" label={t('send')} variant="solid" type="submit" className={styles.send} />
    </form>
  )
}
