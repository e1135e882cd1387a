// An open visit: state, time, how far it is, who, what, notes; and what can be done about it.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { salePath, tillPath } from '#/dashboard-paths.ts'
import { undoMs, useUndo, type FrameOf } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { CancelMoney, cancellationOf } from '#/cancel-money.tsx'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { dayOf, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip } from '#/ui/status-chip.tsx'
import { showToast } from '#/ui/toasts.ts'
import { SessionPart } from '#/session-part.tsx'
import { useMay } from '#/use-may.ts'
import { AttendanceSteps, Lateness, NextStep } from './attendance-steps.tsx'
import { FeeLine } from './fee-line.tsx'
import { MoveForm } from './move-form.tsx'
import { useCancelVisit } from './use-visit-changes.ts'
import { CorrectHome, mayCorrectHome } from './correct-home.tsx'
import { HomePart, homeOf } from './home-part.tsx'
import { ClientPart, HistoryPart, NotesPart, PlanPart, type VisitDetail } from './visit-parts.tsx'
import { SeriesPart } from './series-part.tsx'
import styles from './visit.module.css'

/** Detail comes on its own; what the calendar knows of the visit is shown meanwhile. */
function useVisit(id: string, diary: Diary) {
  const detail = useQuery({
    queryKey: dashboardKeys.diary.visit(id),
    queryFn: ({ signal }) => dashboardApi.diaryVisit({ params: { id } }, { signal }),
  })
  const listed = diary.visits.find((visit) => visit._id === id)
  const isNewer = listed && (!detail.data || listed.version >= detail.data.version)
  const visit: DiaryVisit | undefined = isNewer ? listed : detail.data
  return { visit, detail: detail.data, error: detail.error, retry: () => void detail.refetch() }
}

function Head({ visit, title }: { visit: DiaryVisit; title: string }) {
  const { t } = useTranslation('diary')
  const { t: label } = useTranslation('labels')
  return (
    <p id={title} className={styles.state}>
      <span className="visually-hidden">{t('visit')}</span>
      {visit.isHeld ? (
        <StatusChip status="neutral" icon="clock" label={t('held')} />
      ) : (
        <StatusChip status={visit.status} label={label(`statuses.${visit.status}`)} />
      )}
      <bdi className="small muted tabular">{visit.reference}</bdi>
    </p>
  )
}

function When({ visit, diary }: { visit: DiaryVisit; diary: Diary }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const zone = diary.timeZone
  const names = [...new Set(visit.segments.map(({ staffId }) => staffId))].flatMap(
    (id) => diary.members.find((one) => one._id === id)?.name ?? [],
  )
  return (
    <div className={styles.when}>
      <h2 className={styles.bigTime}>
        <bdi>{timeText(visit.startsAt, zone)}</bdi> <small>{t('until', { time: timeText(visit.endsAt, zone) })}</small>
      </h2>
      <p className="muted">{t('dayWith', { day: times.day(dayOf(visit.startsAt, zone), zone, 'full'), names: names.join(', ') })}</p>
    </div>
  )
}

function useCancel(visit: DiaryVisit, diary: Diary) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const cancel = useCancelVisit()
  const undo = useUndo()
  const [isAsking, setAsking] = useState(false)
  const name = visit.customer.name || t('walkIn')
  const when = {
    day: times.day(dayOf(visit.startsAt, diary.timeZone), diary.timeZone, 'long'),
    time: timeText(visit.startsAt, diary.timeZone),
  }
  return {
    isPending: isAsking || cancel.isPending,
    async ask() {
      const message = t('letGo.message', { name, services: visit.segments.map(({ serviceName }) => serviceName).join(', '), ...when })
      setAsking(true)
      const isPaid = visit.status === 'deposit_paid' || visit.status === 'completed'
      const money = isPaid ? await cancellationOf(visit._id) : null
      setAsking(false)
      if (!(await askConfirm({ title: t('letGo.title'), message, ...(money && { details: <CancelMoney {...money} /> }) }))) return
      cancel.mutate(visit, {
        onSuccess: () =>
          showToast({ type: 'success', title: t('letGo.done', { name, ...when }), durationMs: undoMs, action: undo(visit._id) }),
        onError: (error) => showToast({ type: 'error', title: failureText(error) }),
      })
    },
  }
}

