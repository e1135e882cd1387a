// One page with every part of the kit, for the browser of the journeys: `?lang=` and a dialog around the same fields.
import { isLocale } from '#/platform/locale.ts'
import { serverTranslator } from '#/platform/server-translator.ts'
import { Modal } from '#/ui/modal.tsx'
import '#/theme/base.css'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { Combobox } from '#/kit/combobox.tsx'
import { DateField } from '#/kit/date-field.tsx'
import { NumberField } from '#/kit/number-field.tsx'
import { Popover } from '#/kit/popover.tsx'
import { KitInDialog, KitProvider } from '#/kit/provider.tsx'
import { Tabs } from '#/kit/tabs.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { Tooltip } from '#/kit/tooltip.tsx'
import { HoursForm } from './hours-form.tsx'

const customers = ['Camille Roux', 'Inès Benali', 'سلمى العلوي', 'Jeanne Morel']

function Fields() {
  const [day, setDay] = useState<string | null>('2026-11-23')
  const [time, setTime] = useState<string | null>('16:40')
  const [price, setPrice] = useState<number | null>(28)
  const [text, setText] = useState('')
  const [customer, setCustomer] = useState<string | null>(null)
  return (
    <div style={{ display: 'grid', gap: 20, maxInlineSize: 360 }}>
      <DateField label="Day" hint="From tomorrow on" value={day} onChange={setDay} earliest="2026-11-23" />
      <TimeField label="From" value={time} onChange={setTime} />
      <NumberField
        label="Price"
        value={price}
        onChange={setPrice}
        least={0}
        step={1}
        format={{ style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }}
      />
      <Combobox
        label="Customer"
        items={customers.filter((name) => name.toLowerCase().includes(text.toLowerCase()))}
        itemKey={String}
        itemText={String}
        text={text}
        onTextChange={setText}
        value={customer}
        onChange={(name) => {
          setCustomer(name)
          setText(name ?? '')
        }}
        emptyText="Nobody of that name"
      />
      <output data-testid="values">{JSON.stringify({ day, time, price, customer })}</output>
    </div>
  )
}

function Trial() {
  const [open, setOpen] = useState(false)
  const [done, setDone] = useState('')
  const actions = [
    { id: 'edit', label: 'Edit', icon: 'edit' as const, onAction: () => setDone('edit') },
    { id: 'copy', label: 'Copy', icon: 'copy' as const, disabled: true, onAction: () => setDone('copy') },
    { id: 'remove', label: 'Remove', icon: 'trash' as const, danger: true, onAction: () => setDone('remove') },
  ]
  return (
    <main className="page" style={{ display: 'grid', gap: 24, paddingBlock: 32 }}>
      <h1 className="d3">Kit</h1>
      <div style={{ display: 'flex', gap: 12, flexWrap: 'wrap' }}>
        <ActionMenu label="More" icon="more" labelHidden actions={actions} />
        <Popover label="Copy hours to" icon="copy">
          {(close) => (
            <button type="button" onClick={close} style={{ minBlockSize: 44 }}>
              All days
            </button>
          )}
        </Popover>
        <Tooltip text="Opens the visit">
          <button type="button" style={{ minBlockSize: 44 }} onClick={() => setOpen(true)}>
            Open dialog
          </button>
        </Tooltip>
        <output data-testid="done">{done}</output>
      </div>
      <Tabs
        label="Parts"
        tabs={[
          { id: 'fields', label: 'Fields', content: <Fields /> },
          { id: 'hours', label: 'Hours', content: <HoursForm /> },
        ]}
      />
      <Modal open={open} onClose={() => setOpen(false)} label="Visit">
        <KitInDialog>
          <h2 className="d4">Visit</h2>
          <Fields />
        </KitInDialog>
      </Modal>
    </main>
  )
}

const asked = new URLSearchParams(location.search).get('lang')
const locale = isLocale(asked) ? asked : 'en'
document.documentElement.lang = locale
document.documentElement.dir = locale === 'ar' ? 'rtl' : 'ltr'
const root = document.querySelector('#trial')
if (root)
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={serverTranslator(locale)}>
        <KitProvider locale={locale}>
          <Trial />
        </KitProvider>
      </I18nextProvider>
    </StrictMode>,
  )
