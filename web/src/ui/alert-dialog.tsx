// The page's one alert: an icon, a title, a sentence, Ok. It celebrates with petals. Mount it once.
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { alertStore, closeAlert, type Alert, type AlertType } from './alerts.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Confetti } from './confetti.tsx'
import { IconButton } from './icon-button.tsx'
import { Modal } from './modal.tsx'
import { useStore } from './store.ts'
import styles from './alert-dialog.module.css'

const icons: Record<AlertType, IconName> = {
  success: 'check',
  error: 'close',
  warning: 'warning',
  info: 'info',
  loading: 'loading',
}

export type AlertDialogProps = {
  okLabel: string
  closeLabel: string
  /** Goes to the alert's redirectTo after Ok. */
  onRedirect?: (address: string) => void
}

function OpenAlert({ alert, okLabel, closeLabel, onRedirect }: AlertDialogProps & { alert: Alert }) {
  const id = `alert-${alert.id}`
  const close = () => closeAlert(alert.id)
  function accept() {
    close()
    if (alert.redirectTo !== undefined) onRedirect?.(alert.redirectTo)
  }
  return (
    <Modal
      open
      onClose={close}
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-message`}
      className={styles.alert}
      behind={<Confetti />}
    >
      <IconButton icon="close" label={closeLabel} onClick={close} className={styles.close} />
      <span className={classNames(styles.tile, styles[alert.type])}>
        <Icon name={icons[alert.type]} size={34} />
      </span>
      <h2 id={`${id}-title`} className={classNames('d3', styles.title)}>
        {alert.title}
      </h2>
      <p id={`${id}-message`} className={styles.message}>
        {alert.message}
      </p>
      <Button size="large" wide data-autofocus onClick={accept} className={styles.ok}>
        {alert.okLabel ?? okLabel}
      </Button>
    </Modal>
  )
}

export function AlertDialog(props: AlertDialogProps) {
  const alert = useStore(alertStore)[0]
  return alert ? <OpenAlert key={alert.id} alert={alert} {...props} /> : null
}
