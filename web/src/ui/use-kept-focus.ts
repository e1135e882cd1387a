// A list whose rows take themselves away: the focus goes on to the row that then stands there, or to the heading the list stands under.
import { useCallback } from 'react'

const pressable = 'a[href], button:not(:disabled)'

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
      const heading = list.closest('section')?.querySelector<HTMLElement>('h2, h3')
      if (heading && !next) heading.tabIndex = -1
      ;(next ?? heading)?.focus()
    })
    list.addEventListener('focusin', note)
    watch.observe(list, { childList: true })
    return () => {
      list.removeEventListener('focusin', note)
      watch.disconnect()
    }
  }, [])
}
