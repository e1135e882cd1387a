// The page's one confirmation: Enter confirms, Escape and the first button do not. Mount it once.
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { answerConfirm, confirmStore, type Question } from './confirms.ts'
import { Modal } from './modal.tsx'
import { useStore } from './store.ts'
import styles from './confirm-dialog.module.css'

export type ConfirmDialogProps = {
  /** "cancle" in English: the product's own spelling. */
  cancelLabel: string
  confirmLabel: string
  /** "Press Enter to confirm" */
  hint?: string
}

function OpenConfirm({ question, cancelLabel, confirmLabel, hint }: ConfirmDialogProps & { question: Question }) {
  const id = `confirm-${question.id}`
  const answer = (confirmed: boolean) => answerConfirm(question.id, confirmed)
  // A focused button answers Enter itself; anywhere else in the dialog Enter means yes.
  function enter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    answer(true)
  }
  return (
    <Modal open onClose={() => answer(false)} role="alertdialog" labelledBy={`${id}-title`} describedBy={`${id}-message`} onKeyDown={enter}>
      <h2 id={`${id}-title`} className="d3">
        {question.title}
      </h2>
      <div id={`${id}-message`} className={styles.message}>
        {question.message}
      </div>
      {question.details && <div className={styles.details}>{question.details}</div>}
      <div className={styles.actions}>
        <Button variant="outline" onClick={() => answer(false)}>
          {cancelLabel}
        </Button>
        <Button variant={question.tone === 'plain' ? 'solid' : 'danger'} data-autofocus onClick={() => answer(true)}>
          {confirmLabel}
        </Button>
      </div>
      {hint && <p className={classNames('desktop-only', styles.hint)}>{hint}</p>}
    </Modal>
  )
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const question = useStore(confirmStore)[0]
  return question ? <OpenConfirm key={question.id} question={question} {...props} /> : null
}
