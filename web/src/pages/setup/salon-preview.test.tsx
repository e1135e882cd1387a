import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { type DraftService, initialDraft } from '#/features/setup/draft/draft.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { SalonPreview } from './salon-preview.tsx'

const service = (key: string, name: string, more: Partial<DraftService> = {}): DraftService => ({
  key,
  category: 'fillers',
  section: {},
  name: { en: name, fr: name },
  description: {},
  active: '40',
  idle: '',
  after: '',
  buffer: '',
  isSequential: false,
  minimumAge: '',
  priceKind: 'fixed',
  price: '40',
  audience: 'All',
  prerequisites: [],
  ...more,
})
const draft = {
  ...initialDraft('u'),
  name: 'Atelier Mimosa',
  services: [
    service('lips', 'Lips', { minimumAge: '18', prerequisites: [{ key: 'test', minHours: 48, maxMonths: 6 }] }),
    service('test', 'Patch test', { minimumAge: 'x' }),
  ],
}
afterEach(cleanup)

describe('the page of an institute before it is published', () => {
  it.each([
    ['en', 'From 18 years of age · Needs Patch test at least 48 hours before'],
    ['fr', 'À partir de 18 ans · Patch test requis au moins 48 heures avant'],
  ] as const)('says what a service asks of clients, as they will read it in %s', (locale, conditions) => {
    renderPart(<SalonPreview draft={draft} now={0} />, { locale })
    const row = (name: string) => within(screen.getByRole('heading', { name, level: 4, hidden: true }).closest('li')!)
    expect(row('Lips').getByText(conditions)).toBeTruthy()
    expect(row('Patch test').queryByText(/x|years|ans/)).toBeNull()
  })
})
