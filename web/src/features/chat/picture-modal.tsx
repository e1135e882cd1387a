// A picture of a conversation, as large as the window.
import type { ChatMessage } from '@soigne/contract/chat'
import { useTranslation } from '#/platform/translation.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import styles from './messages.module.css'

export function PictureModal({ message: { media }, onClose }: { message: ChatMessage; onClose: () => void }) {
  const { t } = useTranslation('chat')
  return (
    <Modal open onClose={onClose} label={t('aPicture')} placement="full" className={styles.viewer}>
      <img src={media?.url} alt={t('aPicture')} />
      <IconButton icon="close" label={t('close')} variant="disc" className={styles.close} onClick={onClose} />
    </Modal>
  )
}
