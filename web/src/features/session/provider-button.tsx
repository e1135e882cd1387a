// The way to the provider of identities: a plain link, since the server starts the flow. Absent where there is no provider.
import type { Role } from '@soigne/contract/wire'
import { Link } from 'react-router'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { usePageSettings } from '#/platform/page-settings.ts'
import { keepOrigin } from '#/left-from.ts'
import { paths } from '#/paths.ts'
import { buttonClass } from '#/ui/button.tsx'
import { wayToProvider } from './provider-way.ts'
import styles from './session-form.module.css'

export function ProviderButton({ role, from }: { role: Role; from: string | null }) {
  const { t } = useTranslation('session')
  const { signIn } = usePageSettings()
  if (signIn === null) return null
  return (
    <div className={styles.provider}>
      <a href={wayToProvider(role, from)} onClick={() => keepOrigin(from)} className={buttonClass({ variant: 'outline', wide: true })}>
        {signIn === 'Google' && (
          <span className={styles.letter} aria-hidden="true">
            G
          </span>
        )}
        {t('provider.continue', { provider: signIn })}
      </a>
      <p className={`small muted ${styles.accepted}`}>
        <Trans ns="session" i18nKey="provider.terms" components={{ terms: <Link to={paths.terms} target="_blank" className="link" /> }} />
      </p>
      <p className={styles.or}>
        <span>{t('provider.or')}</span>
      </p>
    </div>
  )
}
