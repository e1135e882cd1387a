// The check of one's business on `/verification`: not sent, being checked, verified, or not accepted with the reason and the way to send it again.
import type { BusinessCheck as Check, SentCheck } from '@soigne/contract/business-check'
import { registrationKindOf, shownRegistration } from '@soigne/contract/registration-numbers'
import { useState } from 'react'
import { Link } from 'react-router'
import { instituteSettingsPath } from '#/dashboard-paths.ts'
import { FactRow } from '#/fact-row.tsx'
import { paths } from '#/paths.ts'
import { failureText, refusalCode } from '#/platform/api-error.ts'
import { useList } from '#/platform/lists.ts'
import { useUser } from '#/platform/session.tsx'
import { dateOnly, dayOf, ownZone } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { ErrorState } from '#/ui/error-state.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Loading, RowSkeleton } from '#/ui/skeleton.tsx'
import { StatusChip, type StatusName } from '#/ui/status-chip.tsx'
import { CheckForm } from './check-form.tsx'
import { useCheck, useTakingBack } from './use-check.ts'
import styles from './business-check.module.css'

const row = { icon: 'shield', id: 'business' } as const

type State = 'none' | SentCheck['state']
const looks: Record<State, StatusName | 'neutral'> = { none: 'neutral', waiting: 'pending', accepted: 'completed', refused: 'cancelled' }

function StateChip({ state }: { state: State }) {
  const { t } = useTranslation('business-check')
  return <StatusChip status={looks[state]} label={t(`states.${state}`)} />
}

/** 20 November 2026. */
function useDate(): (instant: string) => string {
  const { i18n } = useTranslation('business-check')
  const locale = i18n.language === 'en' ? 'en-GB' : i18n.language
  return (instant) => dateOnly(dayOf(instant, ownZone()), locale, { day: 'numeric', month: 'long', year: 'numeric' })
}

