// Single keys that command the calendar. They never fire while somebody types, and leave every combination to the browser.
import { useEffect, useRef } from 'react'

export type CommandName = 'today' | 'day' | 'week' | 'month' | 'agenda' | 'new' | 'block' | 'previous' | 'next' | 'search' | 'help'

export const commandKeys: Readonly<Record<CommandName, string>> = {
  today: 't',
  day: 'd',
  week: 'w',
  month: 'm',
  agenda: 'a',
  new: 'n',
  block: 'b',
  previous: 'ArrowLeft',
  next: 'ArrowRight',
  search: '/',
  help: '?',
}

const typed =
  'input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox], [role=spinbutton], [role=grid]'

/** What is written on the key; where that is another script, what a Latin keyboard has in its place. */
function latinKey({ key, code, shiftKey }: KeyboardEvent): string {
  if (!/^[^\u0000-\u024f]$/.test(key)) return key
  if (code === 'Slash') return shiftKey ? '?' : '/'
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key
}

/** What a key asks for; nothing while somebody types, chooses or answers a dialog. */
export function commandOf(event: KeyboardEvent, isRightToLeft: boolean): CommandName | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return null
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest(typed) || document.querySelector('dialog[open], [aria-modal=true]')) return null
  // Arrows choose among radio buttons.
  if (event.key.startsWith('Arrow') && target?.closest('[role=radiogroup], input')) return null
  const key = latinKey(event)
  const name = (Object.keys(commandKeys) as CommandName[]).find((one) => commandKeys[one] === key || commandKeys[one] === key.toLowerCase())
  if (isRightToLeft && name === 'previous') return 'next'
  if (isRightToLeft && name === 'next') return 'previous'
  return name ?? null
}

export function useCommands(run: (command: CommandName) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const command = commandOf(event, document.documentElement.dir === 'rtl')
      if (!command) return
      event.preventDefault()
      latest.current(command)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
