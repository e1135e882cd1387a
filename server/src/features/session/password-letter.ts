/** The letter after a new password: whoever did not set it learns of it where the old one does not reach. */
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

interface Owner extends Recipient {
  hasPasskeys: boolean
}

export async function tellOfNewPassword(context: AppContext, transaction: Db, scope: SelfScope, owner: Owner | null): Promise<void> {
  if (!owner) return
  const { email, firstName, locale, hasPasskeys } = owner
  const at = instantText(context.clock.now())
  const when = translate(locale, 'mails', 'inWorldTime', { day: longDayText(at, zone, locale), time: timeText(at, zone) })
  await postMail(transaction, {
    dedupeKey: `password-changed:${randomUUID()}`,
    kind: 'password_changed',
    to: email,
    userId: scope.userId,
    content: {
      locale,
      name: nameToGreet(firstName),
      subject: translate(locale, 'mails', 'passwordChangedSubject'),
      paragraphs: [
        translate(locale, 'mails', 'passwordChangedIntro'),
        translate(locale, 'mails', 'passwordChangedElse'),
        // They open the account as before, whoever made them.
        ...(hasPasskeys ? [translate(locale, 'mails', 'passkeysStay')] : []),
      ],
      facts: [{ label: translate(locale, 'mails', 'when'), value: when }],
      action: { label: translate(locale, 'mails', 'resetButton'), url: context.publicUrl() + sitePath('resetPassword') },
    },
  })
}
