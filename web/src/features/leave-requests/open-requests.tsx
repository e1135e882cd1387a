// Days off that wait for an answer: who asks, which visits lie in them, and yes or no.
import { pictureOfSize } from '@soigne/contract/files'
import type { OpenLeaveRequest } from '@soigne/contract/leave-requests'
import { useId, useState } from 'react'
import { paths } from '#/paths.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Modal } from '#/ui/modal.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import { showFailure, useDays, useOpenRequests, useWork, wasAnswered } from './use-leave-requests.ts'
import styles from './leave-requests.module.css'

function DeclineDialog({ request, onClose }: { request: OpenLeaveRequest; onClose: () => void }) {
  const { t } = useTranslation('leave-requests')
  const id = useId()
  const days = useDays()
  const { busy, run } = useWork()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  async function send() {
    if (reason.trim() === '') {
      setProblem(t('decline.required'))
      return
    }
    const error = await run(() => dashboardApi.answerLeaveRequest({ params: { id: request._id }, body: { answer: 'declined', reason } }))
    if (error && !wasAnswered(error)) {
      setProblem(fieldFailures(error)['reason'] ?? failureText(error))
      return
    }
    if (error) showFailure(error)
    else showToast({ type: 'success', title: t('decline.done', { name: request.name }) })
    onClose()
  }
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <h2 id={id} className="d4">
        {t('decline.title', { name: request.name })}
      </h2>
      <p className="muted">{days(request)}</p>
      <div className={styles.fields}>
        <TextArea
          label={t('decline.reason')}
          hint={t('decline.hint')}
          rows={3}
          maxLength={200}
          dir="auto"
          data-autofocus
          value={reason}
          error={problem}
          onChange={({ target }) => {
            setProblem(undefined)
            setReason(target.value)
          }}
        />
      </div>
      <div className={styles.answers}>
        <Button loading={busy} onClick={() => void send()}>
          {t('decline.send')}
        </Button>
        <Button variant="outline" onClick={onClose}>
          {t('back')}
        </Button>
      </div>
    </Modal>
  )
}

/** So many visits are named. */
const named = 6

function Hits({ request, zone }: { request: OpenLeaveRequest; zone: string }) {
  const { t } = useTranslation('leave-requests')
  const times = useTimes()
  const { appointments } = request
  if (appointments.length === 0) return <p className="small muted">{t('open.nothing')}</p>
  return (
    <div className={styles.hits}>
      <p className="small strong">{t('open.hits', { count: appointments.length })}</p>
      <ul>
        {appointments.slice(0, named).map((one) => (
          <li key={one._id} className="small">
            {times.dayOfInstant(one.startsAt, zone)} <bdi>{times.time(one.startsAt, zone)}</bdi>{' '}
            <bdi>{one.customer ?? t(`met.${one.kind}`)}</bdi>
          </li>
        ))}
      </ul>
      {appointments.length > named && <p className="small muted">{t('open.more', { count: appointments.length - named })}</p>}
      <p className="small muted">{t('open.stay')}</p>
    </div>
  )
}

function OpenRequest({ request, zone }: { request: OpenLeaveRequest; zone: string }) {
  const { t } = useTranslation('leave-requests')
  const days = useDays()
  const { busy, run } = useWork()
  const [isDeclining, setDeclining] = useState(false)
  const { _id, name, imageUrl, kind, note } = request
  async function agree() {
    let left = 0
    const error = await run(async () => {
      const { appointments } = await dashboardApi.answerLeaveRequest({ params: { id: _id }, body: { answer: 'agreed' } })
      left = appointments.length
    })
    if (error) showFailure(error)
    else if (left === 0) showToast({ type: 'success', title: t('agree.done', { name }) })
    else showToast({ type: 'warning', title: t('agree.done', { name }), line: t('agree.left', { count: left }) })
  }
  return (
    <li className={styles.open}>
      <FaceImage name={name} photoUrl={pictureOfSize(imageUrl, 96)} size={48} />
      <div className={styles.grow}>
        <p>
          <bdi className="strong">{name}</bdi>
        </p>
        <p>{days(request)}</p>
        <p className="small muted">
          {t(`kinds.${kind}`)}
          {note !== null && (
            <>
              {' · '}
              <bdi>{note}</bdi>
            </>
          )}
        </p>
        <Hits request={request} zone={zone} />
      </div>
      <div className={styles.answers}>
        <Button size="small" icon="check" loading={busy} aria-label={t('agree.of', { name })} onClick={() => void agree()}>
          {t('agree.do')}
        </Button>
        <Button variant="outline" size="small" aria-label={t('decline.of', { name })} onClick={() => setDeclining(true)}>
          {t('decline.do')}
        </Button>
      </div>
      {isDeclining && <DeclineDialog request={request} onClose={() => setDeclining(false)} />}
    </li>
  )
}

/** Of the whole team, or of one member; nothing while nothing waits. */
export function OpenRequests({ staffId }: { staffId?: string }) {
  const { t } = useTranslation('leave-requests')
  const { data } = useOpenRequests()
  const items = (data?.items ?? []).filter((one) => staffId === undefined || one.staffId === staffId)
  if (!data || items.length === 0) return null
  const isHit = items.some(({ appointments }) => appointments.length > 0)
  return (
    <section id="requests" className={styles.waiting} aria-labelledby="leave-requests">
      <div className={styles.head}>
        <h2 id="leave-requests" className="d4">
          {t('open.title', { count: items.length })}
        </h2>
        {isHit && (
          <ButtonLink to={paths.rearranging} variant="text" size="small">
            {t('open.rearrange')}
          </ButtonLink>
        )}
      </div>
      <ul className={styles.rows}>
        {items.map((request) => (
          <OpenRequest key={request._id} request={request} zone={data.timeZone} />
        ))}
      </ul>
    </section>
  )
}
