import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Modal } from '#/ui/modal.tsx'
import { keepSelectionStill } from '#/testing/still-selection.ts'
import { ActionMenu } from './action-menu.tsx'
import { Combobox } from './combobox.tsx'
import { DateField } from './date-field.tsx'
import { NumberField } from './number-field.tsx'
import { Popover } from './popover.tsx'
import { KitInDialog, KitProvider } from './provider.tsx'
import { Tabs } from './tabs.tsx'
import { TimeField } from './time-field.tsx'
import { Tooltip } from './tooltip.tsx'

const show = (part: ReactNode, locale: 'en' | 'fr' | 'ar' = 'en') => render(<KitProvider locale={locale}>{part}</KitProvider>)
const { keyboard, click, tab, type } = userEvent

keepSelectionStill()
afterEach(cleanup)

function Day({ first = '2026-11-23', onChange }: { first?: string | null; onChange?: (day: string | null) => void }) {
  const [day, setDay] = useState(first)
  const change = (next: string | null) => {
    setDay(next)
    onChange?.(next)
  }
  return <DateField label="Day" value={day} onChange={change} earliest="2026-11-20" />
}

describe('a menu of actions', () => {
  const menu = (onAction: (id: string) => void) => (
    <ActionMenu
      label="More"
      icon="more"
      labelHidden
      actions={['Edit', 'Copy', 'Remove'].map((label) => ({
        id: label,
        label,
        disabled: label === 'Copy',
        onAction: () => onAction(label),
      }))}
    />
  )

  it('does what was picked, once, and not what is not possible', async () => {
    const onAction = vi.fn()
    show(menu(onAction))
    await click(screen.getByRole('button', { name: 'More' }))
    expect(screen.getByRole('menuitem', { name: 'Copy' }).getAttribute('aria-disabled')).toBe('true')
    await click(screen.getByRole('menuitem', { name: 'Remove' }))
    expect(onAction.mock.calls).toEqual([['Remove']])
    expect(screen.queryByRole('menu')).toBeNull()
  })
})

describe('a date', () => {
  it('has a part for each of day, month and year, in the order of the language, and can be stepped', async () => {
    const onChange = vi.fn()
    show(<Day onChange={onChange} />)
    expect(screen.getAllByRole('spinbutton').map((part) => part.textContent)).toEqual(['23', '11', '2026'])
    await tab()
    await keyboard('{ArrowUp}')
    expect(onChange).toHaveBeenLastCalledWith('2026-11-24')
  })

  it('is picked from a month that begins on Monday and knows the first day', async () => {
    const onChange = vi.fn()
    show(<Day onChange={onChange} />, 'fr')
    await click(screen.getByRole('button', { name: /Calendrier/ }))
    expect(screen.getAllByRole('columnheader', { hidden: true })[0]?.textContent).toBe('L')
    const days = within(screen.getByRole('grid'))
    expect(days.getByText('19').getAttribute('aria-disabled')).toBe('true')
    await click(days.getByRole('button', { name: /27 novembre 2026/ }))
    expect(onChange).toHaveBeenLastCalledWith('2026-11-27')
    expect(screen.queryByRole('grid')).toBeNull()
  })

  it('is in our calendar and our digits in Arabic', async () => {
    show(<Day />, 'ar')
    await click(screen.getAllByRole('button').at(-1) ?? document.body)
    expect(screen.getByRole('grid').getAttribute('aria-label')).toBe('نوفمبر 2026')
    expect(screen.getAllByRole('spinbutton').map((part) => part.textContent)).toContain('2026')
  })
})

describe('a time', () => {
  it('has 24 hours, and midnight ends a day where it ends something', async () => {
    const onChange = vi.fn()
    show(<TimeField label="To" value="24:00" isEnd onChange={onChange} />)
    const [hour, minute] = screen.getAllByRole('spinbutton')
    expect([hour?.textContent, minute?.textContent]).toEqual(['00', '00'])
    await tab()
    await keyboard('{ArrowUp}')
    expect(onChange).toHaveBeenLastCalledWith('01:00')
    cleanup()
    show(<TimeField label="To" value="23:00" isEnd onChange={onChange} />)
    await tab()
    await keyboard('{ArrowUp}')
    expect(onChange).toHaveBeenLastCalledWith('24:00')
  })
})

