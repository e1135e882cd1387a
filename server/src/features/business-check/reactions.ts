/** The owner is told in the bell and by letter what became of the check of their business. */
import { sitePath } from '@soigne/contract/site-routes'
import type { EventKind } from '#/event-kinds.ts'
import { postMail } from '#/features/mails/service.ts'
import { notify } from '#/features/notifications/service.ts'
import { nameToGreet } from '#/features/verification/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText } from '#/platform/instants.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { translate } from '#/texts/translate.ts'
import { toldOf } from './store.ts'

const system = systemScope('tell of business checks')

export const businessCheckReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'business check letters',
    kinds: ['business_check.decided'],
    async react(context, transaction, { id, subjectId, instituteId }) {
      if (subjectId === null || instituteId === null) return
      const told = await toldOf(transaction, system, subjectId)
      // Sent anew, or put away, before anybody was told: they have seen it.
      if (!told || told.state === 'waiting') return
      const { locale, institute, legalName, reason, timeZone, ownerId, email } = told
      const at = context.clock.now()
      const isRight = told.state === 'accepted'
      await notify(transaction, [
        {
          to: { userId: ownerId },
          kind: isRight ? 'business_accepted' : 'business_refused',
          appointmentId: null,
          facts: { institute, client: '', services: [], startsAt: instantText(at), timeZone, ...(reason !== null && { reason }) },
          dedupeKey: `event:${id}`,
          at: new Date(at),
        },
      ])
      const say = (what: 'Subject' | 'Intro' | 'Next') =>
        translate(locale, 'mails', `${isRight ? 'businessAccepted' : 'businessRefused'}${what}`, { institute, name: legalName })
      await postMail(transaction, {
        dedupeKey: `event:${id}:business`,
        kind: isRight ? 'business_accepted' : 'business_refused',
        to: email,
        userId: ownerId,
        instituteId,
        content: {
          locale,
          name: nameToGreet(told.firstName),
          subject: say('Subject'),
          paragraphs: [say('Intro'), ...(reason === null ? [] : [reason]), say('Next')],
          action: { label: translate(locale, 'mails', 'viewCheck'), url: `${context.publicUrl()}${sitePath('verification')}#business` },
        },
      })
    },
  },
]
