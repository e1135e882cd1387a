// A form of nested lists on a schema of the wire's kind, for the tests of forms in the small DOM and in the browser.
import { day } from '@soigne/contract/wire'
import { useFieldArray } from 'react-hook-form'
import * as z from 'zod/mini'
import { type FormRefusal, useContractForm, useKitField, type ContractForm } from '#/kit/form.tsx'
import type { DraftPlace } from '#/kit/form-draft.ts'
import { DateField } from '#/kit/date-field.tsx'
import { NumberField } from '#/kit/number-field.tsx'
import { TimeField } from '#/kit/time-field.tsx'

const time = z.string().check(z.regex(/^\d\d:\d\d$/))
const range = z.object({ from: time, to: time })
export const hoursSchema = z.object({
  since: day,
  seats: z.int().check(z.gte(1), z.lte(40)),
  days: z.array(z.object({ name: z.string(), ranges: z.array(range).check(z.maxLength(3)) })),
})

export type Hours = z.output<typeof hoursSchema>

const usualHours: Hours = {
  since: '2026-11-23',
  seats: 4,
  days: [{ name: 'Monday', ranges: [{ from: '09:00', to: '12:00' }] }],
}

export class TrialRefusal extends Error {
  readonly refusal: FormRefusal
  constructor(refusal: FormRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

type HoursFormProps = { send?: (hours: Hours) => Promise<void>; draft?: DraftPlace }
type Form = ContractForm<Hours, Hours>

function Range({ control, at }: { control: Form['control']; at: `days.${number}.ranges.${number}` }) {
  return (
    <>
      <TimeField label="From" {...useKitField(control, `${at}.from`)} />
      <TimeField label="To" isEnd {...useKitField(control, `${at}.to`)} />
    </>
  )
}

function Day({ control, index }: { control: Form['control']; index: number }) {
  const ranges = useFieldArray({ control, name: `days.${index}.ranges` })
  return (
    <fieldset style={{ display: 'grid', gap: 12 }}>
      <legend className="label-heading">Monday</legend>
      {ranges.fields.map(({ id }, place) => (
        <Range key={id} control={control} at={`days.${index}.ranges.${place}`} />
      ))}
      <button type="button" onClick={() => ranges.append({ from: '14:00', to: '18:00' })}>
        Another range
      </button>
    </fieldset>
  )
}

export function HoursForm({ send = async () => {}, draft }: HoursFormProps) {
  const form = useContractForm(hoursSchema, {
    defaultValues: usualHours,
    send,
    refusalOf: (error) => (error instanceof TrialRefusal ? error.refusal : undefined),
    ...(draft && { draft }),
  })
  const days = useFieldArray({ control: form.control, name: 'days' })
  return (
    <form noValidate style={{ display: 'grid', gap: 16, maxInlineSize: 360 }} onSubmit={(event) => void form.submit(event)}>
      {form.aboveForm.length > 0 && <div role="alert">{form.aboveForm.join(' ')}</div>}
      <DateField label="Since" {...useKitField(form.control, 'since')} />
      <NumberField label="Seats" {...useKitField(form.control, 'seats')} />
      {days.fields.map(({ id }, index) => (
        <Day key={id} control={form.control} index={index} />
      ))}
      <button type="submit">Save</button>
      <button type="button" onClick={form.startOver}>
        Start over
      </button>
    </form>
  )
}
