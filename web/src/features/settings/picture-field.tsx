// The picture of a person, with the way to another one.
import { pictureOfSize } from '@soigne/contract/files'
import { useRef, useState, type ChangeEvent } from 'react'
import { api } from '#/platform/api.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { useSessionActions, useUser } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { showToast } from '#/ui/toasts.ts'
import { CropDialog } from './crop-dialog.tsx'
import styles from './settings.module.css'

function useSendPicture(onDone: () => void) {
  const session = useSessionActions()
  const [busy, setBusy] = useState(false)
  async function send(cut: Blob) {
    setBusy(true)
    try {
      const { message } = await api.profileImage({ files: { image: cut } })
      showToast({ type: 'success', title: message })
      await session.refresh()
      onDone()
    } catch (error) {
      showToast({ type: 'error', title: failureText(error), line: fieldFailures(error)['image'] })
    } finally {
      setBusy(false)
    }
  }
  return { busy, send }
}

export function PictureField() {
  const { t } = useTranslation('settings')
  const user = useUser()
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap>()
  const close = () => setPicture(undefined)
  const { busy, send } = useSendPicture(close)
  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? []
    // The same file chosen again is a change too.
    event.target.value = ''
    if (!file) return
    try {
      setPicture(await createImageBitmap(file))
    } catch {
      showToast({ type: 'error', title: t('picture.unreadable') })
    }
  }
  if (!user) return null
  return (
    <div className={styles.picture}>
      <FaceImage name={`${user.firstName} ${user.lastName}`} photoUrl={user.imageUrl && pictureOfSize(user.imageUrl, 320)} size={96} />
      <div className={styles.pictureWays}>
        <Button variant="outline" icon="camera" onClick={() => input.current?.click()}>
          {t('picture.change')}
        </Button>
        <p className="small muted">{t('picture.hint')}</p>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          aria-label={t('picture.change')}
          hidden
          onChange={(event) => void choose(event)}
        />
      </div>
      {picture && <CropDialog picture={picture} busy={busy} onClose={close} onCrop={(cut) => void send(cut)} />}
    </div>
  )
}