/** What is left to pay is taken at the till; what is paid has its sale. */
function useMoneyStep(visit: DiaryVisit) {
  const { t } = useTranslation('diary')
  const mayTake = useMay('sales.take')
  const mayRead = useMay('sales.read')
  if (visit.status === 'completed')
    return (
      mayRead && (
        <ButtonLink variant="outline" icon="receipt" to={salePath(visit._id)}>
          {t('money.see')}
        </ButtonLink>
      )
    )
  return (
    mayTake && (
      <ButtonLink icon="cash" to={tillPath(visit._id)}>
        {t('money.take')}
      </ButtonLink>
    )
  )
}

type OpenVisitProps = {
  visit: DiaryVisit
  detail: VisitDetail | undefined
  diary: Diary
  /** Of the institute. */
  slug: string
  now: number
  /** Where there is little room the next step is at the foot, where a thumb reaches it. */
  isBeside: boolean
  Frame: FrameOf
}

function OpenVisit({ visit, detail, diary, slug, now, isBeside, Frame }: OpenVisitProps) {
  const { t } = useTranslation('diary')
  const title = useId()
  const [form, setForm] = useState<'move' | 'home' | null>(null)
  const [isBack, setIsBack] = useState(false)
  const close = () => {
    setForm(null)
    setIsBack(form === 'home')
  }
  const cancel = useCancel(visit, diary)
  const money = useMoneyStep(visit)
  const isKept = visit.status !== 'cancelled' && !visit.isHeld && visit.attendance !== 'no_show'
  const isOpen = isKept && visit.attendance !== 'done'
  // Who may read the address is known with the detail.
  const mayCorrect = detail?._id === visit._id && mayCorrectHome(visit, now)
  const foot = isKept && form === null && (isOpen || money) && (
    <>
      {isOpen && (
        <>
          {!isBeside && <NextStep visit={visit} isAtFoot />}
          <Button variant="text" className={styles.lose} loading={cancel.isPending} onClick={() => void cancel.ask()}>
            {t('letGo.action')}
          </Button>
          <Button variant="outline" icon="repeat" onClick={() => setForm('move')}>
            {t('move.to')}
          </Button>
        </>
      )}
      {money}
    </>
  )
  return (
    <Frame labelledBy={title} head={<Head visit={visit} title={title} />} foot={foot}>
      <When visit={visit} diary={diary} />
      {form === 'move' && <MoveForm key={visit.version} visit={visit} diary={diary} onDone={close} />}
      {form === 'home' && <CorrectHome visit={visit} home={homeOf(visit, detail)} slug={slug} onDone={close} />}
      {form === null && (
        <>
          <AttendanceSteps visit={visit} zone={diary.timeZone} hasNext={isBeside} />
          {visit.attendance === 'no_show' && <FeeLine visit={visit} zone={diary.timeZone} />}
          {(visit.attendance === 'no_show' || visit.status === 'cancelled') && <SessionPart visitId={visit._id} version={visit.version} />}
          {detail?.missing?.map(({ serviceName, testName }) => (
            <Notice key={`${serviceName} ${testName}`} tone="warning" title={t('missing.title', { test: testName })}>
              {t('missing.text', { service: serviceName, test: testName })}
            </Notice>
          ))}
          <Lateness visit={visit} visits={diary.visits} zone={diary.timeZone} now={now} />
          {!visit.isHeld && <ClientPart visit={visit} />}
          <HomePart visit={visit} detail={detail} onCorrect={mayCorrect ? () => setForm('home') : undefined} isBack={isBack} />
          <PlanPart visit={visit} diary={diary} now={now} />
          {!visit.isHeld && <NotesPart key={visit._id} visit={visit} />}
          <SeriesPart detail={detail} />
          <HistoryPart detail={detail} />
        </>
      )}
    </Frame>
  )
}

export type VisitDrawerProps = { id: string; diary: Diary; slug: string; now: number; isBeside: boolean; Frame: FrameOf }

export function VisitDrawer({ id, diary, slug, now, isBeside, Frame }: VisitDrawerProps) {
  const { t } = useTranslation('diary')
  const title = useId()
  const { visit, detail, error, retry } = useVisit(id, diary)
  if (visit) return <OpenVisit visit={visit} detail={detail} diary={diary} slug={slug} now={now} isBeside={isBeside} Frame={Frame} />
  const head = (
    <p id={title} className="label-heading">
      {t('visit')}
    </p>
  )
  return (
    <Frame labelledBy={title} head={head}>
      {error ? (
        <ErrorState title={t('visitFailed')} retryLabel={t('retry')} onRetry={retry}>
          {failureText(error)}
        </ErrorState>
      ) : (
        <>
          <RowSkeleton />
          <RowSkeleton />
        </>
      )}
    </Frame>
  )
}
