// A guest has chosen everything; signing in brings them back here with all of it.
import { useTranslation } from '#/platform/translation.ts'
import { useLocation } from 'react-router'
import { loginPath, registerPath } from '#/paths.ts'
import { placeText } from '#/platform/return-location.ts'
import { useTimes } from '#/platform/time.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { StepHeading } from '#/ui/step-form.tsx'
import styles from './booking.module.css'

export function SignInStep({ at, timeZone }: { at: string; timeZone: string }) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const from = placeText(useLocation())
  return (
    <div className={styles.signIn}>
      <div>
        <StepHeading title={t('signIn.title')} lede={t('signIn.lede', { time: times.time(at, timeZone) })} />
        <div className={styles.buttons}>
          <ButtonLink to={registerPath(from)} size="large">
            {t('signIn.register')}
          </ButtonLink>
          <ButtonLink to={loginPath(from)} variant="outline" size="large">
            {t('signIn.login')}
          </ButtonLink>
        </div>
      </div>
      <Notice tone="kind" icon="lock">
        {t('signIn.kept')}
      </Notice>
    </div>
  )
}