describe('a number', () => {
  it('is stepped within its limits, emptied, and refuses in words', async () => {
    const onChange = vi.fn()
    show(<NumberField label="Seats" value={39} onChange={onChange} least={1} most={40} error="Only 3 chairs." />)
    await click(screen.getByRole('button', { name: 'Increase Seats' }))
    expect(onChange).toHaveBeenLastCalledWith(40)
    const input = screen.getByRole('textbox', { name: 'Seats' })
    expect(input.getAttribute('aria-invalid')).toBe('true')
    const told = (input.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent)
    expect(told).toContain('Only 3 chairs.')
    await userEvent.clear(input)
    await tab()
    expect(onChange).toHaveBeenLastCalledWith(null)
  })
})

describe('a search for one of many', () => {
  function Search({ onChange }: { onChange: (name: string | null) => void }) {
    const [text, setText] = useState('')
    const names = ['Camille', 'Ines'].filter((name) => name.startsWith(text))
    const chosen = (name: string | null) => {
      onChange(name)
      if (name) setText(name)
    }
    return (
      <Combobox
        label="Customer"
        items={names}
        itemKey={String}
        itemText={String}
        text={text}
        onTextChange={setText}
        value={null}
        onChange={chosen}
        emptyText="Nobody"
      />
    )
  }

  it('finds while somebody types and takes by Enter', async () => {
    const onChange = vi.fn()
    show(<Search onChange={onChange} />)
    const input = screen.getByRole('combobox', { name: /Customer/ })
    await type(input, 'In')
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Ines'])
    await keyboard('{ArrowDown}{Enter}')
    expect(onChange).toHaveBeenLastCalledWith('Ines')
    await userEvent.clear(input)
    await type(input, 'Zo')
    expect(screen.getByText('Nobody')).toBeTruthy()
  })
})

describe('tabs, popovers and tooltips', () => {
  it('moves along tabs by arrows, the other way in Arabic', async () => {
    const tabs = (
      <Tabs
        label="Parts"
        tabs={[
          { id: 'a', label: 'A', content: 'first' },
          { id: 'b', label: 'B', content: 'second' },
        ]}
      />
    )
    show(tabs)
    await tab()
    await keyboard('{ArrowRight}')
    expect(screen.getByRole('tabpanel').textContent).toBe('second')
    cleanup()
    show(tabs, 'ar')
    await tab()
    await keyboard('{ArrowLeft}')
    expect(screen.getByRole('tabpanel').textContent).toBe('second')
  })

  it('opens a popover with a name and closes it from inside', async () => {
    show(<Popover label="Copy to">{(close) => <button onClick={close}>All days</button>}</Popover>)
    await click(screen.getByRole('button', { name: 'Copy to' }))
    await click(within(screen.getByRole('dialog', { name: 'Copy to' })).getByRole('button', { name: 'All days' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('tells of a control as soon as the keyboard is on it', async () => {
    const told = (
      <Tooltip text="Opens the visit">
        <button>Open</button>
      </Tooltip>
    )
    show(told)
    await tab()
    expect(screen.getByRole('tooltip').textContent).toBe('Opens the visit')
  })

  it('draws its popovers inside the modal dialog it stands in', async () => {
    const dialog = (
      <Modal open onClose={() => undefined} label="Visit">
        <KitInDialog>
          <Day />
        </KitInDialog>
      </Modal>
    )
    show(dialog)
    await click(screen.getByRole('button', { name: /Calendar/ }))
    const [modal] = document.getElementsByTagName('dialog')
    expect(modal?.contains(screen.getByRole('grid'))).toBe(true)
  })
})

it('renders on the server, the same twice', () => {
  const page = (
    <KitProvider locale="fr">
      <Day />
      <TimeField label="From" value="09:00" onChange={() => undefined} />
      <NumberField label="Price" value={null} onChange={() => undefined} />
      <ActionMenu label="More" actions={[]} />
      <Tabs label="Parts" tabs={[{ id: 'a', label: 'A', content: 'first' }]} />
    </KitProvider>
  )
  const markup = renderToString(page)
  expect(markup).toContain('first')
  expect(renderToString(page)).toBe(markup)
  expect(markup).not.toMatch(/<script|javascript:/i)
})