function Facts({ check }: { check: SentCheck }) {
  const { t } = useTranslation('business-check')
  const { legalName, registrationNumber, vatNumber, countryCode, documents } = check
  const kind = registrationKindOf(countryCode)
  return (
    <dl className={styles.facts}>
      <dt className="small muted">{t('facts.legalName')}</dt>
      <dd>
        <bdi>{legalName}</bdi>
      </dd>
      <dt className="small muted">{t(`numbers.${kind}`)}</dt>
      <dd className="tabular">
        <bdi>{shownRegistration(kind, registrationNumber)}</bdi>
      </dd>
      {vatNumber !== null && (
        <>
          <dt className="small muted">{t('facts.vatNumber')}</dt>
          <dd className="tabular">
            <bdi>{vatNumber}</bdi>
          </dd>
        </>
      )}
      <dt className="small muted">{t('form.documents')}</dt>
      <dd>
        <ul>
          {documents.map(({ name, url, kind: type }) => (
            <li key={url} className={styles.document}>
              <Icon name={type === 'document' ? 'receipt' : 'image'} size={18} />
              <a href={url} target="_blank" rel="noreferrer" className={`link ${styles.name}`}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  )
}

const plain = (text: string): string => text.replaceAll(/[\s.]/g, '').toLocaleLowerCase()
const differs = (said: string | null, checked: string | null): said is string => said !== null && plain(said) !== plain(checked ?? '')

/** What was verified, and whether invoices say the same. */
function Accepted({ check: { onInvoices }, accepted }: { check: Check; accepted: SentCheck }) {
  const { t } = useTranslation('business-check')
  const date = useDate()
  const list = useList()
  const others = [
    differs(onInvoices.legalName, accepted.legalName) ? onInvoices.legalName : null,
    differs(onInvoices.vatNumber, accepted.vatNumber) ? onInvoices.vatNumber : null,
  ].filter((one) => one !== null)
  return (
    <section className={styles.part}>
      <p className="small muted">{t('acceptedOn', { date: date(accepted.decidedAt ?? accepted.sentAt) })}</p>
      <Facts check={accepted} />
      {others.length > 0 && (
        <Notice
          tone="warning"
          action={
            <Link to={instituteSettingsPath('documents')} className={buttonClass({ variant: 'outline', size: 'small' })}>
              {t('invoices')}
            </Link>
          }
        >
          {t('otherInvoices', { said: list(others) })}
        </Notice>
      )}
    </section>
  )
}

function TakeBack() {
  const { t } = useTranslation('business-check')
  const { mutate, isPending } = useTakingBack()
  return (
    <Button
      variant="outline"
      size="small"
      loading={isPending}
      onClick={async () => {
        if (await askConfirm({ title: t('takeBackTitle'), message: t('takeBackText') })) mutate()
      }}
    >
      {t('takeBack')}
    </Button>
  )
}

/** What waits, or why it was not accepted; what was sent stands in the form while it is corrected. */
function Open({ open, isCorrected }: { open: SentCheck; isCorrected: boolean }) {
  const { t } = useTranslation('business-check')
  const date = useDate()
  if (open.state === 'refused')
    return (
      <section className={styles.part}>
        <Notice tone="error" title={t('refusedOn', { date: date(open.decidedAt ?? open.sentAt) })}>
          <span dir="auto">{open.reason}</span>
        </Notice>
        {!isCorrected && <Facts check={open} />}
      </section>
    )
  return (
    <section className={styles.part}>
      <p className="small muted">{t('sentOn', { date: date(open.sentAt) })}</p>
      <Facts check={open} />
      <TakeBack />
    </section>
  )
}

function Sent({ check }: { check: Check }) {
  const { t } = useTranslation('business-check')
  const [step, setStep] = useState<'read' | 'write' | 'left'>('read')
  const isWriting = step === 'write'
  const { accepted, open } = check
  const isWaiting = open?.state === 'waiting'
  const state = accepted ? 'accepted' : (open?.state ?? 'none')
  const begin = open ? 'again' : accepted ? 'anew' : 'begin'
  return (
    <FactRow
      {...row}
      title={t('title')}
      state={<StateChip state={state} />}
      way={
        <div className={styles.parts}>
          {accepted && <Accepted check={check} accepted={accepted} />}
          {open && accepted && <h3 className="strong small">{t('sentSince')}</h3>}
          {open && <Open open={open} isCorrected={isWriting} />}
          {!isWaiting && !isWriting && (
            // Whoever leaves the form is where they came from.
            <Button
              variant={begin === 'anew' ? 'outline' : 'soft'}
              size="small"
              autoFocus={step === 'left'}
              onClick={() => setStep('write')}
            >
              {t(begin)}
            </Button>
          )}
          {!isWaiting && isWriting && <CheckForm check={check} onClose={() => setStep('left')} />}
        </div>
      }
    >
      {!accepted && !open && t('intro')}
    </FactRow>
  )
}

/** Of the institute's owner: others are told who does it. */
function OfInstitute() {
  const { t } = useTranslation('business-check')
  const { data, error, isPending, refetch } = useCheck()
  if (data) return <Sent check={data} />
  if (isPending)
    return (
      <li id={row.id}>
        <Loading loading label={t('loading')} skeleton={<RowSkeleton />}>
          {null}
        </Loading>
      </li>
    )
  if (refusalCode(error) === 'forbidden')
    return (
      <FactRow {...row} title={t('title')} state={null}>
        {t('ofOwner')}
      </FactRow>
    )
  return (
    <li id={row.id}>
      <ErrorState title={t('failed')} retryLabel={t('retry')} onRetry={() => void refetch()}>
        {failureText(error)}
      </ErrorState>
    </li>
  )
}

export function BusinessCheck() {
  const { t } = useTranslation('business-check')
  const user = useUser()
  if (user?.institute) return <OfInstitute />
  return (
    <FactRow
      {...row}
      title={t('title')}
      state={<StateChip state="none" />}
      way={
        <Link to={paths.setup} className={buttonClass({ variant: 'outline', size: 'small' })}>
          {t('setUp')}
        </Link>
      }
    >
      {t('noInstitute')}
    </FactRow>
  )
}
