// The question that is open, answered once with yes or no. Later questions wait their turn.
import type { ReactNode } from 'react'
import { createStore } from './store.ts'

export type ConfirmInput = {
  /** A question without the word cancel: the button under it already says that. */
  title: string
  message: ReactNode
  /** A sunken box: the money that moves, what is kept. */
  details?: ReactNode
  /** danger (default): something is lost; plain: something merely happens. */
  tone?: 'danger' | 'plain'
}

export type Question = ConfirmInput & { id: number; resolve: (confirmed: boolean) => void }

let lastId = 0

export const confirmStore = createStore<readonly Question[]>([])

/** Asks, and answers true only when the person confirms. */
export function askConfirm(input: ConfirmInput): Promise<boolean> {
  return new Promise((resolve) => {
    lastId += 1
    confirmStore.set([...confirmStore.get(), { ...input, id: lastId, resolve }])
  })
}

export function answerConfirm(id: number, confirmed: boolean): void {
  const question = confirmStore.get().find((open) => open.id === id)
  confirmStore.set(confirmStore.get().filter((open) => open.id !== id))
  question?.resolve(confirmed)
}
