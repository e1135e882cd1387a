// How a conversation and its messages are put into words.
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { inLine } from '#/platform/lists.ts'
import { dayOf, ownZone, parseInstant, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'

export function useChatWords() {
  const { t } = useTranslation('chat')
  const times = useTimes()
  const partner = ({ side, institute, client }: Chat): string => (side === 'client' ? institute.name : client.name || t('gone'))
  return {
    partner,
    /** What a message is about in a few words. */
    summary({ text, media, visit, freeTime }: ChatMessage): string {
      if (text) return text
      if (visit) return t('aVisit')
      if (freeTime) return t('aFreeTime')
      if (media?.type === 'image') return t('aPicture')
      return media?.name ?? t('aDocument')
    },
    time: (instant: string) => times.time(instant, ownZone()),
    day: (instant: string) => times.day(dayOf(instant, ownZone()), ownZone(), 'long'),
    /** The time of today, the day of any other. */
    when(instant: string): string {
      const zone = ownZone()
      return dayOf(instant, zone) === dayOf(Date.now(), zone) ? times.time(instant, zone) : times.dayOfInstant(instant, zone, 'short')
    },
    isSameDay: (a: string, b: string): boolean => dayOf(a, ownZone()) === dayOf(b, ownZone()),
    visitTime: (instant: string, zone: string) =>
      inLine([times.dayOfInstant(instant, zone, 'long'), times.time(instant, zone)], times.locale),
    isWithin: (a: string, b: string, ms: number): boolean => Math.abs(parseInstant(a) - parseInstant(b)) < ms,
  }
}
