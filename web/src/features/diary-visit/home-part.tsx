// A visit at the client's home: who goes there reads where, everybody else the town.
import type { DiaryVisit } from '@soigne/contract/diary'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import type { VisitDetail } from './visit-parts.tsx'
import styles from './visit.module.css'

/** The way there, on a map anyone can open. */
const wayTo = (address: string): string => `https://www.openstreetmap.org/directions?to=${encodeURIComponent(address)}`

export type HomePartProps = {
  visit: DiaryVisit
  detail: VisitDetail | undefined
  /** Puts the address right; absent where it is too late. */
  onCorrect?: (() => void) | undefined
  /** It was just put right or left as it is: the way to do so has the focus again. */
  isBack?: boolean
}

/** Where it is, for who goes there. */
export const homeOf = (visit: DiaryVisit, detail: VisitDetail | undefined) => (detail?._id === visit._id ? detail.home : undefined)

export function HomePart({ visit, detail, onCorrect, isBack = false }: HomePartProps) {
  const { t } = useTranslation('diary')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isBack) button.current?.focus()
  }, [isBack])
  if (!visit.atHome) return null
  const { city } = visit.atHome
  const home = homeOf(visit, detail)
  const town = home && [home.postalCode, home.city].filter(Boolean).join(' ')
  return (
    <section className={styles.part} aria-label={t('atHome.title')}>
      <h3 className="label-heading">{t('atHome.title')}</h3>
      <p className={styles.known}>
        <Icon name="home-visit" size={18} />
        {home ? (
          <span>
            <span dir="auto" className="strong">
              {home.line}
            </span>
            <br />
            <span dir="auto">{town}</span>
            <br />
            <span className="small muted">{t('atHome.onlyYou')}</span>
          </span>
        ) : (
          <span dir="auto">{city ?? t('atHome.title')}</span>
        )}
      </p>
      <div className={styles.homeSteps}>
        {home && (
          <a
            className={buttonClass({ variant: 'outline', size: 'small' })}
            href={wayTo(`${home.line}, ${town}`)}
            target="_blank"
            rel="noreferrer"
          >
            <Icon name="pin" size={18} />
            {t('atHome.directions')}
          </a>
        )}
        {onCorrect && (
          <Button ref={button} variant="outline" size="small" icon="edit" onClick={onCorrect}>
            {t('atHome.correct')}
          </Button>
        )}
      </div>
    </section>
  )
}
