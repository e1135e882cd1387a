// What tells people that a page is coming, and that it has come: a thin line, focus, and its title read aloud.
import { useEffect, useRef, useState } from 'react'
import { contentId } from '#/content-id.ts'
import { useTranslation } from '#/platform/translation.ts'
import { useLocation, useNavigation } from 'react-router'
import styles from './navigation-hint.module.css'

const isWithinContent = (element: Element) => document.getElementById(contentId)?.contains(element) === true

/** The path of the page on which something was pressed last: the address changes before its page is drawn. */
function usePathOfLastPress() {
  const path = useRef('')
  useEffect(() => {
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    const note = () => void (path.current = location.pathname)
    document.addEventListener('pointerdown', note, options)
    document.addEventListener('keydown', note, options)
    return () => listening.abort()
  }, [])
  return path
}

/** On a new path, focus goes to the content and the new title is announced; whoever presses something there already keeps it. */
function useAnnouncedTitle(): string {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  const pressed = usePathOfLastPress()
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // The title follows the page in the same commit, but pages that wait for words set it a moment later.
    const timer = setTimeout(() => {
      setTitle(document.title)
      if (pressed.current === location.pathname || (document.activeElement && isWithinContent(document.activeElement))) return
      document.getElementById(contentId)?.focus({ preventScroll: true })
    }, 60)
    return () => clearTimeout(timer)
  }, [pathname, pressed])
  return title
}

export function NavigationHint() {
  const { t } = useTranslation('site')
  const { state } = useNavigation()
  const title = useAnnouncedTitle()
  return (
    <>
      {state !== 'idle' && <div className={styles.line} role="progressbar" aria-label={t('loading')} />}
      <p className="visually-hidden" role="status">
        {title}
      </p>
    </>
  )
}
