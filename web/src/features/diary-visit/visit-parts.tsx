// The parts of an open visit: who, what is planned, what was noted, what happened.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { useId, useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { sitePath } from '@soigne/contract/site-routes'
import { failureText } from '#/platform/api-error.ts'
import { useMoney } from '#/platform/money.ts'
import { telAddress } from '#/platform/phone.ts'
import { minutesBetween, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { showToast } from '#/ui/toasts.ts'
import { mayLoseService, RemoveService } from './remove-service.tsx'
import { useOwnNote } from './use-visit-changes.ts'
import styles from './visit.module.css'

export type VisitDetail = Answer<Calls['diaryVisit']>

/** The one thing to know before somebody sits down. */
function useKnown(visit: DiaryVisit): { text: string; isWarning: boolean } | null {
  const { t } = useTranslation('diary')
  const { customer } = visit
  if (visit.overbooked !== null) return { text: t('client.overbooked', { reason: visit.overbooked }), isWarning: true }
  if (customer.noShows > 0) return { text: t('client.noShows', { count: customer.noShows }), isWarning: true }
  return customer._id !== null && customer.pastVisits === 0 ? { text: t('client.first'), isWarning: false } : null
}

export function ClientPart({ visit }: { visit: DiaryVisit }) {
  const { t } = useTranslation('diary')
  const known = useKnown(visit)
  const { customer } = visit
  const name = visit.isHeld ? t('held') : customer.name || t('walkIn')
  return (
    <section className={styles.part} aria-label={t('client.title')}>
      <div className={styles.client}>
        <FaceImage name={name} size={52} />
        <p>
          {customer._id === null ? (
            <span className="strong">
              <bdi>{name}</bdi>
            </span>
          ) : (
            <Link to={sitePath('customer', { id: customer._id })} className={styles.name}>
              <bdi>{name}</bdi>
            </Link>
          )}
          {customer._id !== null && <span className="small muted">{t('client.visits', { count: customer.pastVisits })}</span>}
        </p>
        {customer.phone && (
          <a href={telAddress(customer.phone)} className={styles.call} aria-label={t('client.call', { name })}>
            <Icon name="phone" size={20} />
          </a>
        )}
      </div>
      {customer.phone && (
        <p className="small muted" dir="ltr">
          <bdi>{customer.phone}</bdi>
        </p>
      )}
      {known && (
        <p className={known.isWarning ? styles.warned : styles.known}>
          <Icon name={known.isWarning ? 'warning' : 'info'} size={18} />
          <span>{known.text}</span>
        </p>
      )}
    </section>
  )
}

export function PlanPart({ visit, diary, now }: { visit: DiaryVisit; diary: Diary; now: number }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const money = useMoney()
  const canLose = mayLoseService(visit, now)
  const memberOf = (id: string) => diary.members.find((one) => one._id === id)?.name ?? ''
  return (
    <section className={styles.part} aria-label={t('plan.title')}>
      <h3 className="label-heading">{t('plan.title')}</h3>
      <ul className={classNames(styles.plan, canLose && styles.canLose)}>
        {visit.segments.map((segment) => {
          const resource = diary.resources.find(({ _id }) => _id === segment.resourceId)?.name
          return (
            <li key={segment.position}>
              <bdi className="strong tabular">{timeText(segment.startsAt, diary.timeZone)}</bdi>
              <span>
                {segment.serviceName}
                <span className="small muted">
                  <bdi>{[memberOf(segment.staffId), resource].filter(Boolean).join(' · ')}</bdi>
                </span>
                {segment.idle && (
                  <span className="small muted">
                    {t('plan.waiting', {
                      from: timeText(segment.idle.startsAt, diary.timeZone),
                      to: timeText(segment.idle.endsAt, diary.timeZone),
                    })}
                  </span>
                )}
              </span>
              <span className="small muted nowrap">{times.duration(minutesBetween(segment.startsAt, segment.endsAt))}</span>
              <bdi className="strong tabular">{segment.price ? money(segment.price, true) : t('plan.onRequest')}</bdi>
              {canLose && <RemoveService visit={visit} segment={segment} zone={diary.timeZone} />}
            </li>
          )
        })}
        {visit.segments
          .filter(({ bufferAfterMinutes }) => bufferAfterMinutes > 0)
          .map((segment) => (
            <li key={`after${segment.position}`} className="small muted">
              <bdi className="tabular">{timeText(segment.endsAt, diary.timeZone)}</bdi>
              <span>{t(visit.atHome ? 'atHome.way' : 'plan.cleanUp')}</span>
              <span />
              <span>{times.duration(segment.bufferAfterMinutes)}</span>
            </li>
          ))}
      </ul>
      <p className={styles.total}>
        <span>{t('plan.total')}</span>
        <bdi className="time">{money(visit.total, true)}</bdi>
      </p>
    </section>
  )
}

export function NotesPart({ visit }: { visit: DiaryVisit }) {
  const { t } = useTranslation('diary')
  const id = useId()
  const note = useOwnNote(visit._id)
  const [text, setText] = useState<string | null>(null)
  const known = visit.ownNote ?? ''
  const value = text ?? known
  function submit(event: FormEvent) {
    event.preventDefault()
    note.mutate(value.trim(), {
      onSuccess: () => setText(null),
      onError: (error) => showToast({ type: 'error', title: failureText(error) }),
    })
  }
  return (
    <section className={styles.part} aria-label={t('notes.title')}>
      {visit.note && (
        <>
          <h3 className="label-heading">{t('notes.client')}</h3>
          <blockquote dir="auto" className={styles.quote}>
            {visit.note}
          </blockquote>
        </>
      )}
      <form onSubmit={submit} className={styles.noteForm}>
        <p className={styles.noteHead}>
          <label htmlFor={id} className="label-heading">
            {t('notes.title')}
          </label>
          <span className="small muted">{t('notes.onlyTeam')}</span>
        </p>
        <textarea
          id={id}
          rows={2}
          dir="auto"
          maxLength={1000}
          value={value}
          placeholder={t('notes.add')}
          onChange={(event) => setText(event.target.value)}
        />
        {text !== null && text.trim() !== known && (
          <Button type="submit" size="small" variant="soft" loading={note.isPending}>
            {t('save')}
          </Button>
        )}
      </form>
    </section>
  )
}

const toldKinds = [
  'booked',
  'moved',
  'resized',
  'shortened',
  'readdressed',
  'cancelled',
  'arrived',
  'in_service',
  'done',
  'no_show',
  'expected',
  'restored',
] as const

export function HistoryPart({ detail }: { detail: VisitDetail | undefined }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  if (!detail || detail.history.length === 0) return null
  const zone = detail.timeZone
  return (
    <details className={styles.part}>
      <summary className="label-heading">{t('history.title')}</summary>
      <ol className={styles.history}>
        {detail.history.map((entry) => {
          const kind = toldKinds.find((one) => entry.kind === one || entry.kind.endsWith(`.${one}`))
          return (
            <li key={entry.at + entry.kind}>
              <span>
                {kind ? t(`history.${kind}`) : t('history.changed')} · <bdi>{entry.by}</bdi>
                {entry.startsAt && (
                  <bdi className="muted"> · {`${times.dayOfInstant(entry.startsAt, zone)} ${timeText(entry.startsAt, zone)}`}</bdi>
                )}
              </span>
              <bdi className="small muted nowrap">{`${times.dayOfInstant(entry.at, zone)} ${timeText(entry.at, zone)}`}</bdi>
            </li>
          )
        })}
      </ol>
    </details>
  )
}
