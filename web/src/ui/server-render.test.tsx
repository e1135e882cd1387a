// @vitest-environment node
// Every control renders where there is no window, the same twice, and without inline scripts.
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Petal } from '#/theme/icons/petal.tsx'
import { Button, ButtonLink } from './button.tsx'
import { Checkbox, Switch } from './checkbox.tsx'
import { CodeInput } from './code-input.tsx'
import { Combobox } from './combobox.tsx'
import { Countdown } from './countdown.tsx'
import { CoverImage } from './cover-image.tsx'
import { Modal } from './modal.tsx'
import { DisclosureMenu, MenuItem } from './disclosure-menu.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { FaceImage } from './face-image.tsx'
import { Field } from './field.tsx'
import { FullScreenMenu } from './full-screen-menu.tsx'
import { IconButton, IconLink } from './icon-button.tsx'
import { Logo } from './logo.tsx'
import { MonthGrid } from './month-grid.tsx'
import { Notice } from './notice.tsx'
import { OptionCard } from './option-card.tsx'
import { Overlays } from './overlays.tsx'
import { Pagination } from './pagination.tsx'
import { PasswordField } from './password-field.tsx'
import { Rating, RatingBar } from './rating.tsx'
import { Segmented, SegmentedLinks } from './segmented.tsx'
import { SelectField } from './select-field.tsx'
import { CardSkeleton, Loading, RowSkeleton } from './skeleton.tsx'
import { SlotChip } from './slot-chip.tsx'
import { SlotGrid } from './slot-grid.tsx'
import { StatusChip } from './status-chip.tsx'
import { TabsNav } from './tabs-nav.tsx'
import { FilterChip, FilterChipLink, Tag } from './tag.tsx'
import { TextArea } from './text-area.tsx'

const nothing = () => undefined
const overlayLabels = { notifications: 'N', close: 'C', ok: 'Ok', cancel: 'cancle', confirm: 'confirm', confirmHint: 'H' }
const pageLabels = { navigation: 'P', previous: 'P', next: 'N', pageSize: 'S', range: () => '1–2 of 2' }

