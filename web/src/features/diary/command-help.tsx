// The keys of the calendar, for whoever asks.
import { useId } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { commandKeys, type CommandName } from './use-commands.ts'
import styles from './diary.module.css'

const shown: Partial<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }

const gridKeys = ['move', 'open', 'lift', 'carry', 'resize', 'drop'] as const
const gridKeyCaps: Record<(typeof gridKeys)[number], readonly string[]> = {
  move: ['↑', '↓', '←', '→'],
  open: ['Enter'],
  lift: ['Space'],
  carry: ['↑', '↓', '←', '→'],
  resize: ['Shift', '↑', '↓'],
  drop: ['Enter', 'Esc'],
}

function Keys({ caps, text }: { caps: readonly string[]; text: string }) {
  return (
    <>
      <dt dir="ltr">
        {caps.map((cap) => (
          <kbd key={cap}>{cap}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  )
}

export function CommandHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('diary')
  const title = useId()
  const names = Object.keys(commandKeys) as CommandName[]
  return (
    <Modal open={open} onClose={onClose} labelledBy={title} placement="sheet">
      <h2 id={title} className="d4">
        {t('keys.title')}
      </h2>
      <dl className={styles.keys}>
        {names.map((name) => (
          <Keys key={name} caps={[shown[commandKeys[name]] ?? commandKeys[name]]} text={t(`keys.${name}`)} />
        ))}
      </dl>
      <h3 className="label-heading">{t('keys.inGrid')}</h3>
      <dl className={styles.keys}>
        {gridKeys.map((name) => (
          <Keys key={name} caps={gridKeyCaps[name]} text={t(`keys.grid.${name}`)} />
        ))}
      </dl>
      <Button wide data-autofocus onClick={onClose}>
        {t('close')}
      </Button>
    </Modal>
  )
}
