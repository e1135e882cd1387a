// At the salon or at home: asked before the times, since they are others.
import type { Institute } from '@soigne/contract/institutes'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { AddressForm } from './address-form.tsx'
import { homeText, isWithinReach, keepHomeAddress, useHomeAddress } from './home-address.ts'
import styles from './where-part.module.css'

export type WherePartProps = {
  institute: Institute
  choice: { venue: 'salon' | 'home' | 'either' | 'apart'; atHome: boolean }
  /** Another place, or another address: a chosen time no longer fits. */
  onChange: (atHome: boolean) => void
}

function HomePart({ institute, onChange }: Pick<WherePartProps, 'institute' | 'onChange'>) {
  const { t } = useTranslation('at-home')
  const kept = useHomeAddress()
  const [isChanging, setIsChanging] = useState(false)
  if (!kept || isChanging || !isWithinReach(institute, kept))
    return (
      <AddressForm
        key={kept ? homeText(kept) : 'new'}
        institute={institute}
        before={kept}
        onKeep={(address) => {
          keepHomeAddress(address)
          setIsChanging(false)
          onChange(true)
        }}
      />
    )
  return (
    <p className={styles.kept}>
      <Icon name="home-visit" size={22} />
      <span dir="auto">{homeText(kept)}</span>
      <Button variant="text" size="small" onClick={() => setIsChanging(true)}>
        {t('change')}
      </Button>
    </p>
  )
}

export function WherePart({ institute, choice, onChange }: WherePartProps) {
  const { t } = useTranslation('at-home')
  if (choice.venue === 'apart')
    return (
      <Notice tone="warning" title={t('apart.title')} className={styles.where}>
        {t('apart.text')}
      </Notice>
    )
  return (
    <section className={styles.where} aria-label={t('title')}>
      {choice.venue === 'either' && (
        <Segmented
          label={t('title')}
          className={styles.choice}
          value={choice.atHome ? 'home' : 'salon'}
          options={[
            { value: 'salon', label: t('salon'), icon: 'pin' },
            { value: 'home', label: t('home'), icon: 'home-visit' },
          ]}
          onChange={(where) => onChange(where === 'home')}
        />
      )}
      {choice.atHome && <HomePart institute={institute} onChange={onChange} />}
    </section>
  )
}
