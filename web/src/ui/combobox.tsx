// A text field that suggests: services, places, clients. What is typed stays valid; suggestions only help.
import { useCombobox } from 'downshift'
import { Fragment, useEffect, useId, useRef, useState, type InputHTMLAttributes, type ReactNode, type RefObject } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import { FieldError } from './field-frame.tsx'
import styles from './combobox.module.css'
import field from './field.module.css'

export type ComboboxProps<Item> = {
  label: string
  /** The options for the text so far; the caller fetches them. */
  items: readonly Item[]
  itemKey: (item: Item) => string
  /** What stands in the field once it is chosen. */
  itemText: (item: Item) => string
  renderItem?: (item: Item) => ReactNode
  /** What stands quietly above the options that share it; those of one group follow each other. */
  itemGroup?: (item: Item) => string
  value: string
  onValueChange: (text: string) => void
  onSelect: (item: Item) => void
  loading?: boolean
  /** Read when the options change: "3 suggestions", "No suggestions", "Loading". */
  statusText: (count: number, loading: boolean) => string
  /** Shown in the list when nothing fits. */
  emptyText?: string
  placeholder?: string
  icon?: IconName
  name?: string
  hint?: ReactNode
  error?: ReactNode
  /** field: a bordered box; bar: no box, inside a search bar. */
  variant?: 'field' | 'bar'
  /** The edge its list shares with it: the end where it stands at the end of a row, so that the list stays in the window. */
  side?: 'start' | 'end'
  /** Clears the text; without it there is no such button. */
  clearLabel?: string
  autoFocus?: boolean
  /** Its options are shown from the start, if it has the focus: somebody was typing before it came. */
  startsOpen?: boolean
  inputProps?: Pick<InputHTMLAttributes<HTMLInputElement>, 'maxLength' | 'enterKeyHint'>
  className?: string | undefined
}

function useSuggestions<Item>(props: ComboboxProps<Item>) {
  const { items, itemText, itemKey, value, onValueChange, onSelect, autoFocus = false, startsOpen = false } = props
  const id = useId()
  return useCombobox<Item>({
    id,
    items: [...items],
    inputValue: value,
    initialIsOpen: autoFocus && startsOpen,
    selectedItem: null,
    itemToString: (item) => (item ? itemText(item) : ''),
    itemToKey: (item) => (item ? itemKey(item) : ''),
    onSelectedItemChange({ selectedItem }) {
      if (selectedItem) onSelect(selectedItem)
    },
    stateReducer(_state, { changes, type }) {
      // Leaving the field keeps the words that were typed; it never chooses for the person.
      if (type === useCombobox.stateChangeTypes.InputBlur) {
        const { selectedItem: _dropped, inputValue: _text, ...rest } = changes
        return { ...rest, isOpen: false, highlightedIndex: -1 }
      }
      return changes
    },
    onInputValueChange({ inputValue, type }) {
      if (type === useCombobox.stateChangeTypes.InputChange) onValueChange(inputValue)
    },
  })
}

/** A tap that did not become a click has become one by then, if it ever does. */
const longestTapMs = 350

/** Where the list stands between fields, all below moves up as it goes: a tap beside it first arrives at what it was meant for. */
function useTapBeside(frame: RefObject<HTMLElement | null>, isOpen: boolean): boolean {
  const [isTapped, setTapped] = useState(false)
  const isShown = isOpen || isTapped
  useEffect(() => {
    if (!isShown) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const heard = new AbortController()
    const hear = (type: 'pointerdown' | 'pointerup' | 'pointercancel' | 'click', listener: (event: Event) => void) =>
      document.addEventListener(type, listener, { signal: heard.signal })
    hear('pointerdown', ({ target }) => setTapped(!frame.current?.contains(target as Node)))
    hear('pointerup', () => (timer = setTimeout(() => setTapped(false), longestTapMs)))
    hear('pointercancel', () => setTapped(false))
    hear('click', () => setTapped(false))
    return () => {
      clearTimeout(timer)
      heard.abort()
    }
  }, [frame, isShown])
  return isTapped
}

type OptionsProps<Item> = ComboboxProps<Item> & { box: ReturnType<typeof useSuggestions<Item>> }

function Options<Item>({ box, items, itemKey, itemText, renderItem, itemGroup }: OptionsProps<Item>) {
  const options = items.map((item, index) => ({
    group: itemGroup?.(item) ?? '',
    option: (
      <li
        key={itemKey(item)}
        {...box.getItemProps({ item, index })}
        className={classNames(styles.item, index === box.highlightedIndex && styles.highlighted)}
      >
        {renderItem ? renderItem(item) : itemText(item)}
      </li>
    ),
  }))
  return [...Map.groupBy(options, ({ group }) => group)].map(([group, members]) => {
    const inside = members.map(({ option }) => option)
    if (group === '') return <Fragment key={group}>{inside}</Fragment>
    return (
      <li key={group} role="presentation">
        <p aria-hidden="true" className={styles.group}>
          {group}
        </p>
        <ul role="group" aria-label={group}>
          {inside}
        </ul>
      </li>
    )
  })
}

export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { label, items, value, onValueChange, loading = false, emptyText } = props
  const { icon, hint, error, variant = 'field', side, clearLabel, placeholder, name, autoFocus, className } = props
  const frame = useRef<HTMLDivElement>(null)
  const box = useSuggestions(props)
  const isTapped = useTapBeside(frame, box.isOpen)
  const inputProps = box.getInputProps({
    onChange: (event) => onValueChange((event.target as HTMLInputElement).value),
    onKeyDown(event) {
      // With nothing chosen, Enter is the form's.
      if (event.key !== 'Enter' || box.highlightedIndex >= 0) return
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
      box.closeMenu()
    },
  })
  const showList = (box.isOpen || isTapped) && (items.length > 0 || (emptyText !== undefined && value !== '' && !loading))
  return (
    <div ref={frame} className={classNames(styles.combobox, styles[variant], side === 'end' && styles.atEnd, className)}>
      <label {...box.getLabelProps()} className={variant === 'bar' ? styles.barLabel : field.label}>
        {label}
      </label>
      <div className={variant === 'bar' ? styles.line : classNames(field.box, error ? field.invalid : undefined)}>
        {icon && <Icon name={icon} size={20} className={styles.icon} />}
        <input
          {...inputProps}
          {...props.inputProps}
          className={classNames(field.input, styles.input)}
          name={name}
          placeholder={placeholder}
          autoFocus={autoFocus}
          aria-invalid={error ? true : undefined}
        />
        {clearLabel && value !== '' && (
          <button type="button" className={styles.clear} aria-label={clearLabel} onClick={() => onValueChange('')}>
            <Icon name="close" size={16} />
          </button>
        )}
      </div>
      <ul {...box.getMenuProps()} data-list="" className={classNames(styles.list, !showList && styles.closed)}>
        {showList && <Options {...props} box={box} />}
      </ul>
      {showList && items.length === 0 && (
        <p data-list="" className={classNames(styles.list, styles.empty)}>
          {emptyText}
        </p>
      )}
      {hint && <p className={field.hint}>{hint}</p>}
      {error && <FieldError>{error}</FieldError>}
      <p role="status" className="visually-hidden">
        {box.isOpen ? props.statusText(items.length, loading) : ''}
      </p>
    </div>
  )
}
