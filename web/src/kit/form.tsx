// Forms on the contract's own schemas: what the server would refuse is said here first, and what it refuses all the
// same goes to the field it names. Nothing that was typed is lost, neither by a refusal nor by a page that closes.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { problemsOf } from '@soigne/contract/problems'
import { useRef, useState, type BaseSyntheticEvent } from 'react'
import {
  get,
  useController,
  useForm,
  type Control,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form'
import { useTranslation } from '#/platform/translation.ts'
import type * as z from 'zod/mini'
import { readDraft, useKeptDraft, type DraftPlace } from './form-draft.ts'
import { type Clash, isSame, overStored } from './over-stored.ts'

/** What a refusal says: why, and problems in words by path such as `days.0.ranges.1.from`. */
export type FormRefusal = { message: string; fields: Readonly<Record<string, string>> }

export type ContractFormOptions<Values extends FieldValues, Sent> = {
  /** Every field of the form, empty or as it is stored. */
  defaultValues: Values
  /** `changed`: the fields that differ from what is stored. */
  send: (values: Sent, changed: readonly string[]) => Promise<void>
  /** Reads a failure of `send`; nothing for what is no refusal, which is thrown on. */
  refusalOf: (error: unknown) => FormRefusal | undefined
  draft?: DraftPlace
  /** What is stored by now, for what another screen may have changed meanwhile: what was changed here is put over it. `read`: what this form began with. */
  storedNow?: ((read: Values) => Promise<Values>) | undefined
  /** Fields whose parts are values of their own, such as words in several languages. */
  inParts?: readonly (keyof Values & string)[]
}

export type ContractForm<Values extends FieldValues, Sent> = Omit<UseFormReturn<Values, unknown, Sent>, 'handleSubmit'> & {
  /** What concerns no field of the form; shown above it. */
  aboveForm: readonly string[]
  submit: (event?: BaseSyntheticEvent) => Promise<void>
  /** Forgets the draft and puts back what was there before. */
  startOver: () => void
}

/** A problem of the wire in the reader's words: the same that the server would say. */
export function useProblemText(): (problem: string) => string {
  const { t } = useTranslation('forms')
  return (problem) => {
    const [kind = '', limit = ''] = problem.split(':')
    const count = Number(limit)
    if (kind === 'too_short') return t('tooShort', { count })
    if (kind === 'too_long') return t('tooLong', { count })
    if (kind === 'too_small') return t('tooSmall', { minimum: limit })
    if (kind === 'too_big') return t('tooBig', { maximum: limit })
    if (kind === 'step') return t('step', { step: limit })
    return kind === 'required' || kind === 'email' || kind === 'date' || kind === 'choice' ? t(kind) : t('invalid')
  }
}

/** Problems in words by path; a field that was left empty is missing, whatever kind it should be of. */
const inWords = (issues: Parameters<typeof problemsOf>[0], value: unknown, text: (problem: string) => string): [string, string][] =>
  Object.entries(problemsOf(issues, value)).map(([path, problem]) => [path, text(get(value, path) === null ? 'required' : problem)])

/** The schema, speaking to its reader. */
function speaking<Values extends FieldValues, Sent>(schema: z.ZodMiniType<Sent, Values>, text: (problem: string) => string) {
  const validate = (value: unknown) => {
    const read = schema.safeParse(value)
    if (read.success) return { value: read.data }
    return { issues: inWords(read.error.issues, value, text).map(([path, message]) => ({ path: path.split('.'), message })) }
  }
  return { '~standard': { version: 1 as const, vendor: 'soigne', validate } }
}

/** Errors that stand at no field on the screen would stop the form without a word. */
function unseen(errors: FieldErrors): string[] {
  return Object.values(errors).flatMap((error): string[] => {
    if (typeof error !== 'object' || error === null) return []
    if ('message' in error && typeof error.message === 'string') return 'ref' in error && error.ref ? [] : [error.message]
    return unseen(Object.fromEntries(Object.entries(error)))
  })
}

/** Puts each problem at its field, the first into focus; returns those that match none. */
function placeProblems<Values extends FieldValues, Sent>(form: UseFormReturn<Values, unknown, Sent>, fields: FormRefusal['fields']) {
  const unmatched: string[] = []
  let focused = false
  for (const [name, message] of Object.entries(fields)) {
    // The server names fields of the schema, of which the paths of the form are made; what is none of them is taken back.
    const path = name as FieldPath<Values>
    form.setError(path, { type: 'server', message }, { shouldFocus: !focused })
    if (form.getFieldState(path).error?.ref) focused = true
    else {
      form.clearErrors(path)
      unmatched.push(message)
    }
  }
  return unmatched
}

/** What was typed can be told as it is; what is chosen, and days and sums, have words of their own. */
const isTyped = (field: unknown): boolean =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && ['text', 'tel', 'email', 'number'].includes(field.type))

/** Says at each field that another screen has changed it too, and to what. */
function placeClashes<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  clashes: readonly Clash[],
  text: (stored: string | null) => string,
) {
  for (const [at, { path: name, stored }] of clashes.entries()) {
    const path = name as FieldPath<Values>
    const say = (value: string | null) => form.setError(path, { type: 'server', message: text(value) }, { shouldFocus: at === 0 })
    say(null)
    const field: unknown = form.getFieldState(path).error?.ref
    if (!field) form.clearErrors(path)
    else if (isTyped(field)) say(String(stored ?? ''))
  }
}

