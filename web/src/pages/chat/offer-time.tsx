// The institute offers a free time: what, with whom and when. Nothing is held by it; the card books in two taps.
import type { Chat } from '@soigne/contract/chat'
import type { Institute, Service } from '@soigne/contract/institutes'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useVisitTexts } from '#/features/appointments/visit-texts.ts'
import { TimeChooser } from '#/features/availability/time-chooser.tsx'
import type { Draft } from '#/features/chat/outbox.ts'
import { bookingTimes } from '#/pages/booking/booking-times.ts'
import { api } from '#/platform/api.ts'
import { failureText } from '#/platform/api-error.ts'
import { useTranslation } from '#/platform/translation.ts'
import { isBookable } from '#/prices.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { ErrorState } from '#/ui/error-state.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Modal } from '#/ui/modal.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { Loading, Skeleton } from '#/ui/skeleton.tsx'
import styles from './chat-sheets.module.css'

type Offered = NonNullable<Draft['freeTime']>
type OfferProps = { institute: Institute; onOffer: (freeTime: Offered) => void }

/** What is offered so far; another service or person has other times. */
function useOffer(bookable: readonly Service[]) {
  const [choice, setChoice] = useState({ serviceId: bookable[0]?._id ?? '', staffId: '' })
  const [day, setDay] = useState<string | null>(null)
  const [at, setAt] = useState<string | null>(null)
  function change(to: { serviceId: string; staffId: string }) {
    setChoice(to)
    setDay(null)
    setAt(null)
  }
  return { ...choice, day, at, setDay, setAt, change }
}

type FieldsProps = { institute: Institute; bookable: readonly Service[]; service: Service; offer: ReturnType<typeof useOffer> }

function OfferFields({ institute: { team }, bookable, service, offer: { staffId, change } }: FieldsProps) {
  const { t } = useTranslation('chat')
  const people = team.filter(({ _id, bookableOnline }) => bookableOnline && service.performers.some((one) => one.staffId === _id))
  return (
    <div className={styles.fields}>
      <SelectField
        label={t('offerService')}
        value={service._id}
        options={bookable.map(({ _id, name }) => ({ value: _id, label: name }))}
        onChange={({ target }) => change({ serviceId: target.value, staffId: '' })}
      />
      <SelectField
        label={t('offerPerson')}
        value={staffId}
        options={[{ value: '', label: t('anyone') }, ...people.map(({ _id, name }) => ({ value: _id, label: name }))]}
        onChange={({ target }) => change({ serviceId: service._id, staffId: target.value })}
      />
    </div>
  )
}

function Offer({ institute, onOffer }: OfferProps) {
  const { t } = useTranslation('chat')
  const texts = useVisitTexts()
  const { _id: id, services, timeZone, rules } = institute
  const bookable = services.filter((one) => isBookable(institute, one))
  const offer = useOffer(bookable)
  const { serviceId, staffId, day, at } = offer
  const [now] = useState(Date.now)
  const service = bookable.find(({ _id }) => _id === serviceId)
  if (!service) return <p className="muted">{t('nothingToOffer')}</p>
  const source = bookingTimes(id, { items: [{ serviceId, staffId: staffId || null }], atHome: false }, service.capacity !== undefined)
  const send = () => at !== null && onOffer({ services: [{ serviceId, ...(staffId && { staffId }) }], startsAt: at })
  return (
    <>
      <OfferFields {...{ institute, bookable, service, offer }} />
      <TimeChooser
        key={`${serviceId} ${staffId}`}
        {...{ source, timeZone, now, day, at }}
        horizonDays={rules.horizonDays}
        onDay={offer.setDay}
        onChoose={offer.setAt}
      />
      <div className={styles.foot}>
        <p className="small muted">{t('offerText')}</p>
        <Button wide aria-disabled={at === null} onClick={send}>
          {at === null ? t('offerChoose') : t('offerThis', { when: texts.whenInside(at, timeZone) })}
        </Button>
      </div>
    </>
  )
}

function OfInstitute({ slug, onOffer }: { slug: string; onOffer: OfferProps['onOffer'] }) {
  const { t } = useTranslation('chat')
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.chats.menu(slug),
    queryFn: ({ signal }) => api.institute({ params: { slug } }, { signal }),
  })
  if (error && !data)
    return (
      <ErrorState title={t('menuFailed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    )
  return (
    <Loading loading={!data} label={t('loading')} skeleton={<Skeleton height={420} radius={16} />}>
      {data && <Offer institute={data} onOffer={onOffer} />}
    </Loading>
  )
}

export function OfferTime({ chat, write }: { chat: Chat; write: (message: Draft) => void }) {
  const { t } = useTranslation('chat')
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton icon="calendar" iconSize={22} label={t('offerTime')} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Modal open onClose={() => setIsOpen(false)} labelledBy={id} placement="sheet" className={styles.wide}>
          <div className={styles.sheet}>
            <div className={styles.head}>
              <h2 id={id} className="d3">
                {t('offerTime')}
              </h2>
              <IconButton icon="close" label={t('close')} onClick={() => setIsOpen(false)} />
            </div>
            <OfInstitute
              slug={chat.institute.slug}
              onOffer={(freeTime) => {
                write({ freeTime })
                setIsOpen(false)
              }}
            />
          </div>
        </Modal>
      )}
    </>
  )
}
