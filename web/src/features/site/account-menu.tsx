// The face in the header and what opens under it.
import { pictureOfSize } from '@soigne/contract/files'
import type { SessionUser } from '@soigne/contract/session'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { DisclosureMenu, MenuItem } from '#/ui/disclosure-menu.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { accountLinks } from './account-links.ts'
import { useLogout } from './use-logout.ts'
import styles from './account-menu.module.css'

export function AccountMenu({ user }: { user: SessionUser }) {
  const { t } = useTranslation('site')
  const logout = useLogout()
  const name = `${user.firstName} ${user.lastName}`.trim()
  const button = (
    <>
      <FaceImage name={name} photoUrl={user.imageUrl && pictureOfSize(user.imageUrl, 96)} size={40} />
      <span dir="auto" className={styles.name}>
        {user.firstName}
      </span>
      <Icon name="chevron-down" size={18} />
    </>
  )
  return (
    <div className="desktop-only">
      <DisclosureMenu button={button} label={t('account.label', { name })} buttonClassName={styles.button}>
        {(close) => (
          <>
            <p className={styles.person}>
              <bdi className="strong truncate">{name}</bdi>
              <bdi className="small muted truncate">{user.email}</bdi>
            </p>
            {accountLinks(user).map((link) => (
              <MenuItem key={link.to} icon={link.icon} to={link.to} onClick={close}>
                {t(`links.${link.label}`)}
              </MenuItem>
            ))}
            <MenuItem icon="logout" onClick={logout}>
              {t('links.logout')}
            </MenuItem>
          </>
        )}
      </DisclosureMenu>
    </div>
  )
}
