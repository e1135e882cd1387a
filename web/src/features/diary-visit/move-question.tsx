// After a drop: old and new side by side, and what it costs, before anything is done.
import type { Diary } from '@soigne/contract/diary'
import type { Money } from '@soigne/contract/wire'
import { useEffect, useId, useRef, type CSSProperties, type RefObject } from 'react'
import { useMoney } from '#/platform/money.ts'
import { dayOf, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import styles from './move-question.module.css'

export type PlannedMove = {
  /** Who or what is moved, and what the button says. */
  name: string
  action: string
  /** What it costs; null where that is no question. */
  total: Money | null
  /** What else follows. */
  hint: string | null
  startsAt: string
  staffId: string
  /** Whose it was until now. */
  from: { startsAt: string; staffId: string }
}

export type MoveQuestionProps = {
  move: PlannedMove
  diary: Diary
  /** Where it was dropped. */
  box: DOMRect
  isPending: boolean
  refusal: string | null
  onMove: () => void
  onPutBack: () => void
}

const width = 366
const height = 300

/** Beside the place, inside the window. */
function placeOf(box: DOMRect): CSSProperties {
  const left = box.right + 12 + width < window.innerWidth ? box.right + 12 : Math.max(12, box.left - width - 12)
  const top = Math.max(12, Math.min(box.top, window.innerHeight - height - 12))
  const start = document.documentElement.dir === 'rtl' ? window.innerWidth - left - width : left
  return { '--start': `${start}px`, '--top': `${top}px` } as CSSProperties
}

function Change({ label, before, after }: { label: string; before: string; after: string }) {
  const { t } = useTranslation('diary')
  return (
    <div className={styles.change}>
      <dt>{label}</dt>
      <dd>
        {before === after ? (
          <>
            <bdi className="strong">{after}</bdi> <span className="muted">{t('move.unchanged')}</span>
          </>
        ) : (
          <>
            <s>
              <bdi>{before}</bdi>
            </s>
            <Icon name="arrow" size={16} />
            <bdi className="strong">{after}</bdi>
          </>
        )}
      </dd>
    </div>
  )
}

/** Enter moves, for the button has the focus; Escape puts back, and Tab stays inside. */
function useAnswers(panel: RefObject<HTMLDivElement | null>, onPutBack: () => void) {
  const latest = useRef(onPutBack)
  useEffect(() => {
    latest.current = onPutBack
  })
  useEffect(() => {
    const element = panel.current
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
    function press(event: KeyboardEvent) {
      if (event.key === 'Escape') {
        event.preventDefault()
        return latest.current()
      }
      const buttons = [...(element?.querySelectorAll('button') ?? [])]
      const edge = event.shiftKey ? buttons[0] : buttons.at(-1)
      if (event.key !== 'Tab' || document.activeElement !== edge) return
      event.preventDefault()
      ;(event.shiftKey ? buttons.at(-1) : buttons[0])?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [panel])
}

export function MoveQuestion({ move, diary, box, isPending, refusal, onMove, onPutBack }: MoveQuestionProps) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const money = useMoney()
  const title = useId()
  const panel = useRef<HTMLDivElement>(null)
  const zone = diary.timeZone
  const memberName = (id: string) => diary.members.find((one) => one._id === id)?.name ?? ''
  const [oldDay, newDay] = [dayOf(move.from.startsAt, zone), dayOf(move.startsAt, zone)]
  const when = (day: string, instant: string) =>
    oldDay === newDay ? timeText(instant, zone) : `${times.day(day, zone)} ${timeText(instant, zone)}`
  useAnswers(panel, onPutBack)
  return (
    <>
      <div className={styles.veil} onPointerDown={onPutBack} />
      <div ref={panel} role="dialog" aria-modal="true" aria-labelledby={title} className={styles.question} style={placeOf(box)}>
        <h2 id={title} className="d4">
          {t('move.question', { name: move.name, time: timeText(move.startsAt, zone) })}
        </h2>
        <dl className={styles.changes}>
          <Change label={t('fields.time')} before={when(oldDay, move.from.startsAt)} after={when(newDay, move.startsAt)} />
          <Change label={t('fields.with')} before={memberName(move.from.staffId)} after={memberName(move.staffId)} />
          {move.total && <Change label={t('fields.price')} before={money(move.total, true)} after={money(move.total, true)} />}
        </dl>
        {move.hint !== null && <p className="small muted">{move.hint}</p>}
        {refusal && (
          <Notice tone="error" announce>
            {refusal}
          </Notice>
        )}
        <div className={styles.actions}>
          <Button variant="outline" onClick={onPutBack}>
            {t('move.putBack')}
          </Button>
          <Button data-autofocus loading={isPending} disabled={refusal !== null} onClick={onMove}>
            {move.action}
          </Button>
        </div>
      </div>
    </>
  )
}
