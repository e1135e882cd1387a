// A guest has chosen everything; signing in brings them back here with all of it.
import type { ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useLocation } from 'react-router'
import { loginPath, registerPath } from '#/paths.ts'
import { placeText } from '#/platform/return-location.ts'
import { useTimes } from '#/platform/time.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { StepHeading } from '#/ui/step-form.tsx'
import styles from './booking.module.css'

export type SignInStepProps = {
  at: string
  timeZone: string
  /** Something has to come first: whether this person's time can be held nobody knows yet. */
  isUnsure?: boolean | undefined
  /** What is chosen, on screens without the panel beside. */
  check: ReactNode
}

export function SignInStep({ at, timeZone, isUnsure, check }: SignInStepProps) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const from = placeText(useLocation())
  return (
    <div className={styles.signIn}>
      <div>
        <StepHeading title={t('signIn.title')} lede={!isUnsure && t('signIn.lede', { time: times.time(at, timeZone) })} />
        <div className={styles.buttons}>
          <ButtonLink to={registerPath(from)} size="large">
            {t('signIn.register')}
          </ButtonLink>
          <ButtonLink to={loginPath(from)} variant="outline" size="large">
            {t('signIn.login')}
          </ButtonLink>
        </div>
      </div>
      {check}
      <Notice tone="kind" icon="lock">
        {t('signIn.kept')}
      </Notice>
    </div>
  )
}
