// `/appointment/:id`: one visit of the signed-in person, with moving it and letting it go.
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import type { VisitSessions as Sessions } from '@soigne/contract/vouchers'
import { parseInstant } from '#/platform/time.ts'
import { Suspense, useRef, useState, type Ref, type RefObject } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useLocation, useParams } from 'react-router'
import { NearestTimes } from '#/features/availability/nearest-times.tsx'
import { PlaceMap } from '#/map/place-map.tsx'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { ApiError, failureText, nearestStarts } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import { MessageInstitute } from '#/features/chat/message-institute.tsx'
import { CalendarFileButton } from '#/features/appointments/calendar-file-button.tsx'
import { CancelVisit } from '#/features/appointments/cancel-visit.tsx'
import { moveTimes } from '#/features/appointments/move-times.ts'
import { MoveVisit, type ChooserPlace } from '#/features/appointments/move-visit.tsx'
import { PhoneLine } from '#/features/appointments/phone-line.tsx'
import { VisitDetail, VisitSkeleton } from '#/features/appointments/visit-detail.tsx'
import { bookAgainPath } from '#/features/appointments/visit-row.tsx'
import { useVisitTexts } from '#/features/appointments/visit-texts.ts'
import { useCancelSums } from '#/features/payments/use-visit-payments.ts'
import { useVisitPayments } from '#/features/payments/use-visit-payments.ts'
import { VisitSessions } from '#/features/vouchers/visit-sessions.tsx'
import { VisitMoney } from '#/features/payments/visit-money.tsx'
import { SeriesPart } from '#/features/series/series-part.tsx'
import { OwnReview } from '#/features/reviews/own-review.tsx'
import { ProposalCard } from '#/features/waiting/proposal-card.tsx'
import { queryKeys } from '#/query-keys.ts'
import { EarlierTime } from './earlier-time.tsx'

const TimeChooser = lazily(async () => (await import('#/features/availability/time-chooser.tsx')).TimeChooser)

const RemoveService = lazily(async () => (await import('#/features/removed-services/remove-service.tsx')).RemoveService)

const CorrectHome = lazily(async () => (await import('#/features/at-home/correct-home.tsx')).CorrectHome)

const RepeatVisit = lazily(async () => (await import('#/features/series/repeat-visit.tsx')).RepeatVisit)

export const handle = {
  namespaces: ['appointments', 'labels', 'availability', 'classes', 'map', 'prices', 'reviews', 'review-form', 'series'],
}

/** How far ahead a visit may be moved to; further days answer without times. */
const furthestDays = 180

type VisitActionsProps = {
  appointment: Appointment
  sheet: SheetName
  setSheet: (sheet: SheetName) => void
  moveButton: Ref<HTMLButtonElement>
  repeatButton: Ref<HTMLButtonElement>
  onCancelled: () => void
  onTooLate: () => void
}

function VisitActions({ appointment, sheet, setSheet, moveButton, repeatButton, onCancelled, onTooLate }: VisitActionsProps) {
  const { t } = useTranslation(['appointments', 'series'])
  const [now] = useState(Date.now)
  const { canCancel, canReschedule, status } = appointment
  const isOpen = isAhead(appointment, now)
  const sums = useCancelSums(appointment._id)
  return (
    <>
      {isOpen && canReschedule && (
        <Button
          ref={moveButton}
          icon="repeat"
          variant={sheet === 'move' ? 'outline' : 'solid'}
          aria-expanded={sheet === 'move'}
          onClick={() => setSheet(sheet === 'move' ? null : 'move')}
        >
          {t('move.action')}
        </Button>
      )}
      {isOpen && (
        <Button
          ref={repeatButton}
          icon="plus"
          variant="outline"
          aria-expanded={sheet === 'repeat'}
          onClick={() => setSheet(sheet === 'repeat' ? null : 'repeat')}
        >
          {t('series:action')}
        </Button>
      )}
      {isOpen && canReschedule && <EarlierTime appointment={appointment} now={now} />}
      {!isOpen && <ButtonLink to={bookAgainPath(appointment)}>{t('bookAgain')}</ButtonLink>}
      <MessageInstitute institute={appointment.institute} label={t('message')} />
      {status !== 'cancelled' && <CalendarFileButton appointment={appointment} label={t('calendar.add')} />}
      {isOpen && canCancel && (
        <CancelVisit appointment={appointment} sums={sums} onStart={() => setSheet(null)} onDone={onCancelled} onTooLate={onTooLate} />
      )}
    </>
  )
}

const isAhead = ({ status, startsAt }: Appointment, now: number): boolean => status !== 'cancelled' && parseInstant(startsAt) > now

/** The times to move to; those with another person are others, so the days begin anew. */
function MoveTimes({ appointment, now, staff, ...place }: ChooserPlace & { appointment: Appointment; now: number }) {
  const { timeZone } = appointment.institute
  const source = moveTimes(appointment._id, timeZone, staff)
  return <TimeChooser key={staff ?? ''} source={source} timeZone={timeZone} horizonDays={furthestDays} now={now} {...place} />
}

/** What is open between the head and the plan. */
type SheetName = 'move' | 'repeat' | null

