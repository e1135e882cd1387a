// Check, and it's yours: the hold with its countdown, a note, what changing one's mind costs, and the button elsewhere.
import type { Institute } from '@soigne/contract/institutes'
import { Suspense, type ReactNode } from 'react'
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { failureText } from '#/platform/api-error.ts'
import { EmailGate } from '#/platform/email-gate.tsx'
import { useSession } from '#/platform/session.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { Notice } from '#/ui/notice.tsx'
import { RowSkeleton } from '#/ui/skeleton.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import type { PayAsk } from '#/pay-ask.ts'
import { HoldNotice, type HoldNoticeProps } from './hold-notice.tsx'
import { SignInStep } from './sign-in-step.tsx'
import { StepHeading, stepFormId } from '#/ui/step-form.tsx'
import { TermsLine } from './terms-line.tsx'
import { isUnknownOutcome } from './use-book.ts'
import { hasNoTime, type HoldKeeper } from './use-hold.ts'
import styles from './booking.module.css'

export type ConfirmStepProps = Pick<HoldNoticeProps, 'renderNearest'> & {
  institute: Institute
  /** The member asked for the first service, null where anyone was. */
  memberName: string | null
  /** What the visit comes to, in words. */
  total: string
  at: string
  /** Something has to come first: whether the time of a guest can be held nobody knows yet. */
  isUnsure: boolean
  keeper: HoldKeeper
  note: string
  onNote: (note: string) => void
  onBook: () => void
  /** What is chosen, on screens without the panel beside. */
  check: ReactNode
  /** How it is paid, where something can be paid online; `ask`: what that came to. */
  payment: ReactNode
  ask: PayAsk | null
  /** It was sent and no answer came: whether it is booked is being asked. */
  isChecking: boolean
  /** Why booking failed the last time. */
  failure: unknown
}

/** What became of the last try. That no answer came says nothing of whether it is booked. */
function Outcome({ isChecking, failure }: Pick<ConfirmStepProps, 'isChecking' | 'failure'>) {
  const { t } = useTranslation('booking')
  if (isChecking)
    return (
      <Notice tone="info" announce title={t('confirm.checking')}>
        {t('confirm.checkingText')}
      </Notice>
    )
  if (failure === null || failure === undefined) return null
  const isUnknown = isUnknownOutcome(failure)
  return (
    <Notice tone="error" announce title={t(isUnknown ? 'confirm.unknown' : 'confirm.failed')}>
      {isUnknown ? (
        <Trans ns="booking" i18nKey="confirm.unknownText" components={{ visits: <Link className="link" to={paths.appointments} /> }} />
      ) : (
        failureText(failure)
      )}
    </Notice>
  )
}

/** It comes when it is known, and most have none. */
const OverlapNotice = lazily(async () => (await import('./overlap-notice.tsx')).OverlapNotice)

function ConfirmForm(props: ConfirmStepProps) {
  const { institute, memberName, total, at, keeper, note, onNote, renderNearest, onBook, check, isChecking, failure, payment, ask } = props
  const { t } = useTranslation('booking')
  return (
    <form
      id={stepFormId}
      onSubmit={(event) => {
        event.preventDefault()
        onBook()
      }}
    >
      <StepHeading
        title={t(hasNoTime(keeper) ? 'confirm.titleWithout' : 'confirm.title')}
        lede={payment ? (ask?.lede ?? <span className={styles.unsaid}>{t('confirm.lede')}</span>) : t('confirm.lede')}
      />
      <div className={styles.notices}>
        <HoldNotice keeper={keeper} startsAt={at} timeZone={institute.timeZone} renderNearest={renderNearest} isBegun />
        <Suspense>
          <OverlapNotice keeper={keeper} />
        </Suspense>
        <Outcome isChecking={isChecking} failure={failure} />
        {check}
      </div>
      {payment && <div className={styles.note}>{payment}</div>}
      <div className={styles.note}>
        <TextArea
          label={memberName ? t('confirm.noteFor', { name: memberName }) : t('confirm.note', { name: institute.name })}
          labelEnd={<span className="small muted">{t('confirm.ifYouLike')}</span>}
          rows={3}
          maxLength={500}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
      </div>
      <TermsLine
        institute={institute}
        at={at}
        total={total}
        atSalon={ask?.atSalon}
        after={ask?.after}
        hold={keeper.state.kind === 'held' ? keeper.state.hold : null}
      />
      <p className={`small muted ${styles.agreement}`}>
        <Trans
          ns="booking"
          i18nKey="confirm.agreement"
          components={{ terms: <Link className="link" to={paths.terms} target="_blank" /> }}
        />
      </p>
    </form>
  )
}

export function ConfirmStep(props: ConfirmStepProps) {
  const { institute, at, isUnsure, keeper, renderNearest, check } = props
  const session = useSession()
  switch (session.kind) {
    case 'guest':
      return <SignInStep at={at} timeZone={institute.timeZone} isUnsure={isUnsure} check={check} />
    case 'unread':
    case 'loading':
      return <RowSkeleton />
    case 'failed':
      return (
        <Notice tone="error" announce>
          {failureText(session.error)}
        </Notice>
      )
    case 'user':
      if (session.user.isEmailVerified) return <ConfirmForm {...props} />
      return (
        <>
          {hasNoTime(keeper) && <HoldNotice keeper={keeper} startsAt={at} timeZone={institute.timeZone} renderNearest={renderNearest} />}
          <EmailGate />
        </>
      )
  }
}
