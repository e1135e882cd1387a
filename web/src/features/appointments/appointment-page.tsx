// `/appointment/:id`: one visit of the signed-in person, with moving it and letting it go.
import { useQuery } from '@tanstack/react-query'
import type { Appointment } from '@soigne/contract/appointments'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { NearestTimes, nearestOf } from '#/features/booking/nearest-times.tsx'
import { WhenNear } from '#/ui/when-near.tsx'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { ApiError, failureText } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { Button, ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import { CalendarFileButton } from './calendar-file-button.tsx'
import { CancelVisit } from './cancel-visit.tsx'
import { moveTimes } from './move-times.ts'
import { MoveVisit } from './move-visit.tsx'
import { PhoneLine } from './phone-line.tsx'
import { VisitDetail } from './visit-detail.tsx'
import { bookAgainPath } from './visit-row.tsx'
import { useVisitWords } from './visit-words.ts'

const InstituteMap = lazy(async () => ({ default: (await import('#/map/institute-map.tsx')).InstituteMap }))
const TimeChooser = lazy(async () => ({ default: (await import('#/features/availability/time-chooser.tsx')).TimeChooser }))

export const handle = { namespaces: ['appointments', 'labels', 'booking', 'availability', 'map'] }

/** How far ahead a visit may be moved to; further days answer without times. */
const furthestDays = 180

function PlaceMap({ institute }: Pick<Appointment, 'institute'>) {
  const { _id, name, location } = institute
  return (
    <WhenNear>
      <Suspense>
        <InstituteMap
          fixed
          label={name}
          pins={[{ id: _id, point: location, text: name, label: name, tone: 'soon', quarter: null, city: '' }]}
          selected={_id}
        />
      </Suspense>
    </WhenNear>
  )
}

function Visit({ appointment }: { appointment: Appointment }) {
  const { t } = useTranslation('appointments')
  const words = useVisitWords()
  const [isMoving, setIsMoving] = useState(false)
  const [isTooLate, setIsTooLate] = useState(false)
  const [now] = useState(Date.now)
  const { _id, institute, canCancel, canReschedule, status, startsAt } = appointment
  const { timeZone } = institute
  const isOpen = status !== 'cancelled' && Date.parse(startsAt) > now
  const move = isMoving && (
    <Suspense fallback={<Skeleton height={420} radius={16} />}>
      <MoveVisit
        appointment={appointment}
        onClose={() => setIsMoving(false)}
        renderChooser={(place) => (
          <TimeChooser source={moveTimes(_id, timeZone)} timeZone={timeZone} horizonDays={furthestDays} now={now} {...place} />
        )}
        renderNearest={(error, onChoose) => (
          <NearestTimes nearest={error instanceof ApiError ? nearestOf(error) : []} timeZone={timeZone} onChoose={onChoose} />
        )}
      />
    </Suspense>
  )
  return (
    <>
      <PageHead title={words.when(startsAt, timeZone)} />
      <VisitDetail
        appointment={appointment}
        map={<PlaceMap institute={institute} />}
        change={
          <>
            {move}
            {isOpen && (isTooLate || (!canCancel && !canReschedule)) && (
              <Notice tone="warning" title={t('tooLate.title')}>
                <PhoneLine institute={institute} />
              </Notice>
            )}
          </>
        }
        actions={
          <>
            {isOpen && canReschedule && (
              <Button
                icon="repeat"
                variant={isMoving ? 'outline' : 'solid'}
                aria-expanded={isMoving}
                onClick={() => setIsMoving(!isMoving)}
              >
                {t('move.action')}
              </Button>
            )}
            {!isOpen && <ButtonLink to={bookAgainPath(appointment)}>{t('bookAgain')}</ButtonLink>}
            {status !== 'cancelled' && <CalendarFileButton appointment={appointment} label={t('calendar.add')} />}
            {isOpen && canCancel && <CancelVisit appointment={appointment} onTooLate={() => setIsTooLate(true)} />}
          </>
        }
      />
    </>
  )
}

export default function AppointmentPage() {
  const { t } = useTranslation('appointments')
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['appointment', id],
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
    <Loading
      loading={!data}
      label={t('loading')}
      skeleton={
        <div className="page section">
          <Skeleton height={420} radius={24} />
        </div>
      }
    >
      {data && <Visit appointment={data} />}
    </Loading>
  )
}