const controls: Record<string, ReactNode> = {
  buttons: [
    <Button key="1">Go</Button>,
    <ButtonLink key="2" to="/" />,
    <IconButton key="3" icon="bell" label="B" />,
    <IconLink key="4" to="/" icon="menu" label="M" />,
  ],
  fields: [
    <Field key="1" label="Email" error="No" />,
    <PasswordField key="2" label="P" showLabel="S" hideLabel="H" />,
    <SelectField key="3" label="L" options={[]} placeholder="-" />,
    <TextArea key="4" label="T" />,
    <Checkbox key="5" label="C" hint="h" error="e" />,
    <Switch key="6" label="S" />,
    <CodeInput key="7" label="Code" value="12" onChange={nothing} />,
  ],
  choices: [
    <OptionCard key="1" type="radio" title="Client" description="d" start="s" end="e" />,
    <Segmented key="2" label="S" options={[{ value: 'a', label: 'A', icon: 'user' }]} value="a" onChange={nothing} />,
    <SegmentedLinks key="3" label="S" items={[{ to: '/', label: 'A', current: true }]} />,
    <SlotChip key="4" time="14:20" day="Today" to="/" />,
    <SlotChip key="5" time="14:20" unavailable unavailableLabel="taken" />,
    <SlotGrid key="6" label="T" groups={[{ label: 'A', slots: [{ value: 'a', time: '9:00' }] }]} onChange={nothing} takenLabel="taken" />,
    <Combobox
      key="7"
      label="City"
      items={['Lyon']}
      itemKey={String}
      itemText={String}
      value=""
      onValueChange={nothing}
      onSelect={nothing}
      statusText={String}
    />,
    <MonthGrid
      key="8"
      month="2025-11"
      today="2025-11-20"
      onMonthChange={nothing}
      onSelect={nothing}
      dayState={() => 'room'}
      locale="fr"
      labels={{ previousMonth: 'P', nextMonth: 'N', state: String }}
    />,
  ],
  facts: [
    <StatusChip key="1" status="completed" label="Paid" />,
    <Tag key="2" icon="globe">
      French
    </Tag>,
    <FilterChip key="3" selected>
      French
    </FilterChip>,
    <FilterChipLink key="4" to="/" removeLabel="Remove">
      French
    </FilterChipLink>,
    <Rating key="5" value="4.9" count="2" label="4.9 of 5" />,
    <RatingBar key="6" label="Hygiene" value="4.9" share={0.98} />,
    <Notice key="7" tone="kind" title="T" announce>
      n
    </Notice>,
    <Countdown key="8" until={0} warning="w" ended="over" />,
    <Logo key="9" name="Soigné" />,
    <CategoryIcon key="10" name="tatto" />,
    <Petal key="11" />,
  ],
  pictures: [
    <CoverImage key="1" category="hair" seed="a">
      x
    </CoverImage>,
    <FaceImage key="2" name="Inès" photoUrl="/art/face/a.svg?style=bun" />,
    <FaceImage key="3" name="Camille Rey" size="portrait" />,
  ],
  pages: [
    <EmptyState key="1" title="Nothing yet" />,
    <ErrorState key="2" title="Broken" onRetry={nothing} retryLabel="Again" reference="r-1" />,
    <Loading key="3" loading label="Loading" skeleton={<CardSkeleton />}>
      c
    </Loading>,
    <RowSkeleton key="4" />,
    <Pagination key="5" page={1} pageSize={10} total={2} hrefFor={() => '/'} labels={pageLabels} />,
    <TabsNav key="6" label="T" items={[{ to: '/', label: 'A', current: true, count: '2' }]} />,
  ],
  overlays: [
    <DisclosureMenu key="1" button="Menu">
      {() => (
        <MenuItem icon="user" to="/">
          Profile
        </MenuItem>
      )}
    </DisclosureMenu>,
    <FullScreenMenu key="2" open={false} onClose={nothing} label="M" closeLabel="C" brand="B" items={[]} />,
    <Modal key="3" open={false} onClose={nothing} label="T">
      text
    </Modal>,
    <Overlays key="4" labels={overlayLabels} onRedirect={nothing} />,
  ],
}

/** What a person reads, and what forms and ears are told, before any script has run. */
const said: Record<string, string[]> = {
  buttons: ['>Go<', 'aria-label="B"', 'aria-label="M"', 'href="/"'],
  fields: [
    '>Email<',
    'aria-invalid="true"',
    '>No<',
    'type="password"',
    '<select',
    '<textarea',
    'type="checkbox"',
    'role="switch"',
    'value="12',
  ],
  choices: ['type="radio"', '>Client<', 'aria-current="true"', '14:20', 'taken', '9:00', 'role="combobox"', 'novembre 2025'],
  facts: ['Paid', 'French', 'Remove', '4.9 of 5', 'Hygiene', 'role="timer"', 'Soigné', '<svg'],
  pictures: ['/art/cover/hair/a.svg', '/art/face/a.svg?style=bun', 'data-initials="CR"', '<img'],
  pages: ['Nothing yet', 'Broken', 'Again', 'r-1', '1–2 of 2', 'aria-label="T"'],
  overlays: ['>Menu<', 'aria-expanded="false"', 'aria-label="N"'],
}

describe('on the server', () => {
  it.each(Object.keys(controls))('%s say what they are for before any script', (name) => {
    const markup = renderToString(<MemoryRouter>{controls[name]}</MemoryRouter>)
    expect(said[name]?.filter((text) => !markup.includes(text))).toEqual([])
  })

  it.each(Object.keys(controls))('%s render without a window, deterministically and without scripts', (name) => {
    const render = () => renderToString(<MemoryRouter>{controls[name]}</MemoryRouter>)
    const markup = render()
    expect(markup).not.toBe('')
    expect(render()).toBe(markup)
    expect(markup).not.toMatch(/<script|javascript:| onclick=/i)
  })
})
