/** The letter to whoever claimed an institute, once it is decided. */
import { sitePath } from '@soigne/contract/site-routes'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { postMail } from '#/features/mails/service.ts'
import { nameToGreet } from '#/features/verification/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { translate } from '#/texts/translate.ts'
import { claimant } from './claims-store.ts'

const system = systemScope('write letters about claims')

export const setupReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'claim letters',
    kinds: ['claim.decided'],
    async react(context, transaction, event) {
      const { id, instituteId, payload } = event as Extract<EventOf, { kind: 'claim.decided' }>
      if (instituteId === null) return
      const { userId, decision } = payload
      const told = await claimant(transaction, system, { userId, instituteId })
      if (!told?.email) return
      const { locale, institute } = told
      const isTheirs = decision === 'accepted'
      const say = (what: 'Subject' | 'Intro' | 'Next') =>
        translate(locale, 'mails', `${isTheirs ? 'claimAccepted' : 'claimRefused'}${what}`, { institute })
      await postMail(transaction, {
        dedupeKey: `event:${id}:claim`,
        kind: isTheirs ? 'claim_accepted' : 'claim_refused',
        to: told.email,
        instituteId,
        userId,
        content: {
          locale,
          name: nameToGreet(told.firstName),
          subject: say('Subject'),
          paragraphs: [say('Intro'), say('Next')],
          action: { label: translate(locale, 'mails', 'openSalon'), url: context.publicUrl() + sitePath('mySalon') },
        },
      })
    },
  },
]
