// Who signs in or registers: a client or a professional.
import type { Role } from '@soigne/contract/wire'
import { useTranslation } from 'react-i18next'
import { ServiceIcon } from '#/theme/icons/service-icon.tsx'
import { OptionCard } from '#/ui/option-card.tsx'
import styles from './role-selector.module.css'

const choices = [
  { role: 'isClient', icon: 'client' },
  { role: 'isPro', icon: 'professional' },
] as const satisfies readonly { role: Role; icon: string }[]

export function RoleSelector({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation('account')
  return (
    <div role="radiogroup" aria-label={t('role.label')} className={styles.choices}>
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
