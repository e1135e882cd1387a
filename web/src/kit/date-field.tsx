// A calendar date, typed part by part or picked from a month.
import { parseDate } from '@internationalized/date'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Popover,
} from 'react-aria-components'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import { KitFieldFrame, type KitFieldProps } from './kit-field.tsx'
import calendar from './calendar.module.css'
import field from './kit-field.module.css'
import popover from './popover.module.css'

export type DateFieldProps = KitFieldProps & {
  /** `YYYY-MM-DD`. */
  value: string | null
  onChange: (day: string | null) => void
  /** First and last day that can be picked. */
  earliest?: string
  latest?: string
}

function Month() {
  return (
    <Calendar className={classNames(calendar.calendar)} firstDayOfWeek="mon">
      <header className={classNames(calendar.head)}>
        <Button slot="previous" className={classNames(calendar.arrow)}>
          <Icon name="chevron-start" size={20} />
        </Button>
        <Heading className={classNames(calendar.title)} />
        <Button slot="next" className={classNames(calendar.arrow)}>
          <Icon name="chevron-end" size={20} />
        </Button>
      </header>
      <CalendarGrid className={classNames(calendar.grid)}>
        <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{(day) => <CalendarCell date={day} className={classNames(calendar.day)} />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  )
}

export function DateField({ value, onChange, earliest, latest, label, hint, error, ...rest }: DateFieldProps) {
  return (
    <DatePicker
      {...rest}
      className={classNames(field.field)}
      value={value === null ? null : parseDate(value)}
      onChange={(day) => onChange(day?.toString() ?? null)}
      {...(earliest !== undefined && { minValue: parseDate(earliest) })}
      {...(latest !== undefined && { maxValue: parseDate(latest) })}
      {...(error !== undefined && { isInvalid: true })}
      shouldForceLeadingZeros
      firstDayOfWeek="mon"
    >
      <KitFieldFrame label={label} hint={hint} error={error}>
        <Group className={classNames(field.box)}>
          <DateInput className={classNames(field.segments)}>
            {(segment) => <DateSegment segment={segment} className={classNames(field.segment)} />}
          </DateInput>
          <Button className={classNames(field.button)}>
            <Icon name="calendar" size={20} />
          </Button>
        </Group>
      </KitFieldFrame>
      <Popover className={classNames(popover.popover)} offset={8}>
        <Dialog className={classNames(popover.dialog)}>
          <Month />
        </Dialog>
      </Popover>
    </DatePicker>
  )
}
