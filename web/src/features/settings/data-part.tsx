// What the product holds about somebody: theirs to see and to take along.
import { useState } from 'react'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { dayOf, ownZone } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { showToast } from '#/ui/toasts.ts'
import { EraseDialog } from './erase-dialog.tsx'
import styles from './settings.module.css'

function EraseRow({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation('settings')
  const [open, setOpen] = useState(false)
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <div>
          <p className="strong">{t('erase.title')}</p>
          <p className="small muted">{t('erase.text')}</p>
        </div>
      </div>
      <Button variant="outline" icon="trash" onClick={() => setOpen(true)}>
        {t('erase.open')}
      </Button>
      {open && <EraseDialog hasPassword={hasPassword} onClose={() => setOpen(false)} />}
    </div>
  )
}

function TakeRow() {
  const { t } = useTranslation('settings')
  const [isLoading, setIsLoading] = useState(false)
  async function take() {
    setIsLoading(true)
    try {
      saveFile(await api.exportOwnFiles(), `soigne-${dayOf(Date.now(), ownZone())}.zip`)
      showToast({ type: 'success', title: t('data.saved') })
    } catch (error) {
      showToast({ type: 'error', title: failureText(error) })
    } finally {
      setIsLoading(false)
    }
  }
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <div>
          <p className="strong">{t('data.take')}</p>
          <p className="small muted">{t('data.takeText')}</p>
        </div>
      </div>
      <Button variant="outline" icon="download" loading={isLoading} onClick={() => void take()}>
        {t('data.download')}
      </Button>
    </div>
  )
}

export function DataPart({ hasPassword }: { hasPassword: boolean }) {
  return (
    <div>
      <TakeRow />
      <EraseRow hasPassword={hasPassword} />
    </div>
  )
}
