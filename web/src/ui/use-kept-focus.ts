// A list whose rows take themselves away: the focus goes on to the row that then stands there, or to the heading the list stands under;
// where the list goes with its last row, to the heading before it.
import { useCallback } from 'react'

const pressable = 'a[href], button:not(:disabled)'

/** Of the page the list is taken out of; nowhere when the page itself goes. */
function headingsBefore(list: HTMLElement): HTMLElement[] {
  const headings = [...(list.closest('main')?.querySelectorAll<HTMLElement>('h1, h2, h3') ?? [])]
  return headings.filter((one) => one.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING)
}

function focusHeading(heading: HTMLElement | undefined): void {
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** The ref of the list. */
export function useKeptFocus() {
  return useCallback((list: HTMLElement | null) => {
    if (!list) return undefined
    let focused: Element | null = null
    let place = 0
    function note({ target }: FocusEvent) {
      if (!(target instanceof Element)) return
      focused = target
      place = [...(list?.children ?? [])].findIndex((row) => row.contains(target))
    }
    const watch = new MutationObserver(() => {
      if (focused === null || focused.isConnected || document.activeElement !== document.body) return
      focused = null
      const row = list.children[Math.min(place, list.children.length - 1)]
      const next = [...(row?.querySelectorAll<HTMLElement>(pressable) ?? [])].at(-1)
      if (next) next.focus()
      else focusHeading(list.closest('section')?.querySelector<HTMLElement>('h2, h3') ?? undefined)
    })
    list.addEventListener('focusin', note)
    watch.observe(list, { childList: true })
    return () => {
      list.removeEventListener('focusin', note)
      watch.disconnect()
      if (focused === null || !list.contains(focused)) return
      const last = focused
      const before = headingsBefore(list)
      // Still there: it is gone once everything is drawn.
      queueMicrotask(() => {
        if (!last.isConnected && document.activeElement === document.body) focusHeading(before.findLast((one) => one.isConnected))
      })
    }
  }, [])
}
