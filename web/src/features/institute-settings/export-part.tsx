// Everything of the institute as one file.
import { useState } from 'react'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { dayOf, ownZone } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { showToast } from '#/ui/toasts.ts'
import { SettingRow } from './setting-parts.tsx'
import styles from './institute-settings.module.css'

export function ExportPart() {
  const { t } = useTranslation('institute-settings')
  const [health, setHealth] = useState(false)
  const [isLoading, setIsLoading] = useState(false)
  async function take() {
    setIsLoading(true)
    try {
      const file = await dashboardApi.exportInstitute({ body: { health } })
      saveFile(file, `soigne-${dayOf(Date.now(), ownZone())}.zip`)
      showToast({ type: 'success', title: t('export.saved') })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setIsLoading(false)
    }
  }
  return (
    <div className={styles.narrow}>
      <section className={styles.section}>
        <h2 className="d4">{t('export.title')}</h2>
        <p className="small muted">{t('export.text')}</p>
        <SettingRow title={t('export.health')} hint={t('export.healthHint')}>
          <Switch label={t('export.health')} labelHidden checked={health} onChange={() => setHealth(!health)} />
        </SettingRow>
        <div className={styles.take}>
          <Button icon="download" loading={isLoading} onClick={() => void take()}>
            {t('export.download')}
          </Button>
          <p className="small muted" role="status">
            {isLoading && t('export.preparing')}
          </p>
        </div>
      </section>
    </div>
  )
}
