// Holds the page still while a modal is open. Several may overlap, so the holders are counted.
import { useEffect } from 'react'

let holders = 0

function lock() {
  holders += 1
  if (holders > 1) return
  const root = document.documentElement
  // The page keeps its width when a scrollbar that takes room goes away, so nothing jumps sideways.
  const scrollbar = window.innerWidth - root.clientWidth
  if (scrollbar > 0) root.style.paddingInlineEnd = `${scrollbar}px`
  root.style.overflow = 'hidden'
}

function release() {
  holders -= 1
  if (holders > 0) return
  document.documentElement.style.overflow = ''
  document.documentElement.style.paddingInlineEnd = ''
}

export function useScrollLock(active: boolean): void {
  useEffect(() => {
    if (!active) return
    lock()
    return release
  }, [active])
}
