// A plain field of the document that the suggesting one replaces as soon as someone turns to it; a hand already typing goes on typing.
import { useEffect, useEffectEvent, useId, useRef, useState, type InputHTMLAttributes, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import styles from './search-bar.module.css'

type PlainFieldProps = Pick<InputHTMLAttributes<HTMLInputElement>, 'name' | 'placeholder' | 'maxLength' | 'enterKeyHint'> & {
  label: string
  variant: 'bar' | 'field'
  input: RefObject<HTMLInputElement | null>
  value: string
  onText: (text: string) => void
}

export function PlainField({ label, variant, input, onText, ...props }: PlainFieldProps) {
  const id = useId()
  return (
    <div className={variant === 'bar' ? styles.plain : styles.plainField}>
      <label htmlFor={id}>{label}</label>
      <input {...props} id={id} ref={input} autoComplete="off" onChange={(event) => onText(event.currentTarget.value)} />
    </div>
  )
}

/** `load` brings the suggesting field; `onText` hears what was typed before the scripts came. */
export function useSuggestingField<Field>(load: () => Promise<Field>, text: string, onText: (text: string) => void) {
  const [Field, setField] = useState<Field | null>(null)
  const plain = useRef<HTMLInputElement>(null)
  const wasFocused = useRef(false)
  const selection = useRef<readonly [from: number | null, to: number | null]>([null, null])
  const frame = useRef<HTMLDivElement>(null)
  const asked = useRef(false)
  const hasTyped = useRef(false)
  // What was selected in the plain field, such as all of it by Tab, stays selected in the other.
  useEffect(() => {
    if (Field && wasFocused.current) frame.current?.querySelector('input')?.setSelectionRange(...selection.current)
  }, [Field])
  function wake() {
    if (asked.current) return
    asked.current = true
    void load().then((Loaded) => {
      wasFocused.current = document.activeElement === plain.current
      selection.current = [plain.current?.selectionStart ?? null, plain.current?.selectionEnd ?? null]
      // At once: where the hand stands is true only until it moves on.
      flushSync(() => setField(() => Loaded))
    })
  }
  /** What is typed into the plain field. */
  function hear(typed: string) {
    hasTyped.current = true
    onText(typed)
  }
  // A hand may be faster than the scripts: what it typed and where it stands count.
  const faster = useEffectEvent(() => {
    const input = plain.current
    if (!input) return
    if (input.value !== text) hear(input.value)
    if (document.activeElement === input) wake()
  })
  useEffect(() => faster(), [])
  return { Field, plain, frame, wasFocused, hasTyped, hear, wake }
}