function Sheet({ appointment, now, name, onClose }: { appointment: Appointment; now: number; name: SheetName; onClose: () => void }) {
  const { timeZone } = appointment.institute
  if (!isAhead(appointment, now) || name === null || (name === 'move' && !appointment.canReschedule)) return null
  return (
    <Suspense fallback={<Skeleton height={420} radius={16} />}>
      {name === 'repeat' ? (
        <RepeatVisit appointment={appointment} onClose={onClose} />
      ) : (
        <MoveVisit
          appointment={appointment}
          onClose={onClose}
          renderChooser={(place) => <MoveTimes appointment={appointment} now={now} {...place} />}
          renderNearest={(error, onChoose) => <NearestTimes nearest={nearestStarts(error)} timeZone={timeZone} onChoose={onChoose} />}
        />
      )}
    </Suspense>
  )
}

type RemovalProps = { appointment: Appointment; place: number; heading: RefObject<HTMLHeadingElement | null> }

function Removal({ appointment, place, heading }: RemovalProps) {
  return (
    <Suspense>
      <RemoveService appointment={appointment} place={place} onRemoved={() => heading.current?.focus()} />
    </Suspense>
  )
}

/** The address of a visit at home, until somebody is on the way there. */
function Home({ appointment }: { appointment: Appointment }) {
  const { home, canCorrectHome, institute } = appointment
  if (!home || !canCorrectHome) return null
  return (
    <Suspense>
      <CorrectHome appointment={appointment} home={home} phone={<PhoneLine institute={institute} />} />
    </Suspense>
  )
}

function MoneyPart({ appointment, sessions }: { appointment: Appointment; sessions: Sessions | undefined }) {
  return (
    <>
      <VisitMoney appointment={appointment} />
      <VisitSessions sessions={sessions} />
    </>
  )
}

type Paid = NonNullable<ReturnType<typeof useVisitPayments>['data']>
const hasMoney = ({ payments, documents, fee, refused, sessions }: Paid): boolean =>
  fee !== null || [payments, documents, refused, sessions].some((some) => (some?.length ?? 0) > 0)

const moneyOf = (appointment: Appointment, paid: Paid | undefined) => ({
  money: <MoneyPart appointment={appointment} sessions={paid?.sessions} />,
  hasMoney: paid && hasMoney(paid),
  late: { late: paid?.lateCancelling, hasSession: paid?.sessions?.some(({ state }) => state === 'used') },
})

function Visit({ appointment }: { appointment: Appointment }) {
  const { t } = useTranslation('appointments')
  const texts = useVisitTexts()
  const { hash } = useLocation()
  const [sheet, setSheet] = useState<SheetName>(hash === '#repeat' ? 'repeat' : null)
  const [isTooLate, setIsTooLate] = useState(false)
  const [now] = useState(Date.now)
  const { institute, canCancel, canReschedule, startsAt } = appointment
  const { data: paid } = useVisitPayments(appointment._id)
  const isOpen = isAhead(appointment, now)
  const heading = useRef<HTMLHeadingElement>(null)
  const moveButton = useRef<HTMLButtonElement>(null)
  const repeatButton = useRef<HTMLButtonElement>(null)
  function close() {
    setSheet(null)
    if (sheet) (sheet === 'move' ? moveButton : repeatButton).current?.focus()
  }
  return (
    <>
      <PageHead title={texts.when(startsAt, institute.timeZone)} />
      <VisitDetail
        appointment={appointment}
        after={<SeriesPart appointment={appointment} />}
        heading={heading}
        ofService={
          appointment.canRemoveService && isOpen
            ? (place) => <Removal appointment={appointment} place={place} heading={heading} />
            : undefined
        }
        ofHome={<Home appointment={appointment} />}
        {...moneyOf(appointment, paid)}
        map={<PlaceMap id={institute._id} name={institute.name} location={institute.location} quarter={null} city="" />}
        change={
          <>
            {appointment.status !== 'cancelled' && <ProposalCard appointment={appointment} onOther={() => setSheet('move')} />}
            <Sheet appointment={appointment} now={now} name={sheet} onClose={close} />
            {appointment.status !== 'cancelled' && parseInstant(appointment.endsAt) <= now && <OwnReview appointment={appointment} />}
            {isOpen && (isTooLate || (!canCancel && !canReschedule)) && (
              <Notice tone="warning" title={t('tooLate.title')}>
                <PhoneLine institute={institute} />
              </Notice>
            )}
          </>
        }
        actions={
          <VisitActions
            appointment={appointment}
            sheet={sheet}
            setSheet={setSheet}
            moveButton={moveButton}
            repeatButton={repeatButton}
            onCancelled={() => heading.current?.focus()}
            onTooLate={() => setIsTooLate(true)}
          />
        }
      />
    </>
  )
}

export default function AppointmentPage() {
  const { t } = useTranslation('appointments')
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.appointment(id),
    queryFn: ({ signal }) => api.appointment({ params: { id } }, { signal }),
  })
  if (error && !data) {
    const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 400)
    return isUnknown ? (
      <EmptyState as="h1" vignette="door" title={t('unknown.title')} action={<ButtonLink to={paths.appointments}>{t('title')}</ButtonLink>}>
        {t('unknown.text')}
      </EmptyState>
    ) : (
      <ErrorState as="h1" title={t('failedOne')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  }
  return (
    <Loading loading={!data} label={t('loading')} skeleton={<VisitSkeleton />}>
      {data && <Visit key={data._id} appointment={data} />}
    </Loading>
  )
}
