// What tells people that a page is coming, and that it has come: a thin line, focus, and its title read aloud.
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useLocation, useNavigation } from 'react-router'
import styles from './navigation-hint.module.css'

export const contentId = 'content'

/** On a new path, focus goes to the content and the new title is announced. */
function useAnnouncedTitle(): string {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  const [title, setTitle] = useState('')
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // The title follows the page in the same commit, but pages that wait for words set it a moment later.
    const timer = setTimeout(() => {
      setTitle(document.title)
      const focused = document.activeElement
      if (focused === null || focused === document.body || !document.getElementById(contentId)?.contains(focused)) {
        document.getElementById(contentId)?.focus({ preventScroll: true })
      }
    }, 60)
    return () => clearTimeout(timer)
  }, [pathname])
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
