import { availabilities } from '@soigne/contract/wire'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import labels from '#/locales/en/labels.json' with { type: 'json' }
import { StatusChip } from '#/ui/status-chip.tsx'

afterEach(cleanup)

it.each([
  ['available', 'Available'],
  ['on_holiday', 'Holiday'],
  ['sick_leave', 'Sick Leave'],
] as const)('[E-12] a member who is %s reads %s in the institute’s own view, with a picture beside the word', (status, label) => {
  expect(availabilities).toContain(status)
  const { container } = render(<StatusChip status={status} label={labels.availabilities[status]} />)
  expect(container.textContent).toBe(label)
  expect(container.querySelector('svg')).not.toBeNull()
})
