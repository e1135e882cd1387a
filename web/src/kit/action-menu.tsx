// A menu of things to do: arrows, first letters, Escape and focus back as menus of the system have them.
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import { Opener, type OpenerProps } from './popover.tsx'
import list from './list.module.css'
import styles from './popover.module.css'

export type MenuAction = {
  id: string
  label: string
  icon?: IconName
  /** What it does cannot be undone. */
  danger?: boolean
  disabled?: boolean
  onAction: () => void
}

export type ActionMenuProps = OpenerProps & { actions: readonly MenuAction[] }

export function ActionMenu({ actions, ...opener }: ActionMenuProps) {
  return (
    <MenuTrigger>
      <Opener {...opener} />
      <Popover className={classNames(styles.popover)} placement="bottom end" offset={8}>
        <Menu className={classNames(list.list)}>
          {actions.map(({ id, label, icon, danger = false, disabled = false, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={label}
              isDisabled={disabled}
              onAction={onAction}
              className={classNames(list.item, danger && list.danger)}
            >
              {icon && <Icon name={icon} size={20} />}
              {label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
