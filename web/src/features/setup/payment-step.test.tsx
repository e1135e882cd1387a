import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DraftService, SetupDraft } from './draft/draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { PaymentStep, RulesPreview } from './payment-step.tsx'
import { renderDraft, renderKept } from '#/testing/render-draft.tsx'

const service = (name: string, price: string, priceKind: DraftService['priceKind'] = 'fixed'): DraftService => ({
  key: name,
  category: 'hair',
  section: {},
  name: { en: name },
  description: {},
  active: '40',
  idle: '',
  after: '',
  buffer: '',
  isSequential: false,
  minimumAge: '',
  priceKind,
  price,
  audience: 'All',
  prerequisites: [],
})
const services = [service('Cut', '42'), service('Root colour', '68,00'), service('Wedding', '', 'on_request'), service('Half-typed', '9x')]

const part = (draft: SetupDraft, change: DraftChange) => (
  <>
    <PaymentStep draft={draft} change={change} />
    <RulesPreview draft={draft} />
  </>
)
const reads = () => screen.getByRole('complementary').textContent

beforeEach(() => localStorage.clear())
afterEach(cleanup)

describe('the deposit of the setup', () => {
  it('[E-11] [U-16] is shown as a client will read it, for the dearest service', async () => {
    const { kept } = renderDraft({ services }, part)
    expect(reads()).toContain('Root colour €68.00')
    await userEvent.click(screen.getByRole('radio', { name: 'Percent' }))
    expect(kept().deposit).toMatchObject({ kind: 'percent', percent: '30' })
    expect(reads()).toContain('€20.40 now, €47.60 at the salon')
    const share = screen.getByRole('textbox')
    await userEvent.clear(share)
    await userEvent.type(share, '25')
    expect(reads()).toContain('€17.00 now, €51.00 at the salon')
    cleanup()
    renderKept(part)
    expect(reads()).toContain('€17.00 now, €51.00 at the salon')
  })

  it('that is none yet promises nothing', async () => {
    renderDraft({ services, deposit: { kind: 'percent', amount: '', percent: '' } }, part)
    expect(reads()).not.toContain('now')
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
  })
})
