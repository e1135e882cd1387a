import { render, screen } from '@testing-library/react'
import type { InstituteCard } from '@soigne/contract/institutes'
import { I18nextProvider } from 'react-i18next'
import { expect, it } from 'vitest'
import { serverTranslator } from '#/platform/server-translator.ts'
import { cardOf, cardsNow } from '#/testing/cards.ts'
import { useMapPins } from './map-pins.ts'

function Pins({ cards }: { cards: InstituteCard[] }) {
  return (
    <p role="status">
      {useMapPins(cards, cardsNow)
        .map(({ text, tone }) => `${text} ${tone}`)
        .join(', ')}
    </p>
  )
}

function pinsOf(...cards: InstituteCard[]): string | null {
  const { unmount } = render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <Pins cards={cards} />
    </I18nextProvider>,
  )
  const { textContent } = screen.getByRole('status')
  unmount()
  return textContent
}

const today = cardOf('nails', '2026-11-19T15:00:00Z', 'Today')
const saturday = cardOf('hair', '2026-11-21T08:00:00Z', 'Saturday')
const alsoSaturday = cardOf('hair', '2026-11-21T09:00:00Z', 'Also Saturday')

it('pins say the time of today, and the weekday of another day', () => {
  expect(pinsOf(today, saturday)).toBe('16:00 soon, Sat later')
})

it('pins of one day say their times, whatever day it is', () => {
  expect(pinsOf(saturday, alsoSaturday)).toBe('9:00 soon, 10:00 soon')
})

it('a place without a time has no words', () => {
  expect(pinsOf({ ...today, nextTimes: [] })).toBe(' none')
})

it('the label of a pin names what is free then, with its price', () => {
  function Labels() {
    return <p role="status">{useMapPins([today], cardsNow)[0]?.label}</p>
  }
  render(
    <I18nextProvider i18n={serverTranslator('en')}>
      <Labels />
    </I18nextProvider>,
  )
  expect(screen.getByRole('status').textContent).toBe('Today, Today 16:00: Gel manicure, €28')
})
