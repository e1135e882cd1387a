// The address of a visit at the client's home is written anew. Only who goes there begins with the one that is known.
import type { DiaryVisit } from '@soigne/contract/diary'
import type { HomeAddress } from '@soigne/contract/appointments'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { AddressFields, type TypedAddress } from '#/address-fields.tsx'
import { useDeskAddressWords } from '#/desk-address-words.ts'
import { putVisit, useKeys, useSettled } from '#/diary-changes.ts'
import { useLocation } from '#/own-institute.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { parseInstant } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { homePart, isAddress, isSameAddress, noAddress, typedOf } from '#/typed-address.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { showToast } from '#/ui/toasts.ts'
import styles from './visit.module.css'

/** Until it is over: somebody may stand before the wrong door. */
export const mayCorrectHome = (visit: DiaryVisit, now: number): boolean =>
  visit.atHome !== undefined && visit.status !== 'cancelled' && !visit.isHeld && parseInstant(visit.endsAt) > now

export type CorrectHomeProps = {
  visit: DiaryVisit
  /** Where it is, for who may read that. */
  home: HomeAddress | undefined
  slug: string
  onDone: () => void
}

function useCorrection({ visit, onDone }: Pick<CorrectHomeProps, 'visit' | 'onDone'>) {
  const { t } = useTranslation('diary')
  const { queries, readAgain } = useSettled()
  const keyOf = useKeys()
  const correct = useMutation({
    mutationFn(address: TypedAddress) {
      const home = homePart(address)
      const body = { home, version: visit.version }
      // Sent again after a broken line it is the same wish, also where its first sending has raised the version.
      return dashboardApi.correctDiaryHome({ params: { id: visit._id }, body, idempotencyKey: keyOf([visit._id, home]) })
    },
    onSuccess(changed) {
      putVisit(queries, changed)
      showToast({ type: 'success', title: t('atHome.corrected'), line: t('atHome.correctedLine') })
      onDone()
    },
    onSettled: readAgain,
  })
  return correct
}

export function CorrectHome({ visit, home, slug, onDone }: CorrectHomeProps) {
  const { t } = useTranslation('diary')
  const words = useDeskAddressWords()
  const near = useLocation(slug)
  const [typed, setTyped] = useState(() => (home ? typedOf(home) : noAddress))
  const correct = useCorrection({ visit, onDone })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const fields = fieldFailures(correct.error)
  const errors = { line: fields['home.line'], city: fields['home.city'] }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isAddress(typed)) return
    if (home && isSameAddress(typed, home)) return onDone()
    correct.mutate(typed)
  }
  return (
    <form ref={form} noValidate className={styles.form} onSubmit={submit} aria-label={t('atHome.correct')}>
      <h3 className="label-heading">{t('atHome.correct')}</h3>
      <AddressFields
        words={words}
        typed={typed}
        near={near}
        errors={errors}
        isOwn={false}
        onChange={(change) => {
          setTyped((now) => ({ ...now, ...change }))
          correct.reset()
        }}
      />
      <p className="small muted">{t(home ? 'atHome.correctHint' : 'atHome.correctUnseen')}</p>
      {correct.error && !errors.line && !errors.city && (
        <Notice tone="error" announce>
          {failureText(correct.error)}
        </Notice>
      )}
      <div className={styles.actions}>
        <Button variant="outline" onClick={onDone}>
          {t('atHome.keep')}
        </Button>
        <Button type="submit" loading={correct.isPending} disabled={!isAddress(typed)}>
          {t('atHome.save')}
        </Button>
      </div>
    </form>
  )
}
