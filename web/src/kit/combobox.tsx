// A field that finds one of many, such as a customer: the caller searches while somebody types.
import type { ReactNode } from 'react'
import { Button, ComboBox, Group, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import { KitFieldFrame, type KitFieldProps } from './kit-field.tsx'
import field from './kit-field.module.css'
import list from './list.module.css'
import popover from './popover.module.css'

export type ComboboxProps<Item> = KitFieldProps & {
  /** What fits the text so far. */
  items: readonly Item[]
  itemKey: (item: Item) => string
  itemText: (item: Item) => string
  renderItem?: (item: Item) => ReactNode
  text: string
  onTextChange: (text: string) => void
  /** Key of what is chosen. */
  value: string | null
  onChange: (item: Item | null) => void
  /** Instead of a list: "Nobody of that name", "Loading". */
  emptyText: string
  placeholder?: string
}

export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { items, itemKey, itemText, renderItem = itemText, text, onTextChange, value, onChange, emptyText, placeholder = '' } = props
  const { label, hint, error, ...rest } = props
  return (
    <ComboBox
      className={classNames(field.field)}
      isDisabled={rest.isDisabled ?? false}
      isRequired={rest.isRequired ?? false}
      {...(rest.onBlur && { onBlur: rest.onBlur })}
      {...(rest.ref && { ref: rest.ref })}
      isInvalid={error !== undefined}
      inputValue={text}
      onInputChange={onTextChange}
      selectedKey={value}
      onSelectionChange={(key) => onChange(items.find((item) => itemKey(item) === key) ?? null)}
      menuTrigger="input"
      allowsEmptyCollection
    >
      <KitFieldFrame label={label} hint={hint} error={error}>
        <Group className={classNames(field.box)}>
          <Input className={classNames(field.input)} placeholder={placeholder} />
          <Button className={classNames(field.button)}>
            <Icon name="chevron-down" size={18} />
          </Button>
        </Group>
      </KitFieldFrame>
      <Popover className={classNames(popover.popover)} offset={8} style={{ minWidth: 'var(--trigger-width)' }}>
        <ListBox className={classNames(list.list)} renderEmptyState={() => <p className={classNames(list.empty)}>{emptyText}</p>}>
          {items.map((item) => (
            <ListBoxItem key={itemKey(item)} id={itemKey(item)} textValue={itemText(item)} className={classNames(list.item)}>
              {renderItem(item)}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
