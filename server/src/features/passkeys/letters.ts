/** Letters after a passkey was added or removed: whoever did not do it learns of it. */
import { randomUUID } from 'node:crypto'
import { sitePath } from '@soigne/contract/site-routes'
import { postMail } from '#/features/mails/service.ts'
import { nameToGreet, type Recipient } from '#/features/verification/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText } from '#/platform/instants.ts'
import { longDayText, timeText } from '#/texts/formats.ts'
import { translate } from '#/texts/translate.ts'

/** Nobody's zone is known here, so that the time is the world's. */
const zone = 'UTC'

const words = {
  added: { kind: 'passkey_added', subject: 'passkeyAddedSubject', intro: 'passkeyAddedIntro', otherwise: 'passkeyAddedElse' },
  removed: { kind: 'passkey_removed', subject: 'passkeyRemovedSubject', intro: 'passkeyRemovedIntro', otherwise: 'passkeyRemovedElse' },
} as const

export async function tellOfPasskey(
  context: AppContext,
  transaction: Db,
  scope: SelfScope,
  { owner: { email, firstName, locale }, what, name }: { owner: Recipient; what: keyof typeof words; name: string },
): Promise<void> {
  const { kind, subject, intro, otherwise } = words[what]
  const at = instantText(context.clock.now())
  const when = translate(locale, 'mails', 'inWorldTime', { day: longDayText(at, zone, locale), time: timeText(at, zone) })
  await postMail(transaction, {
    dedupeKey: `${kind}:${randomUUID()}`,
    kind,
    to: email,
    userId: scope.userId,
    content: {
      locale,
      name: nameToGreet(firstName),
      subject: translate(locale, 'mails', subject),
      paragraphs: [translate(locale, 'mails', intro), translate(locale, 'mails', otherwise)],
      facts: [
        { label: translate(locale, 'mails', 'passkey'), value: name },
        { label: translate(locale, 'mails', 'when'), value: when },
      ],
      action: { label: translate(locale, 'mails', 'passkeysButton'), url: context.publicUrl() + sitePath('settings') },
    },
  })
}
