// What stands on invoices beside the institute's name: its legal name, its VAT number and rate.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { useState } from 'react'
import { amountOf } from '#/amounts.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Field } from '#/ui/field.tsx'
import { SaveBar } from '#/features/institute-settings/setting-parts.tsx'
import { useDraft, type Draft } from '#/features/institute-settings/use-settings.ts'
import styles from '#/features/institute-settings/institute-settings.module.css'

const highestBasisPoints = 5000

/** Hundredths of a percent, typed as 20, 5.5 or 5,5; null for nothing typed, undefined for what is no rate. */
function basisPointsOf(text: string): number | null | undefined {
  if (text.trim() === '') return null
  // Two decimals, as an amount of euros has.
  const points = amountOf(text, 'EUR')
  return points === null || points > highestBasisPoints ? undefined : points
}

const percentText = (points: number): string => String(points / 100)

const orNone = (text: string): string | null => (text.trim() === '' ? null : text)

/** The rate as it is typed, and the draft's as soon as that is one. */
function useTypedRate(draft: Draft<'documents'>) {
  const [typed, setTyped] = useState<string | null>(null)
  const stored = draft.value.vatBasisPoints
  const points = typed === null ? stored : basisPointsOf(typed)
  const isOld = typed === null || (points !== undefined && points !== stored)
  const value = isOld ? (stored === null ? '' : percentText(stored)) : typed
  function change(text: string) {
    setTyped(text)
    const next = basisPointsOf(text)
    if (next !== undefined) draft.set({ vatBasisPoints: next })
  }
  function undo() {
    setTyped(null)
    draft.undo()
  }
  return { value, change, undo, isWrong: basisPointsOf(value) === undefined }
}

export function DocumentsPart({ settings }: { settings: InstituteSettings }) {
  const { t } = useTranslation('institute-settings')
  const draft = useDraft('documents', settings)
  const { legalName, vatNumber } = draft.value
  const rate = useTypedRate(draft)
  return (
    <div className={styles.narrow}>
      <section className={styles.section}>
        <Field
          label={t('documents.legalName')}
          hint={t('documents.legalNameHint', { name: settings.profile.name })}
          maxLength={120}
          dir="auto"
          value={legalName ?? ''}
          error={draft.errors['legalName']}
          onChange={({ target }) => draft.set({ legalName: orNone(target.value) })}
        />
        <div className={styles.pair}>
          <Field
            label={t('documents.vatNumber')}
            hint={t('documents.vatNumberHint')}
            maxLength={40}
            dir="ltr"
            autoComplete="off"
            value={vatNumber ?? ''}
            error={draft.errors['vatNumber']}
            onChange={({ target }) => draft.set({ vatNumber: orNone(target.value) })}
          />
          <Field
            label={t('documents.vatRate')}
            hint={t('documents.vatRateHint', { rate: percentText(settings.usualVatBasisPoints) })}
            inputMode="decimal"
            maxLength={6}
            dir="ltr"
            autoComplete="off"
            placeholder={percentText(settings.usualVatBasisPoints)}
            end={<span className="muted">%</span>}
            value={rate.value}
            error={rate.isWrong ? t('documents.wrongRate') : draft.errors['vatBasisPoints']}
            onChange={({ target }) => rate.change(target.value)}
          />
        </div>
      </section>
      <SaveBar
        changes={draft.changes + (rate.isWrong && draft.changes === 0 ? 1 : 0)}
        isSaving={draft.isSaving}
        onUndo={rate.undo}
        onSave={() => void (!rate.isWrong && draft.save())}
      />
    </div>
  )
}
