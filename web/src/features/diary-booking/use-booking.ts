// What a booking for a client is made of: the choice, whether its time is free and why not, what it comes to, and sending it.
import type { Diary } from '@soigne/contract/diary'
import type { Service } from '@soigne/contract/institutes'
import { useState } from 'react'
import { undoMs, useFreeTimes, useUndo } from '#/diary-changes.ts'
import { instantAt } from '#/platform/dashboard-time.ts'
import { dayOf, instantText, minutesBetween, timeText, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { priceAtDesk, sumOfPrices, usePriceText } from '#/prices.ts'
import type { TypedAddress } from '#/address-fields.tsx'
import { homePart } from '#/typed-address.ts'
import { showToast } from '#/ui/toasts.ts'
import { venueOf } from '#/venues.ts'
import { clientPart, type Client } from './client-field.tsx'
import { anyone, minutesOf, performersOf, type Line } from './services-field.tsx'
import { useBookForClient, type NewVisit } from './use-booking-changes.ts'
import { useWhy } from './why-not.tsx'

/** Where on the calendar it began; without a minute the first free start is proposed. */
export type BookingDraft = {
  day: string
  minute: number | null
  staffId: string | null
  searchFirst?: boolean
  customerId?: string | undefined
}

/** `atHome` is what was asked for; it holds where there is a choice. */
type Choice = { day: string; startsAt: string | null; lines: Line[]; atHome: boolean }

/** Where the services can be done, and whether that is at the client's home. */
function whereOf({ lines, atHome }: Choice, menu: readonly Service[]) {
  const venue = venueOf(menu.filter(({ _id }) => lines.some(({ serviceId }) => serviceId === _id)))
  return { venue, isAtHome: venue === 'home' || (venue === 'either' && atHome) }
}

export function useChoice(draft: BookingDraft, diary: Diary, menu: readonly Service[], now: number) {
  const zone = diary.timeZone
  const [choice, setChoice] = useState<Choice>({
    day: draft.day,
    startsAt: draft.minute === null ? null : instantAt(draft.day, draft.minute, zone),
    lines: [],
    atHome: false,
  })
  const { venue, isAtHome } = whereOf(choice, menu)
  const services = choice.lines.map(({ serviceId }) => serviceId)
  const free = useFreeTimes({
    services: venue === 'apart' ? [] : services,
    staff: choice.lines.map(({ staffId }) => staffId),
    day: choice.day,
    atHome: isAtHome,
  })
  const coming = free.data?.filter(({ startsAt }) => minutesBetween(instantText(now), startsAt) > -diary.gridMinutes)
  const wanted = choice.startsAt ?? coming?.[0]?.startsAt ?? null
  const found = free.data?.find(({ startsAt }) => minutesBetween(startsAt, wanted ?? '') === 0)
  // Whoever has a column was meant; else the first who can.
  const asked =
    choice.lines.find(({ staffId }) => staffId !== anyone)?.staffId ??
    draft.staffId ??
    (services[0] && performersOf(diary, services[0])[0]?._id) ??
    null
  const isTaken = wanted !== null && free.data !== undefined && !found
  const why = useWhy({ services: isTaken ? services : [], staffId: asked, startsAt: wanted, atHome: isAtHome })
  return { choice, setChoice, free, wanted, found, isTaken, why, asked, services, venue, isAtHome }
}

export type BookingChoice = ReturnType<typeof useChoice>

type BookingToSend = { client: Client; note: string; overbook: string | null; address: TypedAddress }

export function useSend(booking: BookingChoice, diary: Diary, onClose: () => void) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const book = useBookForClient()
  const undo = useUndo()
  const { choice, wanted, isAtHome } = booking
  function send({ client, note, overbook, address }: BookingToSend) {
    if (wanted === null) return
    const services = choice.lines.map(({ serviceId, staffId }) => ({ serviceId, staffId }))
    const body: NewVisit = {
      services,
      startsAt: wanted,
      ...clientPart(client),
      ...(isAtHome && { home: homePart(address) }),
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(overbook !== null && { overbook: { reason: overbook.trim() } }),
    }
    book.mutate(body, {
      onSuccess: (visit) => {
        const day = times.day(dayOf(visit.startsAt, diary.timeZone), diary.timeZone, 'long')
        const title = t('booked', { name: visit.customer.name || t('walkIn'), day, time: timeText(visit.startsAt, diary.timeZone) })
        showToast({ type: 'success', title, durationMs: undoMs, action: undo(visit._id) })
        onClose()
      },
    })
  }
  return { send, book }
}

export function useTotal(lines: readonly Line[], menu: readonly Service[]): { price: string; minutes: number } {
  const price = usePriceText()
  const chosen = lines.flatMap((line) => {
    const service = menu.find(({ _id }) => _id === line.serviceId)
    return service ? [{ service, staffId: line.staffId }] : []
  })
  return {
    price: price(sumOfPrices(chosen.map(({ service, staffId }) => priceAtDesk(service, staffId === anyone ? null : staffId)))),
    minutes: chosen.reduce((sum, { service, staffId }) => sum + minutesOf(service, staffId), 0),
  }
}
