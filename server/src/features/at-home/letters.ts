/** The letter to who goes to a client's home: the only one at the institute that says where that is. */
import type { Locale } from '@soigne/contract/wire'
import type { Posting } from '#/features/mails/service.ts'
import { type AppointmentRow, deskPathOf, type SegmentRow } from '#/features/visits/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { dayText, longDayText, timeText } from '#/texts/formats.ts'
import { localised, translate } from '#/texts/translate.ts'
import type { ToldHome } from './store.ts'

/** An address as it is written on an envelope. */
export const homeText = ({ line, postalCode, city }: Pick<ToldHome, 'line' | 'postalCode' | 'city'>): string =>
  `${line}\n${[postalCode, city].filter(Boolean).join(' ')}`

interface Story {
  row: AppointmentRow
  segments: readonly SegmentRow[]
  home: ToldHome
  /** The same one is never mailed twice. */
  key: string
  fact: 'booked' | 'moved' | 'readdressed'
  client: string
}

const titles = {
  booked: { subject: 'performerBookedSubject', intro: 'performerBookedIntro' },
  moved: { subject: 'performerMovedSubject', intro: 'performerMovedIntro' },
  readdressed: { subject: 'performerReaddressedSubject', intro: 'performerReaddressedIntro' },
} as const

function factsFor({ row, segments, home }: Story, locale: Locale): { label: string; value: string }[] {
  const day = longDayText(row.startsAt, row.timeZone, locale)
  const services = segments.map(({ snapshot, memberName }) =>
    translate(locale, 'mails', 'with', { service: localised(snapshot.name, locale) ?? '', member: memberName }),
  )
  return [
    {
      label: translate(locale, 'mails', 'when'),
      value: translate(locale, 'mails', 'dayAndTime', { day, time: timeText(row.startsAt, row.timeZone) }),
    },
    { label: translate(locale, 'mails', 'where'), value: homeText(home) },
    { label: translate(locale, 'mails', 'what'), value: services.join('\n') },
    { label: translate(locale, 'mails', 'reference'), value: row.reference },
    ...(row.note ? [{ label: translate(locale, 'mails', 'note'), value: row.note }] : []),
  ]
}

/** One for each who performs it, but for `except`, who reads the same in another letter. */
export function lettersToPerformers(context: AppContext, story: Story, except: string | undefined): Posting[] {
  const { row, home, key, fact, client } = story
  return home.performers
    .filter(({ email }) => email !== except)
    .map(({ userId, email, firstName, locale }) => {
      const words = { client, day: dayText(row.startsAt, row.timeZone, locale), time: timeText(row.startsAt, row.timeZone) }
      return {
        dedupeKey: `${key}:performer:${userId}`,
        kind: `home_visit_${fact}`,
        to: email,
        userId,
        appointmentId: row.id,
        instituteId: row.instituteId,
        content: {
          locale,
          name: firstName,
          subject: translate(locale, 'mails', titles[fact].subject, words),
          paragraphs: [translate(locale, 'mails', titles[fact].intro, words)],
          facts: factsFor(story, locale),
          action: { label: translate(locale, 'mails', 'viewVisit'), url: context.publicUrl() + deskPathOf(row) },
          notes: [translate(locale, 'mails', 'performerNote')],
        },
      }
    })
}
