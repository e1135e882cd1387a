// What can be done with a conversation as a whole.
import type { Chat } from '@soigne/contract/chat'
import { useId, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { DisclosureMenu, MenuItem } from '#/ui/disclosure-menu.tsx'
import { Modal } from '#/ui/modal.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import { useChatWords } from './chat-words.ts'
import { useChatActions } from './use-chats.ts'
import styles from './chat-menu.module.css'

const say = {
  onSuccess: ({ message }: { message: string }) => void showToast({ type: 'success', title: message }),
  onError: (error: Error) => void showToast({ type: 'error', title: failureText(error) }),
}

function Report({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { t } = useTranslation('chat')
  const words = useChatWords()
  const id = useId()
  const { report } = useChatActions(chat)
  const [reason, setReason] = useState('')
  function send(event: FormEvent) {
    event.preventDefault()
    if (!reason.trim()) return
    report.mutate(reason.trim(), { ...say, onSuccess: (answer) => (say.onSuccess(answer), onClose()) })
  }
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <form className={styles.report} onSubmit={send}>
        <h2 id={id} className="d3">
          {t('reportTitle', { name: words.partner(chat) })}
        </h2>
        <p className="muted">{t('reportText')}</p>
        <TextArea
          label={t('reason')}
          value={reason}
          maxLength={500}
          rows={4}
          data-autofocus
          onChange={({ target }) => setReason(target.value)}
        />
        <div className={styles.actions}>
          <Button variant="outline" onClick={onClose}>
            {t('close')}
          </Button>
          <Button type="submit" loading={report.isPending} aria-disabled={!reason.trim()}>
            {t('report')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

export function ChatMenu({ chat, onFiles }: { chat: Chat; onFiles: () => void }) {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  const { archive, remove, block } = useChatActions(chat)
  const [isReporting, setIsReporting] = useState(false)
  const list = chat.side === 'client' ? paths.chats : paths.instituteChats
  async function askRemove() {
    if (!(await askConfirm({ title: t('removeTitle'), message: t('removeText') }))) return
    remove.mutate(undefined, { ...say, onSuccess: (answer) => (say.onSuccess(answer), void navigate(list)) })
  }
  return (
    <>
      <DisclosureMenu button={<Icon name="more" size={22} />} label={t('more')} buttonClassName={styles.button}>
        {(close) => {
          const then = (work: () => void) => () => {
            close()
            work()
          }
          return (
            <>
              <MenuItem icon="image" onClick={then(onFiles)}>
                {t('files')}
              </MenuItem>
              <MenuItem icon="archive" onClick={then(() => archive.mutate(undefined, say))}>
                {t(chat.isArchived ? 'unarchive' : 'archive')}
              </MenuItem>
              <MenuItem icon="block" onClick={then(() => block.mutate(!chat.isBlocked, say))}>
                {t(chat.isBlocked ? 'unblock' : 'block')}
              </MenuItem>
              <MenuItem icon="shield" onClick={then(() => setIsReporting(true))}>
                {t('report')}
              </MenuItem>
              <MenuItem icon="trash" danger onClick={then(() => void askRemove())}>
                {t('remove')}
              </MenuItem>
            </>
          )
        }}
      </DisclosureMenu>
      {isReporting && <Report chat={chat} onClose={() => setIsReporting(false)} />}
    </>
  )
}
