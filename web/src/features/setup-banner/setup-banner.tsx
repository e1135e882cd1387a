// "Finish Institute Setup": floats over every page while a draft of the signed-in professional waits.
import type { SessionUser } from '@soigne/contract/session'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#/paths.ts'
import { readStored, storageKeys, watchStored } from '#/platform/storage.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { ButtonLink } from '#/ui/button.tsx'
import styles from './setup-banner.module.css'

const steps = ['general', 'services', 'team', 'gallery', 'payment', 'review'] as const

/** The step of this person's draft; null where there is none of theirs. */
function stepOf(stored: string | null, userId: string): number | null {
  try {
    const draft: unknown = JSON.parse(stored ?? 'null')
    if (typeof draft !== 'object' || draft === null || !('_id' in draft) || draft._id !== userId) return null
    const step = 'step' in draft ? Number(draft.step) : 0
    return Number.isInteger(step) && step >= 0 && step < steps.length ? step : 0
  } catch {
    return null
  }
}

/** Tells toasts how high it is, so that neither covers the other. */
function useKnownHeight() {
  const banner = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = banner.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const { style } = document.documentElement
    const watch = new ResizeObserver(() => style.setProperty('--setup-banner', `${element.offsetHeight + 12}px`))
    watch.observe(element)
    return () => {
      watch.disconnect()
      style.removeProperty('--setup-banner')
    }
  }, [])
  return banner
}

function Banner({ step }: { step: number }) {
  const { t } = useTranslation('site')
  const of = steps.length
  return (
    <aside ref={useKnownHeight()} className={styles.banner} aria-label={t('setup.title')}>
      <span className={styles.tile}>
        <Icon name="door" size={26} />
      </span>
      <div className={styles.text}>
        <p className="strong">{t('setup.title')}</p>
        <p className="small muted">{t('setup.step', { step: step + 1, of, name: t(`setup.names.${steps[step] ?? 'general'}`) })}</p>
        <div
          className={styles.bar}
          role="progressbar"
          aria-label={t('setup.title')}
          aria-valuemin={0}
          aria-valuemax={of}
          aria-valuenow={step + 1}
        >
          <span style={{ inlineSize: `${((step + 1) / of) * 100}%` }} />
        </div>
      </div>
      <ButtonLink to={paths.setup}>{t('setup.continue')}</ButtonLink>
    </aside>
  )
}

export function SetupBanner({ user }: { user: SessionUser }) {
  const { pathname } = useLocation()
  const stored = useSyncExternalStore(
    watchStored,
    () => readStored(storageKeys.setupDraft),
    () => null,
  )
  const step = stepOf(stored, user.id)
  return step === null || user.institute || pathname === paths.setup ? null : <Banner step={step} />
}
