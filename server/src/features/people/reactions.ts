/** Letters to people whose access to an institute changes. */
import { sitePath } from '@soigne/contract/site-routes'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMail } from '#/features/mails/service.ts'
import { nameToGreet, takeMail } from '#/features/verification/service.ts'
import type { Level } from '#/grants.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { translate } from '#/texts/translate.ts'
import { invitationDays } from './members.ts'
import { type Told, toldOf } from './members-store.ts'

type About = Extract<EventOf, { kind: 'person.invited' | 'person.joined' | 'person.changed' | 'person.removed' }>

const system = systemScope('write letters about access')

/** A stranger is sent no link that somebody has put into the name of an institute. */
const withoutLinks = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => !/\/\/|www\.|@|\p{L}\.\p{L}{2,}/iu.test(word))
    .join(' ') || 'Soigné'

interface Letter {
  subject: string
  paragraphs: string[]
  action?: { label: string; url: string }
  notes?: string[]
}

const letters = {
  // They come to work.
  'person.invited': ({ locale }, words, url) => ({
    subject: translate(locale, 'mails', 'invitedSubject', words),
    paragraphs: [translate(locale, 'mails', 'invitedIntro', words), translate(locale, 'mails', 'invitedHow', { count: invitationDays })],
    action: { label: translate(locale, 'mails', 'invitedButton'), url: `${url}${sitePath('register')}?role=isPro` },
    notes: [translate(locale, 'mails', 'invitedNote')],
  }),
  'person.joined': ({ locale }, words, url) => ({
    subject: translate(locale, 'mails', 'addedSubject', words),
    paragraphs: [translate(locale, 'mails', 'addedIntro', words)],
    action: { label: translate(locale, 'mails', 'openSalon'), url: url + sitePath('mySalon') },
    notes: [translate(locale, 'mails', 'addedNote')],
  }),
  'person.changed': ({ locale }, words, url) => ({
    subject: translate(locale, 'mails', 'levelSubject', words),
    paragraphs: [translate(locale, 'mails', 'levelIntro', words)],
    action: { label: translate(locale, 'mails', 'openSalon'), url: url + sitePath('mySalon') },
  }),
  'person.removed': ({ locale }, words) => ({
    subject: translate(locale, 'mails', 'removedSubject', words),
    paragraphs: [translate(locale, 'mails', 'removedIntro', words)],
  }),
} satisfies Record<About['kind'], (told: Told, words: { institute: string; level: string }, url: string) => Letter>

const levelIn = (level: Level, { locale }: Told): string => translate(locale, 'levels', level)

export const peopleReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'access letters',
    kinds: Object.keys(letters) as EventKind[],
    async react(context, transaction, event) {
      const about = event as About
      const { instituteId, subjectId, actor, kind } = about
      // Whoever joined or left by themselves knows.
      if (instituteId === null || subjectId === null || actor.kind === 'client') return
      const told = await toldOf(transaction, system.institute(instituteId), subjectId, kind === 'person.invited' ? 'invited' : 'joined')
      if (!told || !(await takeMail(transaction, told.email, context.clock.now())).taken) return
      const words = { institute: withoutLinks(told.institute), level: levelIn(about.payload.level, told) }
      await postMail(transaction, {
        dedupeKey: `event:${about.id}:access`,
        kind: kind.replace('.', '_'),
        to: told.email,
        instituteId,
        ...(kind !== 'person.invited' && { userId: subjectId }),
        content: {
          locale: told.locale,
          name: told.firstName === null ? null : nameToGreet(told.firstName),
          ...letters[kind](told, words, context.publicUrl()),
        },
      })
    },
  },
]