/** Stands in the way of sending, and is said in the form. */
class Unsendable extends Error {
  readonly say: () => readonly string[]
  constructor(say: () => readonly string[]) {
    super('the form is not sent')
    this.say = say
  }
}

/** What is sent of a form: as it was typed, or what was changed on it over what is stored by now. */
function useSent<Values extends FieldValues, Sent>(
  schema: z.ZodMiniType<Sent, Values>,
  form: UseFormReturn<Values, unknown, Sent>,
  { initial, storedNow, inParts }: Pick<ContractFormOptions<Values, Sent>, 'storedNow' | 'inParts'> & { initial: Values },
) {
  const { t } = useTranslation('forms')
  const text = useProblemText()
  // A copy: what is typed goes into the values a form is given.
  const [began] = useState(() => structuredClone(initial))
  const read = useRef(began)
  const clashText = (stored: string | null): string =>
    stored === null ? t('elsewhere.chosen') : stored === '' ? t('elsewhere.emptied') : t('elsewhere.typed', { value: stored })
  /** @throws Unsendable */
  async function sentOver(values: Sent): Promise<{ values: Sent; changed: string[]; keep: () => void }> {
    if (!storedNow) return { values, changed: Object.keys(initial), keep() {} }
    const typed = form.getValues()
    const stored = await storedNow(read.current)
    const { values: merged, clashes } = overStored({ read: read.current, typed, stored, inParts })
    // Whatever is refused from here on, these are the values somebody sees and goes on from.
    read.current = structuredClone(stored)
    for (const name of Object.keys(merged) as FieldPath<Values>[])
      if (!isSame(get(merged, name), get(typed, name))) form.setValue(name, get(merged, name) as FieldPathValue<Values, typeof name>)
    if (clashes.length > 0)
      throw new Unsendable(() => {
        placeClashes(form, clashes, clashText)
        return [t('elsewhere.title')]
      })
    const parsed = schema.safeParse(merged)
    if (!parsed.success) {
      const { issues } = parsed.error
      throw new Unsendable(() => placeProblems(form, Object.fromEntries(inWords(issues, merged, text))))
    }
    const changed = Object.keys(merged).filter((name) => !isSame(get(merged, name), get(stored, name)))
    return { values: parsed.data, changed, keep: () => void (read.current = structuredClone(merged)) }
  }
  return sentOver
}

/** The state of a form whose values the schema of a call reads. */
export function useContractForm<Values extends FieldValues, Sent>(
  schema: z.ZodMiniType<Sent, Values>,
  { defaultValues, send, refusalOf, draft, ...stored }: ContractFormOptions<Values, Sent>,
): ContractForm<Values, Sent> {
  const text = useProblemText()
  const [aboveForm, setAboveForm] = useState<readonly string[]>([])
  const [initial] = useState(() => (draft ? readDraft(draft, schema, defaultValues) : defaultValues))
  const form = useForm<Values, unknown, Sent>({
    // React Hook Form asks for a deep partial, which what is whole fits; it cannot see that of a type parameter.
    defaultValues: initial as DefaultValues<Values>,
    resolver: standardSchemaResolver(speaking(schema, text)),
  })
  const forgetDraft = useKeptDraft(form, draft)
  const sentOver = useSent(schema, form, { ...stored, initial })
  async function sendTyped(typed: Sent) {
    setAboveForm([])
    try {
      const { values, changed, keep } = await sentOver(typed)
      await send(values, changed)
      keep()
      forgetDraft()
    } catch (error) {
      if (error instanceof Unsendable) return setAboveForm(error.say())
      const refusal = refusalOf(error)
      if (!refusal) throw error
      const unmatched = placeProblems(form, refusal.fields)
      const isSaidAtFields = unmatched.length === 0 && Object.keys(refusal.fields).length > 0
      setAboveForm(isSaidAtFields ? [] : [...new Set([refusal.message, ...unmatched])])
    }
  }
  const { handleSubmit, ...rest } = form
  return {
    ...rest,
    aboveForm,
    submit: handleSubmit(sendTyped, (errors) => setAboveForm([...new Set(unseen(errors))])),
    startOver() {
      forgetDraft()
      form.reset(defaultValues as DefaultValues<Values>)
      forgetDraft()
      setAboveForm([])
    },
  }
}

/** A field of the kit in a form: its value, its changes, what is wrong with it, and how it is brought into focus. */
export function useKitField<Values extends FieldValues, Name extends FieldPath<Values>, Sent>(
  control: Control<Values, unknown, Sent>,
  name: Name,
) {
  const { field, fieldState } = useController<Values, Name, Sent>({ control, name })
  const register = field.ref
  const ref = (root: HTMLElement | null) =>
    register(root && { focus: () => root.querySelector<HTMLElement>('[role="spinbutton"], input:not([hidden]), button')?.focus() })
  const error = fieldState.error?.message
  return {
    name,
    ref,
    value: field.value as FieldPathValue<Values, Name>,
    onChange: field.onChange,
    onBlur: field.onBlur,
    ...(error !== undefined && { error }),
  }
}
