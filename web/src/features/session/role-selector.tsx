// Who signs in or registers: a client or a professional.
import type { Role } from '@soigne/contract/wire'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { ServiceIcon } from '#/theme/icons/service-icon.tsx'
import { OptionCard } from '#/ui/option-card.tsx'
import styles from './role-selector.module.css'

const choices = [
  { role: 'isClient', icon: 'client' },
  { role: 'isPro', icon: 'professional' },
] as const satisfies readonly { role: Role; icon: string }[]

export function RoleSelector({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation('session')
  const group = useRef<HTMLDivElement>(null)
  // A choice made before the scripts came is still a choice.
  const keepEarlyChoice = useEffectEvent(() => {
    const chosen = choices.find((choice) => choice.role === group.current?.querySelector<HTMLInputElement>('input:checked')?.value)
    if (chosen && chosen.role !== role) onChange(chosen.role)
  })
  useEffect(() => keepEarlyChoice(), [])
  return (
    <div ref={group} role="radiogroup" aria-label={t('role.label')} className={styles.choices}>
      {choices.map((choice) => (
        <OptionCard
          key={choice.role}
          type="radio"
          name="role"
          layout="stack"
          value={choice.role}
          checked={role === choice.role}
          onChange={() => onChange(choice.role)}
          start={<ServiceIcon name={choice.icon} size={34} />}
          title={t(`role.${choice.role}.title`)}
          description={t(`role.${choice.role}.text`)}
        />
      ))}
    </div>
  )
}
